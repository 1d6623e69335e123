import type { IdempotencyRecord } from './idempotency.ts';

/** What is recorded under an Idempotency-Key, whether it still counts or not. */
export function findRecord(sql: SqlStorage, key: string): IdempotencyRecord | undefined {
  type Row = {
    request_id: string;
    fingerprint: string;
    finished_at: number | null;
    complete: number;
    earlier: string | null;
    earlier_at: number | null;
  };
  const [row] = sql.exec<Row>('SELECT * FROM idempotency WHERE key = ?', key);
  if (row === undefined) return undefined;
  const { request_id: requestId, fingerprint, finished_at: at, complete, earlier, earlier_at: earlierAt } = row;
  return {
    requestId,
    fingerprint,
    finished: at === null ? null : { at, complete: complete !== 0 },
    ...(earlier !== null && earlierAt !== null && { earlier: { requestId: earlier, at: earlierAt } }),
  };
}

/** Records that a request runs under the key, in place of what was there. */
export function startRecord(
  sql: SqlStorage,
  key: string,
  { requestId, fingerprint, earlier }: Omit<IdempotencyRecord, 'finished'>,
): void {
  sql.exec(
    'INSERT OR REPLACE INTO idempotency (key, request_id, fingerprint, earlier, earlier_at) VALUES (?, ?, ?, ?, ?)',
    key,
    requestId,
    fingerprint,
    earlier?.requestId ?? null,
    earlier?.at ?? null,
  );
}

/** Records that the request under the key has ended. @param complete see `IdempotencyRecord` */
export function finishRecord(sql: SqlStorage, requestId: string, complete: boolean, now: number): void {
  sql.exec(
    'UPDATE idempotency SET finished_at = ?, complete = ?, earlier = NULL, earlier_at = NULL WHERE request_id = ?',
    now,
    complete ? 1 : 0,
    requestId,
  );
}

/** Forgets that the request runs, so that its key may be used again: by whoever takes up the earlier one. A finished one stays. */
export function forgetRunning(sql: SqlStorage, requestId: string): void {
  forgetWhere(sql, 'request_id = ?', requestId);
}

/** Forgets all requests that run and hold nothing any more. */
export function forgetLost(sql: SqlStorage): void {
  forgetWhere(sql, 'request_id NOT IN (SELECT request_id FROM reservations WHERE settled_at IS NULL)');
}

function forgetWhere(sql: SqlStorage, condition: string, ...values: string[]): void {
  sql.exec(
    `UPDATE idempotency
        SET request_id = earlier, finished_at = earlier_at, complete = 0, earlier = NULL, earlier_at = NULL
      WHERE finished_at IS NULL AND earlier IS NOT NULL AND ${condition}`,
    ...values,
  );
  sql.exec(`DELETE FROM idempotency WHERE finished_at IS NULL AND ${condition}`, ...values);
}
