import type { ExtendResult } from '../credits/ledger.ts';

/** A reservation is extended once this share of the time it was given is over. */
const RENEW_SHARE = 1 / 3;

/** Keeps the reservation of a batch that runs for long from expiring, with few calls to the ledger. */
export class ReservationKeeper {
  readonly #extend: () => Promise<ExtendResult>;
  readonly #now: () => number;
  readonly #failed: (error: unknown) => void;
  #renewAt: number;

  /**
   * @param expiresAt milliseconds since the epoch
   * @param now milliseconds since the epoch
   * @param failed told of a call that failed: the batch goes on, the next call may be answered
   */
  constructor(p: {
    readonly expiresAt: number;
    extend(): Promise<ExtendResult>;
    now(): number;
    failed(error: unknown): void;
  }) {
    this.#extend = p.extend;
    this.#now = p.now;
    this.#failed = p.failed;
    this.#renewAt = this.#renewal(p.expiresAt);
  }

  /** To be called whenever the batch got on; extends the reservation where it is time. Never throws. */
  async progressed(): Promise<void> {
    if (this.#now() < this.#renewAt) return;
    // Files that end meanwhile must not ask a second time.
    this.#renewAt = Number.POSITIVE_INFINITY;
    try {
      const answer = await this.#extend();
      if (answer.held) this.#renewAt = this.#renewal(answer.expiresAt);
    } catch (error) {
      this.#failed(error);
      this.#renewAt = this.#now();
    }
  }

  #renewal(expiresAt: number): number {
    const now = this.#now();
    return now + (expiresAt - now) * RENEW_SHARE;
  }
}
