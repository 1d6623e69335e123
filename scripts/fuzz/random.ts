/** Gives whole numbers from 0 to below a limit. */
export type Random = (below: number) => number;

/** The same numbers for the same seed (Mulberry32). */
export function seededRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e37_79b9);
  return (below) => {
    state = (state + 0x6d2b_79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) % below;
  };
}

/** One of several. */
export function pick<Value>(values: readonly Value[], random: Random): Value {
  return values[random(values.length)]!;
}
