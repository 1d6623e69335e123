import { periodOf } from './period.ts';
import { type PlanId, plans } from './plans.ts';
import type { Usage } from './usage.ts';

/** What was settled in one month. `aiCredits` counts the monthly allowance only, never top-ups. */
export interface Spent {
  readonly compressions: number;
  readonly aiCredits: number;
}

/** An amount of both things that are counted; whole numbers, 0 or more. */
export interface Amount {
  readonly compressions: number;
  readonly aiCredits: number;
}

/** What is held, of compressions, of the month's AI credits and of the top-ups. */
export interface Held {
  readonly compressions: number;
  readonly aiMonthly: number;
  readonly aiTopUp: number;
}

/** What one request holds until it is settled, released or expires; afterwards the memory that it was settled. */
export interface Reservation extends Held {
  readonly requestId: string;
  /** The plan when it was reserved. */
  readonly plan: PlanId;
  /** `YYYY-MM` in which it was reserved, and which it is charged to, whenever it is settled. */
  readonly month: string;
  /** ms since the epoch. */
  readonly expiresAt: number;
  /** ms since the epoch; null while it holds. A settled one counts for nothing: its charge is in `months`. */
  readonly settledAt: number | null;
}

/**
 * An account's counters. Immutable: every operation returns another one. What the operation at hand does not ask for may be
 * left out: settled reservations, references, and of those that hold everything but their sum.
 */
export interface Balance {
  readonly months: ReadonlyMap<string, Spent>;
  readonly reservations: ReadonlyMap<string, Reservation>;
  /** Sums by month of reservations that hold and are not in `reservations`. */
  readonly othersHeld: ReadonlyMap<string, Held>;
  /** AI credits bought and not spent; those held by reservations are still in it. */
  readonly topUp: number;
  /** References of the top-ups that were added. */
  readonly references: ReadonlySet<string>;
}

export const emptyBalance: Balance = {
  months: new Map(),
  reservations: new Map(),
  othersHeld: new Map(),
  topUp: 0,
  references: new Set(),
};

export interface Ask extends Amount {
  readonly requestId: string;
  readonly plan: PlanId;
  /** ms since the epoch. */
  readonly expiresAt: number;
}

export type Reserved =
  | { readonly kind: 'reserved'; readonly balance: Balance }
  | { readonly kind: 'refused'; readonly code: 'no_credits' | 'plan_limit_reached'; readonly balance: Balance };

/**
 * Holds all that a request may cost, or nothing. AI credits come from the month's allowance first, then from top-ups, and are
 * checked before compressions. The same request twice holds once; one that was settled holds no more.
 * Throws RangeError for amounts that are not whole numbers of 0 or more.
 */
export function reserve(balance: Balance, ask: Ask, now: number): Reserved {
  assertAmount(ask);
  const live = expire(balance, now);
  if (live.reservations.has(ask.requestId)) return { kind: 'reserved', balance: live };
  const { month } = periodOf(now);
  const free = freeIn(live, ask.plan, month);
  if (ask.aiCredits > free.aiMonthly + free.aiTopUp) return { kind: 'refused', code: 'no_credits', balance: live };
  if (ask.compressions > free.compressions) return { kind: 'refused', code: 'plan_limit_reached', balance: live };
  const aiMonthly = Math.min(ask.aiCredits, free.aiMonthly);
  const reservation: Reservation = {
    requestId: ask.requestId,
    plan: ask.plan,
    month,
    compressions: ask.compressions,
    aiMonthly,
    aiTopUp: ask.aiCredits - aiMonthly,
    expiresAt: ask.expiresAt,
    settledAt: null,
  };
  return { kind: 'reserved', balance: withReservation(live, reservation) };
}

/**
 * Charges what was done and gives the rest back; AI credits given back are top-ups first, because those do not lapse. Never charges more than was
 * reserved. `reservation` is undefined when it expired or never was: nothing is charged then. A second time changes nothing.
 * Throws RangeError for amounts that are not whole numbers of 0 or more.
 */
export function settle(
  balance: Balance,
  requestId: string,
  done: Amount,
  now: number,
): { readonly reservation: Reservation | undefined; readonly balance: Balance } {
  assertAmount(done);
  const live = expire(balance, now);
  const held = live.reservations.get(requestId);
  if (held === undefined || held.settledAt !== null) return { reservation: held, balance: live };
  const spent = live.months.get(held.month) ?? { compressions: 0, aiCredits: 0 };
  const aiMonthly = Math.min(done.aiCredits, held.aiMonthly);
  const aiTopUp = Math.min(done.aiCredits - aiMonthly, held.aiTopUp);
  const months = new Map(live.months).set(held.month, {
    compressions: spent.compressions + Math.min(done.compressions, held.compressions),
    aiCredits: spent.aiCredits + aiMonthly,
  });
  const charged = { ...live, months, topUp: live.topUp - aiTopUp };
  const reservation = { ...held, settledAt: now };
  return { reservation, balance: withReservation(charged, reservation) };
}

/**
 * Lets a request hold what it holds until `expiresAt` (ms), never less long than before. `expiresAt` of the answer is undefined
 * when it holds nothing any more: it expired, was settled, or never was.
 */
export function extend(
  balance: Balance,
  requestId: string,
  expiresAt: number,
  now: number,
): { readonly expiresAt: number | undefined; readonly balance: Balance } {
  const live = expire(balance, now);
  const held = live.reservations.get(requestId);
  if (held === undefined || held.settledAt !== null) return { expiresAt: undefined, balance: live };
  if (expiresAt <= held.expiresAt) return { expiresAt: held.expiresAt, balance: live };
  return { expiresAt, balance: withReservation(live, { ...held, expiresAt }) };
}

/** Gives all back that the request holds. Does nothing when it holds nothing. */
export function release(balance: Balance, requestId: string): Balance {
  const held = balance.reservations.get(requestId);
  return held === undefined || held.settledAt !== null ? balance : keepReservations(balance, (other) => other !== held);
}

/** Adds AI credits that do not lapse, once for each `reference`. Throws RangeError unless `aiCredits` is a whole number of 0 or more. */
export function topUp(balance: Balance, reference: string, aiCredits: number): Balance {
  assertWhole(aiCredits);
  assertWhole(balance.topUp + aiCredits);
  if (balance.references.has(reference)) return balance;
  const references = new Set(balance.references).add(reference);
  return { ...balance, topUp: balance.topUp + aiCredits, references };
}

/** Drops what is held past its time: a lost request costs nothing. */
export function expire(balance: Balance, now: number): Balance {
  return keepReservations(balance, (held) => held.settledAt !== null || held.expiresAt > now);
}

/** Where the account stands at `now` (ms) on `plan`; a plan's limits hold from the moment of the change. */
export function usageOf(balance: Balance, plan: PlanId, now: number): Usage {
  const live = expire(balance, now);
  const { month, start, end } = periodOf(now);
  const spent = live.months.get(month) ?? { compressions: 0, aiCredits: 0 };
  const free = freeIn(live, plan, month);
  return {
    plan,
    period: { start, end },
    compressions: { used: spent.compressions, limit: plans[plan].compressions, remaining: free.compressions },
    aiCredits: {
      used: spent.aiCredits,
      limit: plans[plan].aiCredits,
      topUp: live.topUp,
      remaining: free.aiMonthly + free.aiTopUp,
    },
  };
}

function freeIn(balance: Balance, plan: PlanId, month: string): Held {
  let { compressions, aiCredits: aiMonthly } = balance.months.get(month) ?? { compressions: 0, aiCredits: 0 };
  let aiTopUp = 0;
  for (const [heldMonth, held] of allHeld(balance)) {
    aiTopUp += held.aiTopUp;
    if (heldMonth !== month) continue;
    compressions += held.compressions;
    aiMonthly += held.aiMonthly;
  }
  return {
    compressions: Math.max(0, plans[plan].compressions - compressions),
    aiMonthly: Math.max(0, plans[plan].aiCredits - aiMonthly),
    aiTopUp: balance.topUp - aiTopUp,
  };
}

function* allHeld(balance: Balance): Iterable<readonly [month: string, held: Held]> {
  yield* balance.othersHeld;
  for (const reservation of balance.reservations.values()) {
    if (reservation.settledAt === null) yield [reservation.month, reservation];
  }
}

function withReservation(balance: Balance, reservation: Reservation): Balance {
  return { ...balance, reservations: new Map(balance.reservations).set(reservation.requestId, reservation) };
}

function keepReservations(balance: Balance, keep: (reservation: Reservation) => boolean): Balance {
  const kept = [...balance.reservations].filter(([, reservation]) => keep(reservation));
  return kept.length === balance.reservations.size ? balance : { ...balance, reservations: new Map(kept) };
}

function assertAmount(amount: Amount): void {
  assertWhole(amount.compressions);
  assertWhole(amount.aiCredits);
}

function assertWhole(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`Not a whole number of 0 or more: ${count}`);
}
