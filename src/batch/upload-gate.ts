/** The runtime ends a request as hung that waits for nothing but another request: a waiting upload has a timer of its own. */
const KEEP_ALIVE_MILLISECONDS = 1000;

/** What one upload has at the moment. */
interface Holding {
  bytes: number;
}

/**
 * Shares a fixed number of bytes among all uploads of an isolate, first come, first served. An upload asks for its whole
 * part buffer before it reads into it and never waits while it holds one, so there is no deadlock.
 */
export class UploadGate {
  readonly #capacity: number;
  #free: number;
  /**
   * The platform ends the request of a client that went away without running another line of it, `finally` included:
   * what such a holder had comes back when its `release` is collected.
   */
  readonly #lost = new FinalizationRegistry<Holding>((holding) => this.#giveBack(holding));
  readonly #waiting: { readonly bytes: number; readonly holding: Holding; readonly enter: () => void }[] = [];

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
    const holding = { bytes: 0 };
    const release = () => this.#giveBack(holding);
    this.#lost.register(release, holding);
    const entered = new Promise<void>((enter) => this.#waiting.push({ bytes, holding, enter }));
    this.#admit();
    const alive = setInterval(() => {}, KEEP_ALIVE_MILLISECONDS);
    try {
      await entered;
    } finally {
      clearInterval(alive);
    }
    return release;
  }

  #giveBack(holding: Holding): void {
    this.#free += holding.bytes;
    holding.bytes = 0;
    this.#admit();
  }

  /** In order, even where a smaller one further back would fit: none is overtaken for ever. */
  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.bytes;
      next.holding.bytes = next.bytes;
      next.enter();
    }
  }
}
