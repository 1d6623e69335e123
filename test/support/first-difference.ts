/** Where two byte arrays differ first, in words; undefined where they are equal. (Comparing with `toEqual` takes seconds for a picture.) */
export function firstDifference(actual: Uint8Array, expected: Uint8Array): string | undefined {
  if (actual.length !== expected.length) return `${actual.length} bytes, expected ${expected.length}`;
  for (let i = 0; i < actual.length; i++) {
    if (actual[i] !== expected[i]) return `byte ${i} is ${actual[i]}, expected ${expected[i]}`;
  }
  return undefined;
}
