import type { SourceFile } from '../../../../src/image/source-file.ts';

/** A file in a store: it notes the ranges that are read, and throws at a read that is empty, out of range or of bytes read before. */
export class CountedFile implements SourceFile {
  readonly size: number;
  reads = 0;
  /** Bytes of all reads. */
  bytes = 0;
  readonly #content: Uint8Array;
  readonly #read: Uint8Array;

  constructor(content: Uint8Array) {
    this.size = content.length;
    this.#content = content;
    this.#read = new Uint8Array(content.length);
  }

  async read(offset: number, into: Uint8Array): Promise<void> {
    const end = offset + into.length;
    if (into.length === 0 || offset < 0 || end > this.size) throw new Error(`a read from ${offset} to ${end}`);
    if (this.#read.subarray(offset, end).includes(1)) throw new Error(`a second read from ${offset} to ${end}`);
    this.#read.fill(1, offset, end);
    this.reads++;
    this.bytes += into.length;
    into.set(this.#content.subarray(offset, end));
  }
}
