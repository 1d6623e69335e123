/** A segment of a file, gathered in blocks of one size that are made as they are needed: it never has more than one block too much. */
export class SegmentBlocks {
  readonly #blockBytes: number;
  readonly #blocks: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes gathered. */
  length = 0;

  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes;
  }

  /** Bytes of the blocks. */
  get allocated(): number {
    return this.#blocks.length * this.#blockBytes;
  }

  /** One block more. */
  extend(): void {
    this.#blocks.push(new Uint8Array(this.#blockBytes));
  }

  /** Copies what fits of `chunk` into the last block; returns the rest. */
  take(chunk: Uint8Array): Uint8Array {
    const count = Math.min(chunk.length, this.allocated - this.length);
    this.#blocks.at(-1)?.set(chunk.subarray(0, count), this.length % this.#blockBytes);
    this.length += count;
    return chunk.subarray(count);
  }

  /** What was gathered, in order. */
  get pieces(): Uint8Array<ArrayBuffer>[] {
    return this.#blocks.map((block, at) => block.subarray(0, this.length - at * this.#blockBytes));
  }

  /** Gives the memory back at once: blocks that are only dropped would pile up until the collector comes by. */
  free(): void {
    for (const { buffer } of this.#blocks) if (!buffer.detached) buffer.transfer(0);
  }
}
