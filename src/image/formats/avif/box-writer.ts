/** One box (ISO/IEC 14496-12 §4.2) around its parts, joined. */
export function writeBox(type: string, ...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const size = parts.reduce((sum, part) => sum + part.length, 8);
  const box = new Uint8Array(size);
  box.set([...u32(size), ...characters(type)]);
  let offset = 8;
  for (const part of parts) {
    box.set(part, offset);
    offset += part.length;
  }
  return box;
}

/** A full box: version and flags in front. */
export function writeFullBox(
  type: string,
  version: number,
  flags: number,
  ...parts: readonly (Uint8Array | readonly number[])[]
): Uint8Array<ArrayBuffer> {
  return writeBox(type, [version, (flags >> 16) & 255, (flags >> 8) & 255, flags & 255], ...parts);
}

export function u16(value: number): number[] {
  return [(value >> 8) & 255, value & 255];
}

export function u32(value: number): number[] {
  return [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

/** ASCII. */
export function characters(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}
