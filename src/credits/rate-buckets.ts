import { findBucket, saveBucket } from './ledger-buckets.ts';
import { type Refill, type Taken, type TokenBucket, takeToken, untilFull } from './token-bucket.ts';

/**
 * Milliseconds of idleness before which no object is evicted. What such a pause refills need not be stored: by the time the
 * memory of it can be gone it would be there again.
 */
const shortestIdleness = 10_000;

const bucketsKept = 1000;

/**
 * The token buckets of an account's keys: in memory, and those far from full in the ledger's storage too, so that the rate
 * holds when the object is evicted. At 600 calls a minute a key that is fewer than 100 calls ahead of its rate writes nothing; past that
 * each call that is let in writes one row, and one that is refused none.
 */
export class RateBuckets {
  readonly #sql: SqlStorage;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Takes one call of the key's. `stored` tells whether a row was written. */
  take(keyId: string, refill: Refill, now: number): { taken: Taken; stored: boolean } {
    const id = `rate/${keyId}`;
    const { bucket, taken } = takeToken(this.#buckets.get(id) ?? findBucket(this.#sql, id), refill, now);
    const stored = taken.allowed && untilFull(bucket, refill, now) > shortestIdleness;
    if (stored) saveBucket(this.#sql, id, bucket, refill);
    this.#buckets.set(id, bucket);
    if (this.#buckets.size > bucketsKept) this.#forgetFull(refill, now);
    return { taken, stored };
  }

  #forgetFull(refill: Refill, now: number): void {
    for (const [id, bucket] of this.#buckets) {
      if (untilFull(bucket, refill, now) <= 0) this.#buckets.delete(id);
    }
  }
}
