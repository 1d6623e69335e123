/** What is known of an Idempotency-Key. `finished` is null while its request runs. */
export interface IdempotencyRecord {
  /** The request that runs under the key or ran under it last. */
  readonly requestId: string;
  readonly fingerprint: string;
  readonly finished: {
    /** ms since the epoch. */
    readonly at: number;
    /** Whether nothing failed for a reason of ours: what did is worth doing again. */
    readonly complete: boolean;
  } | null;
}

export type IdempotencyVerdict =
  | { readonly kind: 'fresh' }
  /** The answer of an earlier request is given again. */
  | { readonly kind: 'replay'; readonly requestId: string }
  /** Of an earlier request only what failed for a reason of ours is done again. */
  | { readonly kind: 'resume'; readonly requestId: string }
  | { readonly kind: 'conflict'; readonly requestId: string }
  | { readonly kind: 'mismatch' };

/** A request that comes with an Idempotency-Key. */
export interface KeyedRequest {
  readonly requestId: string;
  readonly fingerprint: string;
  /** The earlier request that this one takes up, after a verdict `resume`. */
  readonly resumes?: string;
}

/**
 * Decides what a request with a known Idempotency-Key gets. Another request under the key is a mismatch even while the first
 * one runs: trying again later would not help it. `holds` tells whether the first request's reservation is still held; a
 * running record without one belongs to a request that was lost, and is as good as none. `memory` and times are in ms.
 */
export function judgeIdempotency(
  record: IdempotencyRecord | undefined,
  request: KeyedRequest,
  holds: boolean,
  clock: { readonly now: number; readonly memory: number },
): IdempotencyVerdict {
  if (record === undefined || isForgotten(record, holds, clock)) return { kind: 'fresh' };
  const { requestId, finished } = record;
  if (record.fingerprint !== request.fingerprint) return { kind: 'mismatch' };
  // The same call delivered twice is the same request, not a second one.
  if (requestId === request.requestId) return { kind: 'fresh' };
  if (finished === null) return { kind: 'conflict', requestId };
  if (finished.complete) return { kind: 'replay', requestId };
  return requestId === request.resumes ? { kind: 'fresh' } : { kind: 'resume', requestId };
}

function isForgotten(record: IdempotencyRecord, holds: boolean, clock: { now: number; memory: number }): boolean {
  return record.finished === null ? !holds : record.finished.at + clock.memory <= clock.now;
}
