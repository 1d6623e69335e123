import type { IdempotencyRecord } from './idempotency.ts';

/** What is recorded under an Idempotency-Key, whether it still counts or not. */
export function findRecord(sql: SqlStorage, key: string): IdempotencyRecord | undefined {
  type Row = { request_id: string; fingerprint: string; finished_at: number | null; complete: number };
  const [row] = sql.exec<Row>(
    'SELECT request_id, fingerprint, finished_at, complete FROM idempotency WHERE key = ?',
    key,
  );
  if (row === undefined) return undefined;
  const { request_id: requestId, fingerprint, finished_at: at, complete } = row;
  return { requestId, fingerprint, finished: at === null ? null : { at, complete: complete !== 0 } };
}

/** Records that a request runs under the key, in place of what was there. */
export function startRecord(sql: SqlStorage, key: string, requestId: string, fingerprint: string): void {
  sql.exec(
    'INSERT OR REPLACE INTO idempotency (key, request_id, fingerprint) VALUES (?, ?, ?)',
    key,
    requestId,
    fingerprint,
  );
}

/** Records that the request under the key has ended. @param complete see `IdempotencyRecord` */
export function finishRecord(sql: SqlStorage, requestId: string, complete: boolean, now: number): void {
  const update = 'UPDATE idempotency SET finished_at = ?, complete = ? WHERE request_id = ?';
  sql.exec(update, now, complete ? 1 : 0, requestId);
}

/** Forgets that the request runs, so that its key may be used again. A finished one stays. */
export function forgetRunning(sql: SqlStorage, requestId: string): void {
  sql.exec('DELETE FROM idempotency WHERE request_id = ? AND finished_at IS NULL', requestId);
}
