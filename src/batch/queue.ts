/** What became of a task: `busy` means that it was not taken in, and nothing of it ran. */
export type QueueAnswer<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'busy' };

interface Ticket {
  enter(): void;
}

/**
 * The bounded queue in front of the engine: one task at a time, first come, first served. A task whose context died without a
 * word (the platform evicted it) is given up after `staleMs`, so that those behind it go on.
 */
export class JobQueue {
  readonly #length: number;
  readonly #staleMs: number;
  readonly #now: () => number;
  readonly #waiting: Ticket[] = [];
  #running: { readonly ticket: Ticket; readonly since: number } | undefined;

  /**
   * @param length tasks that may wait
   * @param staleMs milliseconds after which a running task is taken for dead; more than any plan's work
   * @param now milliseconds
   */
  constructor(length: number, staleMs: number, now: () => number) {
    this.#length = length;
    this.#staleMs = staleMs;
    this.#now = now;
  }

  /** Runs a task when its turn comes. @throws what the task throws */
  async run<T>(task: () => Promise<T>): Promise<QueueAnswer<T>> {
    this.#giveUpStale();
    if (this.#waiting.length >= this.#length) return { kind: 'busy' };
    const ticket = await this.#turn();
    try {
      return { kind: 'done', value: await task() };
    } finally {
      this.#leave(ticket);
    }
  }

  #turn(): Promise<Ticket> {
    return new Promise((resolve) => {
      const ticket: Ticket = { enter: () => resolve(ticket) };
      this.#waiting.push(ticket);
      if (this.#running === undefined) this.#next();
    });
  }

  #leave(ticket: Ticket): void {
    if (this.#running?.ticket === ticket) this.#next();
  }

  #giveUpStale(): void {
    if (this.#running !== undefined && this.#now() - this.#running.since > this.#staleMs) this.#next();
  }

  #next(): void {
    const ticket = this.#waiting.shift();
    this.#running = ticket && { ticket, since: this.#now() };
    ticket?.enter();
  }
}
