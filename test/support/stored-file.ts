import { heldFile, type SourceFile } from '../../src/image/source-file.ts';

/** A file that is not in memory: it notes the ranges that are read, and throws at a read that is empty or out of range. */
export class StoredFile implements SourceFile {
  readonly size: number;
  /** Of every read, where it began and ended. */
  readonly reads: [start: number, end: number][] = [];
  readonly #content: ReturnType<typeof heldFile>;

  constructor(content: Uint8Array) {
    this.size = content.length;
    this.#content = heldFile(content);
  }

  async read(offset: number, into: Uint8Array): Promise<void> {
    if (into.length === 0) throw new Error('a read of nothing');
    await this.#content.read(offset, into);
    this.reads.push([offset, offset + into.length]);
  }

  /** Bytes of all reads. */
  get bytes(): number {
    return this.reads.reduce((sum, [start, end]) => sum + end - start, 0);
  }

  /** Bytes of those reads whose bytes had been read before. */
  get bytesAgain(): number {
    const seen = new Uint8Array(this.size);
    let again = 0;
    for (const [start, end] of this.reads) {
      for (const times of seen.subarray(start, end)) again += times;
      seen.fill(1, start, end);
    }
    return again;
  }
}
