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
  /** Only while it runs: the request that it takes up, which has the key again if this one is lost, and when that one finished. */
  readonly earlier?: { readonly requestId: string; readonly at: number };
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
  const standing = record && standingRecord(record, holds);
  if (standing === undefined || isForgotten(standing, clock)) return { kind: 'fresh' };
  const { requestId, finished, earlier } = standing;
  if (standing.fingerprint !== request.fingerprint) return { kind: 'mismatch' };
  // The same call delivered twice is the same request, not a second one, and takes up what it took up.
  if (requestId === request.requestId) {
    const repeats = earlier === undefined || earlier.requestId === request.resumes;
    return repeats ? { kind: 'fresh' } : { kind: 'resume', requestId: earlier.requestId };
  }
  if (finished === null) return { kind: 'conflict', requestId };
  if (finished.complete) return { kind: 'replay', requestId };
  return requestId === request.resumes ? { kind: 'fresh' } : { kind: 'resume', requestId };
}

/** What still stands of a record: of a request that was lost, the one that it took up. */
export function standingRecord(record: IdempotencyRecord, holds: boolean): IdempotencyRecord | undefined {
  if (record.finished !== null || holds) return record;
  const { fingerprint, earlier } = record;
  return earlier && { fingerprint, requestId: earlier.requestId, finished: { at: earlier.at, complete: false } };
}

/** What a request that begins is recorded with: the one that it takes up, and still takes up when it is repeated. */
export function earlierOf(record: IdempotencyRecord | undefined, request: KeyedRequest): IdempotencyRecord['earlier'] {
  if (record?.requestId === request.requestId) return record.earlier;
  if (record === undefined || record.finished === null || record.requestId !== request.resumes) return undefined;
  return { requestId: record.requestId, at: record.finished.at };
}

function isForgotten({ finished }: IdempotencyRecord, clock: { now: number; memory: number }): boolean {
  return finished !== null && finished.at + clock.memory <= clock.now;
}
