import { limits } from '../limits.ts';
import { type PlanId, plans } from './plans.ts';

/** A file that an account has sent by itself, as its ledger knows it. */
export interface KeptUpload {
  readonly id: string;
  /** As sent. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Where it is, in the words of whoever stored it. */
  readonly place: string;
}

/** One that was found; `expired`: no new batch may have it, and what it was is only known for repetitions of older ones. */
export interface FoundUpload extends KeptUpload {
  readonly expired: boolean;
}

export type HoldResult =
  | { readonly kind: 'held' }
  /** `bytes` of `limit` are taken by uploads that are kept or arrive. */
  | { readonly kind: 'full'; readonly bytes: number; readonly limit: number; readonly retryAfterSeconds: number };

/** Milliseconds for which room is held for an upload that arrives: longer than any may take. */
const ARRIVAL_MS = (limits.uploadSeconds + 5 * 60) * 1000;

/**
 * Makes room for an upload of up to `bytes`, or says that the plan has none left. A second time changes nothing. Call it inside a
 * transaction.
 */
export function holdUpload(
  sql: SqlStorage,
  { id, plan, bytes }: { readonly id: string; readonly plan: PlanId; readonly bytes: number },
  now: number,
): HoldResult {
  if (sql.exec('SELECT 1 FROM uploads WHERE id = ?', id).toArray().length > 0) return { kind: 'held' };
  const { taken, soonest } = sql
    .exec<{ taken: number; soonest: number | null }>(
      'SELECT COALESCE(SUM(bytes), 0) AS taken, MIN(expires_at) AS soonest FROM uploads WHERE expires_at > ?',
      now,
    )
    .one();
  const limit = plans[plan].uploadBytes;
  if (taken + counted(bytes) > limit) {
    return {
      kind: 'full',
      bytes: taken,
      limit,
      retryAfterSeconds: Math.max(1, Math.ceil(((soonest ?? now) - now) / 1000)),
    };
  }
  const insert = 'INSERT OR IGNORE INTO uploads (id, bytes, expires_at) VALUES (?, ?, ?)';
  sql.exec(insert, id, counted(bytes), now + ARRIVAL_MS);
  return { kind: 'held' };
}

/** Notes an upload that has arrived. A second time changes nothing. @returns when it expires, ms since the epoch */
export function keepUpload(sql: SqlStorage, { id, name, size, place }: KeptUpload, now: number): number {
  const [kept] = sql.exec<{ expires_at: number }>(
    'SELECT expires_at FROM uploads WHERE id = ? AND place IS NOT NULL',
    id,
  );
  if (kept !== undefined) return kept.expires_at;
  const expiresAt = now + limits.uploadKeepSeconds * 1000;
  const insert = 'INSERT OR REPLACE INTO uploads (id, bytes, expires_at, name, size, place) VALUES (?, ?, ?, ?, ?, ?)';
  sql.exec(insert, id, counted(size), expiresAt, name, size, place);
  return expiresAt;
}

/** Forgets an upload that did not arrive. */
export function dropUpload(sql: SqlStorage, id: string): void {
  sql.exec('DELETE FROM uploads WHERE id = ?', id);
}

/** Those of the uploads that are known, each once. */
export function findUploads(sql: SqlStorage, ids: readonly string[], now: number): FoundUpload[] {
  type Row = { id: string; name: string; size: number; place: string; expires_at: number };
  return [...new Set(ids)].flatMap((id) =>
    sql
      .exec<Row>('SELECT id, name, size, place, expires_at FROM uploads WHERE id = ? AND place IS NOT NULL', id)
      .toArray()
      .map(({ expires_at: expiresAt, ...row }) => ({ ...row, expired: expiresAt <= now })),
  );
}

/** Those of the uploads that no new batch may have. */
export function missingUploads(sql: SqlStorage, ids: readonly string[], now: number): string[] {
  const alive = new Set(findUploads(sql, ids, now).flatMap(({ id, expired }) => (expired ? [] : [id])));
  return [...new Set(ids)].filter((id) => !alive.has(id));
}

/** Many small ones have their price, too. */
function counted(bytes: number): number {
  return Math.max(bytes, limits.uploadLeastBytes);
}
