import type { IdempotencyRecord, StoredResponse } from './idempotency.ts';

/** What is recorded under an Idempotency-Key, whether it still counts or not. */
export function findRecord(sql: SqlStorage, key: string): IdempotencyRecord | undefined {
  type Row = { request_id: string; fingerprint: string; finished_at: number | null; response: string | null };
  const [row] = sql.exec<Row>('SELECT * FROM idempotency WHERE key = ?', key);
  if (row === undefined) return undefined;
  const { request_id: requestId, fingerprint, finished_at: at, response } = row;
  const finished = at === null || response === null ? null : { at, response: JSON.parse(response) as StoredResponse };
  return { requestId, fingerprint, finished };
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

/** Keeps the response for repetitions; without one there is nothing to repeat, and the key is forgotten. */
export function finishRecord(
  sql: SqlStorage,
  requestId: string,
  response: StoredResponse | undefined,
  now: number,
): void {
  if (response === undefined) {
    forgetRunning(sql, requestId);
    return;
  }
  const update = 'UPDATE idempotency SET finished_at = ?, response = ? WHERE request_id = ?';
  sql.exec(update, now, JSON.stringify(response), requestId);
}

/** Forgets that the request runs, so that its key may be used again. A finished one stays. */
export function forgetRunning(sql: SqlStorage, requestId: string): void {
  sql.exec('DELETE FROM idempotency WHERE request_id = ? AND finished_at IS NULL', requestId);
}
