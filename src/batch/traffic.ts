/** A stage of a request that takes longer waits for its client or for the engine, and needs the thread for moments only. */
const MOST_MS = 3000;

/** What an isolate does for its clients beside computing images: many short steps, each of which needs the thread. */
export class Traffic {
  readonly #now: () => number;
  /** When each stage began. The platform may end a request without a word, so that nobody counts for ever. */
  readonly #stages = new Map<symbol, number>();

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether a request is in the middle of its steps. */
  get flows(): boolean {
    const since = this.#now() - MOST_MS;
    for (const [stage, begun] of this.#stages) {
      if (begun > since) return true;
      this.#stages.delete(stage);
    }
    return false;
  }

  /** Notes that a stage begins. @returns to be called when it ends */
  begin(): () => void {
    const stage = Symbol('stage');
    this.#stages.set(stage, this.#now());
    return () => void this.#stages.delete(stage);
  }

  /** Carries a stage out. */
  async during<Result>(stage: () => Promise<Result>): Promise<Result> {
    const end = this.begin();
    try {
      return await stage();
    } finally {
      end();
    }
  }
}

/** The isolate's: module state on purpose, since its requests share one thread with its engines. */
export const isolateTraffic = new Traffic(() => Date.now());
