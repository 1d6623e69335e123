/** A token bucket: `tokens` were in it at `at` (ms since the epoch). */
export interface TokenBucket {
  readonly tokens: number;
  readonly at: number;
}

export type Admission = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/**
 * Takes one token from a bucket that holds up to `perMinute` and refills evenly; a bucket that does not exist yet is full.
 * `retryAfterSeconds` is whole and at least 1: after that long there is a token, if nobody else took it.
 * Throws RangeError unless `perMinute` is 1 or more.
 */
export function takeToken(
  bucket: TokenBucket | undefined,
  perMinute: number,
  now: number,
): { bucket: TokenBucket; admission: Admission } {
  if (!(perMinute >= 1)) throw new RangeError(`Not a rate of 1 a minute or more: ${perMinute}`);
  const tokens = tokensIn(bucket, perMinute, now);
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, at: now }, admission: { allowed: true } };
  const retryAfterSeconds = Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute));
  return { bucket: { tokens, at: now }, admission: { allowed: false, retryAfterSeconds } };
}

/** Whether the bucket may be forgotten: a new one would be the same. */
export function isFull(bucket: TokenBucket, perMinute: number, now: number): boolean {
  return tokensIn(bucket, perMinute, now) >= perMinute;
}

function tokensIn(bucket: TokenBucket | undefined, perMinute: number, now: number): number {
  if (bucket === undefined) return perMinute;
  // A clock that was set back must not take tokens away.
  const elapsed = Math.max(0, now - bucket.at);
  return Math.min(perMinute, bucket.tokens + (elapsed * perMinute) / 60_000);
}
