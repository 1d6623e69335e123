/** The response that a request was answered with, as it is sent again. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What is known of an Idempotency-Key. `finished` is null while its first request runs. */
export interface IdempotencyRecord {
  readonly requestId: string;
  readonly fingerprint: string;
  readonly finished: { readonly at: number; readonly response: StoredResponse } | null;
}

export type IdempotencyVerdict =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'replay'; readonly response: StoredResponse }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'mismatch' };

/**
 * Decides what a request with a known Idempotency-Key gets. Another request under the key is a mismatch even while the first
 * one runs: trying again later would not help it. `holds` tells whether the first request's reservation is still held; a
 * running record without one belongs to a request that was lost, and is as good as none. `memory` and times are in ms.
 */
export function judgeIdempotency(
  record: IdempotencyRecord | undefined,
  request: { readonly requestId: string; readonly fingerprint: string },
  holds: boolean,
  clock: { readonly now: number; readonly memory: number },
): IdempotencyVerdict {
  if (record === undefined || isForgotten(record, holds, clock)) return { kind: 'fresh' };
  if (record.fingerprint !== request.fingerprint) return { kind: 'mismatch' };
  if (record.finished !== null) return { kind: 'replay', response: record.finished.response };
  // The same call delivered twice is the same request, not a second one.
  return record.requestId === request.requestId ? { kind: 'fresh' } : { kind: 'conflict' };
}

function isForgotten(record: IdempotencyRecord, holds: boolean, clock: { now: number; memory: number }): boolean {
  return record.finished === null ? !holds : record.finished.at + clock.memory <= clock.now;
}
