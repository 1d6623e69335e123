/**
 * Shares a fixed number of bytes among all uploads of an isolate, first come, first served. An upload asks for its whole
 * part buffer before it reads into it and never waits while it holds one, so there is no deadlock.
 */
export class UploadGate {
  readonly #capacity: number;
  #free: number;
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];

  /** @param capacity bytes that all holders may have at once */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#free = capacity;
  }

  /**
   * Waits for `bytes` (at most the capacity).
   * @returns gives them back; calling it again does nothing
   */
  async acquire(bytes: number): Promise<() => void> {
    if (bytes > this.#capacity) throw new RangeError('More bytes than the gate has.');
    if (this.#waiting.length > 0 || bytes > this.#free) {
      await new Promise<void>((enter) => this.#waiting.push({ bytes, enter }));
    } else {
      this.#free -= bytes;
    }
    let held = bytes;
    return () => {
      this.#free += held;
      held = 0;
      this.#admit();
    };
  }

  /** In order, even where a smaller one further back would fit: none is overtaken for ever. */
  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.bytes;
      next.enter();
    }
  }
}
