import { ApiError, ConnectionError, TimeoutError } from './errors.ts';

export interface RetryPolicy {
  /** How often a call is sent at the most, the first time included. */
  readonly tries: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** @throws what `signal` aborts with */
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** A server that asks for more than this is answered with its own error: nobody waits that long in front of a call. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const repeatable: readonly number[] = [408, 429];

/**
 * Calls until it works, with full jitter between the tries; `Retry-After` wins over it. Only what may help is repeated: no connection,
 * silence, 408, 409, 429 and 5xx.
 * @throws the last error
 */
export async function withRetries<Result>(
  call: () => Promise<Result>,
  { tries, random, sleep }: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let made = 1; ; made++) {
    try {
      return await call();
    } catch (error) {
      const pause = pauseAfter(error, made, random);
      if (made >= tries || pause === undefined || signal?.aborted) throw error;
      await sleep(pause, signal);
    }
  }
}

function pauseAfter(error: unknown, made: number, random: () => number): number | undefined {
  const jitter = random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (made - 1));
  if (error instanceof ConnectionError || error instanceof TimeoutError) return jitter;
  if (!(error instanceof ApiError) || !isRepeatable(error)) return undefined;
  if (error.retryAfterMs === undefined) return jitter;
  return error.retryAfterMs <= LONGEST_RETRY_AFTER_MS ? error.retryAfterMs : undefined;
}

/** A 409 of another code stays one until something else changes. */
function isRepeatable({ status, code }: ApiError): boolean {
  return status >= 500 || repeatable.includes(status) || code === 'idempotency_conflict';
}

/** Waits. @throws what `signal` aborts with */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
