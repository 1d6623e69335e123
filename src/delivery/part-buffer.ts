/** Up to here memory grows by doubling. */
const SMALL_BYTES = 1024 * 1024;

/** Gathers bytes in one piece of memory that grows as it fills, up to a limit. */
export class PartBuffer {
  #memory: Uint8Array<ArrayBuffer>;
  #length = 0;
  readonly #limit: number;

  constructor(firstBytes: number, limit: number) {
    this.#memory = new Uint8Array(firstBytes);
    this.#limit = limit;
  }

  /** What was gathered. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, this.#length);
  }

  get full(): boolean {
    return this.#length === this.#limit;
  }

  /** Copies what fits of `chunk`; returns the rest. */
  take(chunk: Uint8Array): Uint8Array {
    const count = Math.min(chunk.length, this.#limit - this.#length);
    this.#grow(this.#length + count);
    this.#memory.set(chunk.subarray(0, count), this.#length);
    this.#length += count;
    return chunk.subarray(count);
  }

  /** Begins again in the same memory. What `bytes` returned must not be in use any more. */
  clear(): void {
    this.#length = 0;
  }

  /**
   * Gives the memory back at once: a buffer that is only dropped stays until the collector comes by, and parts would
   * pile up meanwhile. What `bytes` returned must not be in use any more.
   */
  free(): void {
    if (!this.#memory.buffer.detached) this.#memory.buffer.transfer(0);
  }

  /** Doubles up to `SMALL_BYTES`, then has all at once: what is outgrown lies about until something fits into it. */
  #grow(needed: number): void {
    if (needed <= this.#memory.length) return;
    const wanted = Math.max(needed, 2 * this.#memory.length);
    const larger = new Uint8Array(wanted > SMALL_BYTES ? this.#limit : Math.min(this.#limit, wanted));
    larger.set(this.bytes);
    this.free();
    this.#memory = larger;
  }
}
