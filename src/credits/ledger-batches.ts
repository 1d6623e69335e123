/** A batch of the account, as its ledger knows it: what became of its files is in the batch's own object. */
export interface ListedBatch {
  /** The request that made it. */
  readonly id: string;
  readonly files: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly state: 'running' | 'done';
}

/** Where a page of batches begins: after this one, newest first. */
export interface BatchCursor {
  readonly createdAt: number;
  readonly id: string;
}

/** Notes a batch; a second time changes nothing. */
export function noteBatch(sql: SqlStorage, { id, files, createdAt }: Omit<ListedBatch, 'state'>): void {
  sql.exec('INSERT OR IGNORE INTO batches (request_id, files, created_at) VALUES (?, ?, ?)', id, files, createdAt);
}

/** Forgets a batch that did not come to anything. */
export function dropBatch(sql: SqlStorage, id: string): void {
  sql.exec('DELETE FROM batches WHERE request_id = ?', id);
}

/** Up to `limit` batches made after `since` (ms), newest first, those that follow `after`. */
export function listBatches(
  sql: SqlStorage,
  { limit, now, since, after }: { limit: number; now: number; since: number; after?: BatchCursor },
): ListedBatch[] {
  type Row = { request_id: string; files: number; created_at: number; running: number };
  const rows = sql.exec<Row>(
    `SELECT request_id, files, created_at, EXISTS (
              SELECT 1 FROM reservations
               WHERE reservations.request_id = batches.request_id AND settled_at IS NULL AND expires_at > ?5
            ) AS running
       FROM batches
      WHERE created_at > ?1 AND (created_at, request_id) < (?2, ?3)
      ORDER BY created_at DESC, request_id DESC LIMIT ?4`,
    since,
    after?.createdAt ?? Number.MAX_SAFE_INTEGER,
    after?.id ?? '',
    limit,
    now,
  );
  return rows.toArray().map((row) => ({
    id: row.request_id,
    files: row.files,
    createdAt: row.created_at,
    state: row.running !== 0 ? 'running' : 'done',
  }));
}
