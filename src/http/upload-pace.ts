import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Clock } from '../platform/clock.ts';

/** How slow a body may be. */
export interface PaceRules {
  /** Seconds for which it may keep the service waiting. */
  readonly pauseSeconds: number;
  /** Bytes that earn one of them back, as of now: more are asked for while others wait for its place. */
  bytesPerSecond(): number;
  /** Seconds that it may take in all. */
  readonly totalSeconds: number;
}

/** @param crowded whether all places for uploads are taken */
export function uploadPace(crowded: () => boolean): PaceRules {
  return {
    pauseSeconds: limits.uploadPauseSeconds,
    bytesPerSecond: () => (crowded() ? limits.crowdedBytesPerSecond : limits.uploadBytesPerSecond),
    totalSeconds: limits.uploadSeconds,
  };
}

/**
 * Holds a client to a least rate, by a leaky bucket of seconds: waiting for the client empties it, bytes fill it again. What the
 * service itself waits for, R2 or other uploads, does not count; the total does, whatever it was spent on.
 */
export class UploadPace {
  readonly #rules: PaceRules;
  readonly #clock: Clock;
  readonly #end: number;
  /** Milliseconds left to wait for the client. */
  #left: number;

  constructor(rules: PaceRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
    this.#end = clock.now() + rules.totalSeconds * 1000;
    this.#left = rules.pauseSeconds * 1000;
  }

  /**
   * Waits for bytes of the client.
   * @throws RequestError request_timeout; whatever `bytes` throws
   */
  async wait<Bytes extends { readonly length: number }>(bytes: Promise<Bytes>): Promise<Bytes> {
    const started = this.#clock.now();
    const total = this.#end - started;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const tooLate = () => reject(total < this.#left ? this.#tookTooLong() : this.#tooSlow());
    const cancel = this.#clock.timer(Math.max(0, Math.min(this.#left, total)), tooLate);
    try {
      const came = await Promise.race([bytes, late]);
      const earned = (came.length / this.#rules.bytesPerSecond()) * 1000;
      const waited = this.#clock.now() - started;
      this.#left = Math.min(this.#rules.pauseSeconds * 1000, Math.max(0, this.#left - waited) + earned);
      return came;
    } finally {
      cancel();
    }
  }

  #tooSlow(): RequestError {
    const { pauseSeconds } = this.#rules;
    const needed = `at least ${this.#rules.bytesPerSecond() / 1024} KiB a second, after pauses of ${pauseSeconds} seconds in all`;
    const message = `The upload is too slow: ${needed}, are needed. Send the request again over a better connection.`;
    return new RequestError('request_timeout', message);
  }

  #tookTooLong(): RequestError {
    const most = `${this.#rules.totalSeconds / 60} minutes`;
    const message = `The upload took more than ${most}. Send the request again with fewer files, or over a faster connection.`;
    return new RequestError('request_timeout', message);
  }
}
