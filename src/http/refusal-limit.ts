import { drain, perMinute, type TokenBucket, takeToken } from '../credits/token-bucket.ts';
import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
import { callPlatform, type Patience, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import type { Log } from './log-request.ts';

/** About 1 MB of them. Whoever has more addresses than this is not to be stopped by address. */
const addressesKept = 4096;

/** The answer is a few milliseconds away or not worth waiting for: the memory of the isolate counts too. */
const patience: Patience = { tries: 1, limitMs: 500, backOffMs: 0 };

const refill = perMinute(limits.refusalsPerMinute);
const lookUpRefill = perMinute(limits.vainLookUpsPerMinute);

export interface RefusalLimitServices {
  /** The platform's counter, which all isolates of a location share; absent where none is bound. */
  readonly counter: RateLimit | undefined;
  /** Milliseconds. */
  now(): number;
  readonly log: Log;
  readonly shell?: PlatformShell;
}

/**
 * Counts requests that are refused for their key or token, by address, so that guessing costs us next to nothing: past the limit
 * they are answered before anything is looked up.
 */
export class RefusalLimit {
  readonly #services: RefusalLimitServices;
  /** The address used last comes last. */
  readonly #buckets = new Map<string, TokenBucket>();
  #lookUps: TokenBucket | undefined;

  constructor(services: RefusalLimitServices) {
    this.#services = services;
  }

  /**
   * Counts a refusal, or what may become one: taken before the look-up, so that a thousand guesses at the same moment do not pass.
   * @throws RequestError rate_limited
   */
  take(address: string): void {
    const { bucket, taken } = takeToken(this.#buckets.get(address), refill, this.#services.now());
    this.#put(address, bucket);
    if (taken.allowed) return;
    const { retryAfterSeconds } = taken;
    const message = `Too many requests from your address were refused for their key. Check the key; try again in ${retryAfterSeconds} s.`;
    throw new RequestError('rate_limited', message, { retryAfterSeconds });
  }

  /** It became none. */
  giveBack(address: string): void {
    this.#put(address, drain(this.#buckets.get(address), refill, -1, this.#services.now()));
  }

  /**
   * Counts a look-up of a key that this isolate does not know: as a refusal of the address, and against what all addresses may look up
   * in vain.
   * @throws RequestError rate_limited, service_busy
   */
  takeLookUp(address: string): void {
    this.take(address);
    const { bucket, taken } = takeToken(this.#lookUps, lookUpRefill, this.#services.now());
    this.#lookUps = bucket;
    if (taken.allowed) return;
    this.giveBack(address);
    const { retryAfterSeconds } = taken;
    const message = `Too many unknown keys are sent to the service at the moment, and yours could not be checked. Try again in ${retryAfterSeconds} s.`;
    throw new RequestError('service_busy', message, { retryAfterSeconds });
  }

  /** It found a key. */
  giveBackLookUp(address: string): void {
    this.giveBack(address);
    this.#lookUps = drain(this.#lookUps, lookUpRefill, -1, this.#services.now());
  }

  /** Tells the platform's counter of a refusal; where that has had enough of the address, so has this isolate. Never throws. */
  async report(address: string): Promise<void> {
    const { counter, now, log, shell = platformShell } = this.#services;
    if (counter === undefined) return;
    try {
      const { success } = await callPlatform('rate limit', () => counter.limit({ key: address }), patience, shell);
      if (!success) this.#put(address, { tokens: 0, at: now() });
    } catch (error) {
      log({ level: 'error', error: String(error) });
    }
  }

  #put(address: string, bucket: TokenBucket): void {
    this.#buckets.delete(address);
    this.#buckets.set(address, bucket);
    if (this.#buckets.size <= addressesKept) return;
    const [unusedLongest] = this.#buckets.keys();
    if (unusedLongest !== undefined) this.#buckets.delete(unusedLongest);
  }
}
