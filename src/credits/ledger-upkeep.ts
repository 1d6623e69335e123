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
 * settlements older than `memory` (ms), months long past, buckets that are full again. Call it inside a transaction.
 */
export function removeOutdated(sql: SqlStorage, now: number, memory: number): void {
  sql.exec('DELETE FROM reservations WHERE settled_at IS NULL AND expires_at <= ?', now);
  sql.exec('DELETE FROM reservations WHERE settled_at IS NOT NULL AND settled_at <= ?', now - memory);
  forgetLost(sql);
  sql.exec('DELETE FROM idempotency WHERE finished_at IS NOT NULL AND finished_at <= ?', now - memory);
  sql.exec('DELETE FROM batches WHERE created_at <= ?', now - memory);
  sql.exec('DELETE FROM buckets WHERE full_at <= ?', now);
  sql.exec('DELETE FROM months WHERE month < ?', monthsBefore(now, monthsKept));
  sql.exec('DELETE FROM days WHERE day < ?', monthsBefore(now, monthsKept));
}

/** When (ms) `removeOutdated` next has something to do; null when nothing waits for time to pass. */
export function nextUpkeep(sql: SqlStorage, memory: number): number | null {
  return sql
    .exec<{ due: number | null }>(
      `SELECT MIN(due) AS due FROM (
         SELECT MIN(expires_at) AS due FROM reservations WHERE settled_at IS NULL
         UNION ALL SELECT MIN(settled_at) + ?1 FROM reservations WHERE settled_at IS NOT NULL
         UNION ALL SELECT MIN(finished_at) + ?1 FROM idempotency WHERE finished_at IS NOT NULL
         UNION ALL SELECT MIN(created_at) + ?1 FROM batches
         UNION ALL SELECT MIN(full_at) + ?2 FROM buckets)`,
      memory,
      bucketsWait,
    )
    .one().due;
}
