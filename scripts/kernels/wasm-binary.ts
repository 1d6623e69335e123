/** One section of a WebAssembly binary: its id and its content. */
export interface Section {
  readonly id: number;
  readonly body: Uint8Array;
}

/** Ids of sections (core specification 2.0, 5.5.2). */
export const section = {
  type: 1,
  import: 2,
  function: 3,
  memory: 5,
  global: 6,
  export: 7,
  code: 10,
  data: 11,
} as const;

/** Splits a binary into its sections (core specification 2.0, 5.5.2). */
export function readSections(module: Uint8Array): Section[] {
  const sections: Section[] = [];
  for (let at = 8; at < module.length; ) {
    const id = module[at]!;
    const [size, start] = readUnsigned(module, at + 1);
    sections.push({ id, body: module.subarray(start, start + size) });
    at = start + size;
  }
  return sections;
}

/** Puts sections together under the header of version 1. */
export function joinSections(sections: readonly Section[]): Uint8Array {
  const header = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  return Buffer.concat([
    header,
    ...sections.flatMap(({ id, body }) => [Uint8Array.from([id, ...encodeUnsigned(body.length)]), body]),
  ]);
}

/** Reads an unsigned LEB128; returns the value and the offset behind it. */
export function readUnsigned(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

/** Reads a signed LEB128 of at most 32 bits. */
export function readSigned(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [shift < 25 && (byte & 0x40) !== 0 ? value | (-1 << (shift + 7)) : value, at];
  }
}

/** Writes an unsigned LEB128. */
export function encodeUnsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 0x80);
  }
}
