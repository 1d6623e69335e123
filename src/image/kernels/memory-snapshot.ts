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

function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}
