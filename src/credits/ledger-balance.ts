import type { Balance, Held, Reservation, Spent } from './balance.ts';
import type { PlanId } from './plans.ts';

/** The request or top-up that an operation is about. */
export interface Subject {
  requestId?: string;
  reference?: string;
}

/**
 * Reads the counters at `now` (ms): every month kept, the subject's own reservation and reference, and the sum of what
 * all other requests hold, so that an operation costs the same however many requests are under way.
 */
export function loadBalance(sql: SqlStorage, { requestId, reference }: Subject, now: number): Balance {
  return {
    months: loadMonths(sql),
    reservations: requestId === undefined ? new Map() : loadReservation(sql, requestId),
    othersHeld: loadHeld(sql, requestId, now),
    topUp: sql.exec<{ ai_credits: number }>('SELECT ai_credits FROM top_up_balance').one().ai_credits,
    references: reference === undefined ? new Set() : loadReference(sql, reference),
  };
}

/** Whether the request has a reservation that is neither settled nor expired at `now` (ms). */
export function isHeld(sql: SqlStorage, requestId: string, now: number): boolean {
  const [reservation] = loadReservation(sql, requestId).values();
  return reservation !== undefined && reservation.settledAt === null && reservation.expiresAt > now;
}

/** Files that all other requests hold at `now` (ms). */
export function heldFiles(sql: SqlStorage, except: string, now: number): number {
  let files = 0;
  for (const { compressions } of loadHeld(sql, except, now).values()) files += compressions;
  return files;
}

/** Writes what differs between two balances, the second made from the first. Call it inside a transaction. */
export function saveBalance(sql: SqlStorage, before: Balance, after: Balance): void {
  for (const requestId of before.reservations.keys()) {
    if (!after.reservations.has(requestId)) sql.exec('DELETE FROM reservations WHERE request_id = ?', requestId);
  }
  for (const [requestId, reservation] of after.reservations) {
    if (before.reservations.get(requestId) !== reservation) saveReservation(sql, reservation);
  }
  for (const [month, spent] of after.months) {
    if (before.months.get(month) !== spent) saveMonth(sql, month, spent);
  }
  if (before.topUp !== after.topUp) sql.exec('UPDATE top_up_balance SET ai_credits = ?', after.topUp);
}

function loadMonths(sql: SqlStorage): Map<string, Spent> {
  const rows = sql.exec<{ month: string; compressions: number; ai_credits: number }>('SELECT * FROM months');
  return new Map(
    rows.toArray().map((row) => [row.month, { compressions: row.compressions, aiCredits: row.ai_credits }]),
  );
}

type ReservationRow = {
  request_id: string;
  plan: string;
  month: string;
  compressions: number;
  ai_monthly: number;
  ai_top_up: number;
  expires_at: number;
  settled_at: number | null;
};

function loadReservation(sql: SqlStorage, requestId: string): Map<string, Reservation> {
  const rows = sql.exec<ReservationRow>('SELECT * FROM reservations WHERE request_id = ?', requestId).toArray();
  return new Map(rows.map((row) => [row.request_id, toReservation(row)]));
}

function loadHeld(sql: SqlStorage, except: string | undefined, now: number): Map<string, Held> {
  const rows = sql.exec<{ month: string; compressions: number; ai_monthly: number; ai_top_up: number }>(
    `SELECT month, SUM(compressions) AS compressions, SUM(ai_monthly) AS ai_monthly, SUM(ai_top_up) AS ai_top_up
       FROM reservations WHERE settled_at IS NULL AND expires_at > ? AND request_id <> ? GROUP BY month`,
    now,
    except ?? '',
  );
  return new Map(
    rows
      .toArray()
      .map((row) => [row.month, { compressions: row.compressions, aiMonthly: row.ai_monthly, aiTopUp: row.ai_top_up }]),
  );
}

function toReservation(row: ReservationRow): Reservation {
  return {
    requestId: row.request_id,
    plan: row.plan as PlanId,
    month: row.month,
    compressions: row.compressions,
    aiMonthly: row.ai_monthly,
    aiTopUp: row.ai_top_up,
    expiresAt: row.expires_at,
    settledAt: row.settled_at,
  };
}

function loadReference(sql: SqlStorage, reference: string): Set<string> {
  const rows = sql.exec<{ reference: string }>('SELECT reference FROM top_ups WHERE reference = ?', reference);
  return new Set(rows.toArray().map((row) => row.reference));
}

function saveReservation(sql: SqlStorage, reservation: Reservation): void {
  sql.exec(
    `INSERT OR REPLACE INTO reservations
       (request_id, plan, month, compressions, ai_monthly, ai_top_up, expires_at, settled_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    reservation.requestId,
    reservation.plan,
    reservation.month,
    reservation.compressions,
    reservation.aiMonthly,
    reservation.aiTopUp,
    reservation.expiresAt,
    reservation.settledAt,
  );
}

function saveMonth(sql: SqlStorage, month: string, spent: Spent): void {
  sql.exec(
    'INSERT OR REPLACE INTO months (month, compressions, ai_credits) VALUES (?, ?, ?)',
    month,
    spent.compressions,
    spent.aiCredits,
  );
}
