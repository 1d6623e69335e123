import { forgetLost } from './ledger-idempotency.ts';
import { monthsBefore } from './period.ts';

/** Months whose counters, and those of their days, stay readable after they have ended. */
const monthsKept = 12;

/**
 * Milliseconds for which the row of a full bucket may wait for its removal: an alarm costs what a row costs, so an account that is at
 * its rate all day sets six an hour and not sixty.
 */
const bucketsWait = 600_000;

/**
 * Removes what no longer counts at `now` (ms): expired reservations and the running records that belong to them, records, batches and
 * settlements older than `memory` (ms), uploads that expired before it, months long past, buckets that are full again. Call it inside a transaction.
 */
export function removeOutdated(sql: SqlStorage, now: number, memory: number): void {
  sql.exec('DELETE FROM reservations WHERE settled_at IS NULL AND expires_at <= ?', now);
  sql.exec('DELETE FROM reservations WHERE settled_at IS NOT NULL AND settled_at <= ?', now - memory);
  forgetLost(sql);
  sql.exec('DELETE FROM idempotency WHERE finished_at IS NOT NULL AND finished_at <= ?', now - memory);
  sql.exec('DELETE FROM batches WHERE created_at <= ?', now - memory);
  sql.exec('DELETE FROM uploads WHERE expires_at <= ?', now - memory);
  sql.exec('DELETE FROM buckets WHERE full_at <= ?', now);
  sql.exec('DELETE FROM months WHERE month < ?', monthsBefore(now, monthsKept));
  sql.exec('DELETE FROM days WHERE day < ?', monthsBefore(now, monthsKept));
}

/** When (ms) `removeOutdated` next has something to do; null when nothing waits for time to pass. */
export function nextUpkeep(sql: SqlStorage, memory: number): number | null {
  // One query each: a UNION of them would have more terms than the platform's SQLite takes, which is five.
  const dues = [
    soonest(sql, 'SELECT MIN(expires_at) AS at FROM reservations WHERE settled_at IS NULL', 0),
    soonest(sql, 'SELECT MIN(settled_at) AS at FROM reservations WHERE settled_at IS NOT NULL', memory),
    soonest(sql, 'SELECT MIN(finished_at) AS at FROM idempotency WHERE finished_at IS NOT NULL', memory),
    soonest(sql, 'SELECT MIN(created_at) AS at FROM batches', memory),
    soonest(sql, 'SELECT MIN(expires_at) AS at FROM uploads', memory),
    soonest(sql, 'SELECT MIN(full_at) AS at FROM buckets', bucketsWait),
  ].filter((due) => due !== null);
  return dues.length === 0 ? null : Math.min(...dues);
}

function soonest(sql: SqlStorage, query: string, wait: number): number | null {
  const { at } = sql.exec<{ at: number | null }>(query).one();
  return at === null ? null : at + wait;
}
