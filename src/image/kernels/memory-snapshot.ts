/** Bytes of the pieces that are compared with nothing: all of a piece is kept or none. */
const PIECE = 4096;

/** What a part of a memory held, without the pieces that are all zero. */
export class MemorySnapshot {
  readonly #pieces: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  readonly #length: number;

  constructor(memory: Uint8Array) {
    this.#length = memory.length;
    for (let at = 0; at < memory.length; at += PIECE) {
      const piece = memory.subarray(at, at + PIECE);
      if (!isZero(piece)) this.#pieces.push({ at, bytes: piece.slice() });
    }
  }

  /** Makes a part of the same length what it was. */
  restore(memory: Uint8Array): void {
    if (memory.length !== this.#length) throw new RangeError('a snapshot of another length');
    memory.fill(0);
    for (const { at, bytes } of this.#pieces) memory.set(bytes, at);
  }
}

/** Looks at eight words at a time: byte by byte, a library's part of the arena would take longer than a small picture. */
function isZero(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, length } = bytes;
  if (length % 32 !== 0 || byteOffset % 4 !== 0) return bytes.every((byte) => byte === 0);
  const words = new Int32Array(buffer, byteOffset, length / 4);
  for (let at = 0; at < words.length; at += 8) {
    const low = words[at]! | words[at + 1]! | words[at + 2]! | words[at + 3]!;
    const high = words[at + 4]! | words[at + 5]! | words[at + 6]! | words[at + 7]!;
    if ((low | high) !== 0) return false;
  }
  return true;
}
