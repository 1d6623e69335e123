import type { Amount, Reservation } from './balance.ts';
import { dayIn } from './period.ts';

/** What was charged on one day to one key, and the bytes of the files that were processed, as sent and as results. */
export interface UsageDay {
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  readonly keyId: string;
  readonly compressions: number;
  /** Of the month's allowance and of top-ups. */
  readonly aiCredits: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** What a settlement tells for the usage by day. */
export interface DayNote {
  /** The key that sent the batch. */
  keyId?: string;
  /** Bytes of the files that were processed, as sent and as results. */
  bytesIn?: number;
  bytesOut?: number;
}

/** Stands for the key of batches that were begun before keys were noted. */
const UNKNOWN_KEY = 'unknown';

/**
 * What a settlement charges, on the day on which it does; but always in the month to which it is charged, so that the days of a month add
 * up to the month. @param now ms since the epoch
 */
export function chargedOn({ month, ...held }: Reservation, done: Amount & DayNote, now: number): UsageDay {
  return {
    day: dayIn(month, now),
    keyId: done.keyId ?? UNKNOWN_KEY,
    compressions: Math.min(done.compressions, held.compressions),
    aiCredits: Math.min(done.aiCredits, held.aiMonthly + held.aiTopUp),
    bytesIn: done.bytesIn ?? 0,
    bytesOut: done.bytesOut ?? 0,
  };
}

/** Adds to the day's row of the key; what is nothing writes nothing. Call it once for each settlement, inside its transaction. */
export function noteDay(sql: SqlStorage, { day, keyId, compressions, aiCredits, bytesIn, bytesOut }: UsageDay): void {
  if (compressions + aiCredits === 0) return;
  sql.exec(
    `INSERT INTO days (day, key_id, compressions, ai_credits, bytes_in, bytes_out) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, key_id) DO UPDATE SET
       compressions = compressions + excluded.compressions, ai_credits = ai_credits + excluded.ai_credits,
       bytes_in = bytes_in + excluded.bytes_in, bytes_out = bytes_out + excluded.bytes_out`,
    day,
    keyId,
    compressions,
    aiCredits,
    bytesIn,
    bytesOut,
  );
}

/** The rows of days from `from` to `to`, both included; the oldest first. */
export function listDays(sql: SqlStorage, from: string, to: string): UsageDay[] {
  type Row = {
    day: string;
    key_id: string;
    compressions: number;
    ai_credits: number;
    bytes_in: number;
    bytes_out: number;
  };
  const rows = sql.exec<Row>('SELECT * FROM days WHERE day BETWEEN ? AND ? ORDER BY day, key_id', from, to);
  return rows.toArray().map((row) => ({
    day: row.day,
    keyId: row.key_id,
    compressions: row.compressions,
    aiCredits: row.ai_credits,
    bytesIn: row.bytes_in,
    bytesOut: row.bytes_out,
  }));
}
