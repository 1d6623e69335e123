/** Bytes of the pieces that are compared with nothing: all of a piece is kept or none. */
const PIECE = 4096;

/** What a part of a memory held, without what is all zero. */
export class MemorySnapshot {
  /** One buffer for each run of pieces. */
  readonly #runs: { readonly at: number; readonly bytes: Uint8Array }[] = [];

  constructor(memory: Uint8Array) {
    let start: number | undefined;
    for (let at = 0; at < memory.length; at += PIECE) {
      const zero = isZero(memory.subarray(at, at + PIECE));
      if (!zero) start ??= at;
      else if (start !== undefined) {
        this.#keep(memory, start, at);
        start = undefined;
      }
    }
    if (start !== undefined) this.#keep(memory, start, memory.length);
  }

  /** Bytes up to the end of the last piece: a part must have so many to be put back. */
  get end(): number {
    const last = this.#runs.at(-1);
    return last === undefined ? 0 : last.at + last.bytes.length;
  }

  /** Makes a part that is all zero what it was. */
  restore(memory: Uint8Array): void {
    if (memory.length < this.end) throw new RangeError('a snapshot of a larger part');
    for (const { at, bytes } of this.#runs) memory.set(bytes, at);
  }

  #keep(memory: Uint8Array, start: number, end: number): void {
    this.#runs.push({ at: start, bytes: memory.slice(start, end) });
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
