/** A token bucket: `tokens` were in it at `at` (ms since the epoch). Below 0 it is in debt. */
export interface TokenBucket {
  readonly tokens: number;
  readonly at: number;
}

/** The measure of a bucket: it holds up to `capacity` tokens and refills evenly, from empty to full in `fillMs` milliseconds. */
export interface Refill {
  readonly capacity: number;
  readonly fillMs: number;
}

export type Taken = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** A bucket of so many tokens a minute. Throws RangeError unless it is 1 or more. */
export function perMinute(tokens: number): Refill {
  if (!(tokens >= 1)) throw new RangeError(`Not a rate of 1 a minute or more: ${tokens}`);
  return { capacity: tokens, fillMs: 60_000 };
}

/** Tokens in the bucket at `now` (ms); one that does not exist yet is full. */
export function levelAt(bucket: TokenBucket | undefined, refill: Refill, now: number): number {
  if (bucket === undefined) return refill.capacity;
  // A clock that was set back must not take tokens away.
  const elapsed = Math.max(0, now - bucket.at);
  return Math.min(refill.capacity, bucket.tokens + (elapsed * refill.capacity) / refill.fillMs);
}

/**
 * Takes one token, or none where there is not a whole one. `retryAfterSeconds` is whole and at least 1: after that long there is a
 * token, if nobody else took it.
 */
export function takeToken(
  bucket: TokenBucket | undefined,
  refill: Refill,
  now: number,
): { bucket: TokenBucket; taken: Taken } {
  const tokens = levelAt(bucket, refill, now);
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, at: now }, taken: { allowed: true } };
  const retryAfterSeconds = Math.max(1, Math.ceil(secondsToFill(1 - tokens, refill)));
  return { bucket: { tokens, at: now }, taken: { allowed: false, retryAfterSeconds } };
}

/**
 * Takes `cost` tokens whether they are there or not: what is missing is a debt, of at most what the bucket holds, so that it is made up for in
 * foreseeable time. A negative cost gives tokens back.
 */
export function drain(bucket: TokenBucket | undefined, refill: Refill, cost: number, now: number): TokenBucket {
  const tokens = levelAt(bucket, refill, now) - cost;
  return { tokens: Math.max(-refill.capacity, Math.min(refill.capacity, tokens)), at: now };
}

/** Whether anything is left in the bucket; where nothing is, after how many seconds (whole, at least 1) something will be. */
export function remains(bucket: TokenBucket | undefined, refill: Refill, now: number): Taken {
  const tokens = levelAt(bucket, refill, now);
  if (tokens > 0) return { allowed: true };
  return { allowed: false, retryAfterSeconds: Math.floor(secondsToFill(-tokens, refill)) + 1 };
}

/** Milliseconds from `now` until the bucket is full, so that a new one would be the same. */
export function untilFull(bucket: TokenBucket, refill: Refill, now: number): number {
  return secondsToFill(refill.capacity - levelAt(bucket, refill, now), refill) * 1000;
}

function secondsToFill(tokens: number, { capacity, fillMs }: Refill): number {
  return (tokens * (fillMs / 1000)) / capacity;
}
