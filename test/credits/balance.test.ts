import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Balance,
  emptyBalance,
  expire,
  extend,
  release,
  reserve,
  settle,
  topUp,
  usageOf,
} from '../../src/credits/balance.ts';
import { periodOf } from '../../src/credits/period.ts';
import { type PlanId, planIds } from '../../src/credits/plans.ts';

const november = Date.UTC(2026, 10, 21, 12);
const december = Date.UTC(2026, 11, 1, 0, 5);
const hour = 3_600_000;

function hold(
  balance: Balance,
  requestId: string,
  ask: { compressions?: number; aiCredits?: number; plan?: PlanId; expiresAt?: number },
  now = november,
): Balance {
  const whole = { compressions: 0, aiCredits: 0, plan: 'starter' as const, expiresAt: now + hour, ...ask, requestId };
  const result = reserve(balance, whole, now);
  expect(result.kind).toBe('reserved');
  return result.balance;
}

function ask(balance: Balance, amounts: { compressions: number; aiCredits: number }, plan: PlanId = 'starter') {
  const result = reserve(balance, { requestId: 'x', plan, expiresAt: november + hour, ...amounts }, november);
  return result.kind === 'refused' ? result.code : result.kind;
}

describe('reserving', () => {
  test('takes from what remains at once, and counts as used only when settled', () => {
    const held = hold(emptyBalance, 'a', { compressions: 20, aiCredits: 5 });
    const before = usageOf(held, 'starter', november);
    expect(before.compressions).toEqual({ used: 0, limit: 2000, remaining: 1980 });
    expect(before.aiCredits).toEqual({ used: 0, limit: 200, topUp: 0, remaining: 195 });
    const settled = settle(held, 'a', { compressions: 18, aiCredits: 4 }, november).balance;
    const after = usageOf(settled, 'starter', november);
    expect(after.compressions).toEqual({ used: 18, limit: 2000, remaining: 1982 });
    expect(after.aiCredits).toEqual({ used: 4, limit: 200, topUp: 0, remaining: 196 });
  });

  test('allows exactly what is left and not one more', () => {
    expect(ask(emptyBalance, { compressions: 2000, aiCredits: 200 })).toBe('reserved');
    expect(ask(emptyBalance, { compressions: 2001, aiCredits: 0 })).toBe('plan_limit_reached');
    expect(ask(emptyBalance, { compressions: 1, aiCredits: 201 })).toBe('no_credits');
  });

  test('names missing AI credits before the monthly limit', () => {
    expect(ask(emptyBalance, { compressions: 2001, aiCredits: 201 })).toBe('no_credits');
  });

  test('refuses amounts that are not whole and positive', () => {
    for (const count of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => ask(emptyBalance, { compressions: count, aiCredits: 0 })).toThrow(RangeError);
      expect(() => ask(emptyBalance, { compressions: 0, aiCredits: count })).toThrow(RangeError);
      expect(() => topUp(emptyBalance, 'r', count)).toThrow(RangeError);
    }
  });
});

describe('settling', () => {
  test('charges never more than was reserved', () => {
    const held = hold(emptyBalance, 'a', { compressions: 2, aiCredits: 1 });
    const usage = usageOf(settle(held, 'a', { compressions: 9, aiCredits: 9 }, november).balance, 'starter', november);
    expect([usage.compressions.used, usage.aiCredits.used]).toEqual([2, 1]);
  });

  test('uses the monthly allowance before top-ups and gives top-ups back first', () => {
    const bought = topUp(emptyBalance, 'order-1', 50);
    const held = hold(bought, 'a', { aiCredits: 230 });
    expect(usageOf(held, 'starter', november).aiCredits).toEqual({ used: 0, limit: 200, topUp: 50, remaining: 20 });
    const settled = settle(held, 'a', { compressions: 0, aiCredits: 210 }, november).balance;
    expect(usageOf(settled, 'starter', november).aiCredits).toEqual({
      used: 200,
      limit: 200,
      topUp: 40,
      remaining: 40,
    });
  });

  test('charges the month in which it was reserved', () => {
    const late = december - 10 * 60_000;
    const held = hold(emptyBalance, 'a', { compressions: 7 }, late);
    expect(usageOf(held, 'starter', december).compressions.remaining).toBe(2000);
    const { balance } = settle(held, 'a', { compressions: 7, aiCredits: 0 }, december);
    expect(usageOf(balance, 'starter', december).compressions.used).toBe(0);
    expect(usageOf(balance, 'starter', late).compressions.used).toBe(7);
  });

  test('of an expired reservation charges nothing', () => {
    const held = hold(emptyBalance, 'a', { compressions: 7, expiresAt: november + 1000 });
    expect(settle(held, 'a', { compressions: 7, aiCredits: 0 }, november + 999).reservation).toBeDefined();
    const late = settle(held, 'a', { compressions: 7, aiCredits: 0 }, november + 1000);
    expect(late.reservation).toBeUndefined();
    expect(usageOf(late.balance, 'starter', november).compressions).toEqual({ used: 0, limit: 2000, remaining: 2000 });
  });

  test('a settled request cannot be reserved, released or charged again', () => {
    const settled = settle(
      hold(emptyBalance, 'a', { compressions: 3 }),
      'a',
      { compressions: 3, aiCredits: 0 },
      november,
    );
    const again = hold(settled.balance, 'a', { compressions: 3 });
    const released = release(again, 'a');
    const charged = settle(released, 'a', { compressions: 3, aiCredits: 0 }, november).balance;
    expect(usageOf(charged, 'starter', november).compressions).toEqual({ used: 3, limit: 2000, remaining: 1997 });
  });
});

describe('extending', () => {
  const held = hold(emptyBalance, 'a', { compressions: 5, aiCredits: 3 });

  test('holds the same for longer', () => {
    const { balance, expiresAt } = extend(held, 'a', november + 2 * hour, november + 1);
    expect(expiresAt).toBe(november + 2 * hour);
    expect(usageOf(balance, 'starter', november + hour)).toEqual(usageOf(held, 'starter', november));
    expect(usageOf(balance, 'starter', november + 2 * hour).compressions.remaining).toBe(2000);
  });

  test('never makes it shorter', () => {
    expect(extend(held, 'a', november + 5, november)).toEqual({ expiresAt: november + hour, balance: held });
  });

  test('cannot bring back what expired, was released or settled, and invents nothing', () => {
    const late = november + hour;
    expect(extend(held, 'a', late + hour, late)).toEqual({ expiresAt: undefined, balance: emptyBalance });
    const settled = settle(held, 'a', { compressions: 1, aiCredits: 0 }, november).balance;
    for (const balance of [settled, release(held, 'a'), emptyBalance]) {
      expect(extend(balance, 'a', late, november)).toEqual({ expiresAt: undefined, balance });
    }
  });

  test('keeps the month in which it was reserved', () => {
    const eve = december - hour;
    const reserved = hold(emptyBalance, 'a', { compressions: 5, expiresAt: december }, eve);
    const { balance } = extend(reserved, 'a', december + hour, eve + 1);
    const { reservation } = settle(balance, 'a', { compressions: 5, aiCredits: 0 }, december + 1);
    expect(reservation?.month).toBe('2026-11');
  });
});

describe('months and plans', () => {
  test('a new month starts with the full allowance, and top-ups stay', () => {
    const full = hold(topUp(emptyBalance, 'r', 10), 'a', { compressions: 2000, aiCredits: 205 });
    const spent = settle(full, 'a', { compressions: 2000, aiCredits: 205 }, november).balance;
    expect(usageOf(spent, 'starter', november).aiCredits.remaining).toBe(5);
    const fresh = usageOf(spent, 'starter', december);
    expect(fresh.compressions).toEqual({ used: 0, limit: 2000, remaining: 2000 });
    expect(fresh.aiCredits).toEqual({ used: 0, limit: 200, topUp: 5, remaining: 205 });
    expect(fresh.period).toEqual({ start: '2026-12-01T00:00:00Z', end: '2027-01-01T00:00:00Z' });
  });

  test('a smaller plan holds at once; what is over its limit leaves nothing, not less', () => {
    const spent = settle(
      hold(topUp(emptyBalance, 'r', 10), 'a', { plan: 'agency', compressions: 300, aiCredits: 300 }),
      'a',
      { compressions: 300, aiCredits: 300 },
      november,
    ).balance;
    const usage = usageOf(spent, 'free', november);
    expect(usage.compressions).toEqual({ used: 300, limit: 100, remaining: 0 });
    expect(usage.aiCredits).toEqual({ used: 300, limit: 0, topUp: 10, remaining: 10 });
    expect(ask(spent, { compressions: 1, aiCredits: 0 }, 'free')).toBe('plan_limit_reached');
    expect(ask(spent, { compressions: 1, aiCredits: 0 }, 'starter')).toBe('reserved');
  });
});

/** What may happen to an account; `times` above 1 is a call delivered again, 0 one that was lost. */
type Event = { times: number } & (
  | { kind: 'reserve'; id: number; compressions: number; aiCredits: number; ttl: number }
  | { kind: 'settle'; id: number; compressions: number; aiCredits: number }
  | { kind: 'release'; id: number }
  | { kind: 'topUp'; reference: number; aiCredits: number }
  | { kind: 'wait'; time: number }
  | { kind: 'expire' }
);

const amounts = { compressions: fc.integer({ min: 0, max: 900 }), aiCredits: fc.integer({ min: 0, max: 150 }) };
const id = fc.integer({ min: 0, max: 9 });
const times = fc.constantFrom(0, 1, 1, 1, 2, 3);
const ttl = fc.integer({ min: 1, max: 12 * hour });
const events = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('reserve'), times, id, ...amounts, ttl }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('settle'), times, id, ...amounts }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('release'), times, id }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('topUp'), times, reference: id, aiCredits: amounts.aiCredits }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('wait'), times, time: fc.integer({ min: 0, max: 3 * hour }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire'), times }) },
  ) as fc.Arbitrary<Event>,
  { maxLength: 60, size: 'max' },
);

/** Follows by hand, with no part of the arithmetic, what each request may be charged: at most once, at most its ask. */
class Bookkeeper {
  readonly asked = new Map<number, { compressions: number; aiCredits: number; month: string; expiresAt: number }>();
  readonly charged = new Map<number, { compressions: number; aiCredits: number; month: string }>();
  readonly bought = new Map<number, number>();

  reserved(event: { id: number; compressions: number; aiCredits: number; ttl: number }, now: number) {
    const live = this.asked.get(event.id);
    if (this.charged.has(event.id) || (live && live.expiresAt > now)) return;
    this.asked.set(event.id, { ...event, month: periodOf(now).month, expiresAt: now + event.ttl });
  }

  settled(event: { id: number; compressions: number; aiCredits: number }, now: number) {
    const live = this.asked.get(event.id);
    if (!live || live.expiresAt <= now) return;
    this.asked.delete(event.id);
    this.charged.set(event.id, {
      compressions: Math.min(event.compressions, live.compressions),
      aiCredits: Math.min(event.aiCredits, live.aiCredits),
      month: live.month,
    });
  }

  held(now: number) {
    return [...this.asked.values()].filter(({ expiresAt }) => expiresAt > now);
  }
}

function apply(balance: Balance, event: Event, now: number, plan: PlanId, books: Bookkeeper): Balance {
  switch (event.kind) {
    case 'reserve': {
      const { compressions, aiCredits } = event;
      const request = { requestId: `${event.id}`, plan, compressions, aiCredits, expiresAt: now + event.ttl };
      const result = reserve(balance, request, now);
      if (result.kind === 'reserved') books.reserved(event, now);
      return result.balance;
    }
    case 'settle':
      books.settled(event, now);
      return settle(balance, `${event.id}`, event, now).balance;
    case 'release':
      books.asked.delete(event.id);
      return release(balance, `${event.id}`);
    case 'topUp':
      if (!books.bought.has(event.reference)) books.bought.set(event.reference, event.aiCredits);
      return topUp(balance, `${event.reference}`, event.aiCredits);
    case 'expire':
      return expire(balance, now);
    case 'wait':
      return balance;
  }
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

function checkBooks(balance: Balance, books: Bookkeeper, now: number): void {
  const charged = [...books.charged.values()];
  for (const [month, spent] of balance.months) {
    const inMonth = charged.filter((charge) => charge.month === month);
    expect(spent.compressions).toBe(sum(inMonth.map((charge) => charge.compressions)));
  }
  const fromTopUps = sum(books.bought.values()) - balance.topUp;
  const fromAllowances = sum([...balance.months.values()].map((spent) => spent.aiCredits));
  expect(fromTopUps + fromAllowances).toBe(sum(charged.map((charge) => charge.aiCredits)));
  expect(fromTopUps).toBeGreaterThanOrEqual(0);
  const live = [...expire(balance, now).reservations.values()].filter((held) => held.settledAt === null);
  expect(live.length).toBe(books.held(now).length);
}

function checkNothingNegative(balance: Balance, plan: PlanId, now: number): void {
  const { compressions, aiCredits } = usageOf(balance, plan, now);
  const spent = [...balance.months.values()].flatMap((month) => [month.compressions, month.aiCredits]);
  const counts = [...Object.values(compressions), ...Object.values(aiCredits), ...spent, balance.topUp];
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
}

function checkConstantSum(balance: Balance, plan: PlanId, books: Bookkeeper, now: number): void {
  const usage = usageOf(balance, plan, now);
  const { month } = periodOf(now);
  const held = books.held(now);
  const heldNow = held.filter((request) => request.month === month);
  const { compressions, aiCredits } = usage;
  expect(compressions.used + sum(heldNow.map((h) => h.compressions)) + compressions.remaining).toBe(compressions.limit);
  // Of requests that cross the month's end only the part taken from top-ups still counts, which the books do not know.
  if (heldNow.length !== held.length) return;
  expect(aiCredits.used + sum(held.map((h) => h.aiCredits)) + aiCredits.remaining).toBe(
    aiCredits.limit + aiCredits.topUp,
  );
}

type Look = (after: Balance, now: number, books: Bookkeeper, before: Balance, event: Event) => void;

/** Plays the events from the evening before December on, each as often as it says, and looks after each. */
function play(happened: readonly Event[], planOf: (step: number) => PlanId, look: Look): void {
  const books = new Bookkeeper();
  let balance = emptyBalance;
  let now = Date.UTC(2026, 10, 30, 12);
  for (const [step, event] of happened.entries()) {
    for (let time = 0; time < event.times; time++) {
      if (event.kind === 'wait') now += event.time;
      const before = balance;
      balance = apply(balance, event, now, planOf(step), books);
      look(balance, now, books, before, event);
    }
  }
}

describe('any interleaving of calls, repeated and lost', { timeout: 30_000 }, () => {
  test.each(planIds)('adds up on the %s plan', (plan) => {
    const property = fc.property(events, (happened) => {
      play(
        happened,
        () => plan,
        (balance, now, books) => {
          checkNothingNegative(balance, plan, now);
          checkBooks(balance, books, now);
          checkConstantSum(balance, plan, books, now);
        },
      );
    });
    fc.assert(property, { numRuns: 60 });
  });

  test('stays clear of negative numbers and double charges when the plan changes in between', () => {
    const planOfStep = fc.array(fc.constantFrom(...planIds), { minLength: 60, maxLength: 60 });
    const property = fc.property(events, planOfStep, (happened, planOf) => {
      play(
        happened,
        (step) => planOf[step]!,
        (balance, now, books) => {
          for (const plan of planIds) checkNothingNegative(balance, plan, now);
          checkBooks(balance, books, now);
        },
      );
    });
    fc.assert(property, { numRuns: 60 });
  });

  test('reaches refusals, charged top-ups and charges to a month that is over', () => {
    const reached = new Set<string>();
    for (const happened of fc.sample(events, { numRuns: 60, seed: 7 })) {
      play(
        happened,
        () => 'starter',
        (after, now, _books, before, event) => {
          if (event.kind === 'reserve') {
            const request = {
              ...event,
              requestId: `${event.id}`,
              plan: 'starter' as const,
              expiresAt: now + event.ttl,
            };
            const result = reserve(before, request, now);
            reached.add(result.kind === 'refused' ? result.code : result.kind);
          }
          if (event.kind === 'settle' && after.topUp < before.topUp) reached.add('top-up charged');
          if (after.months.get('2026-11') !== before.months.get('2026-11') && periodOf(now).month === '2026-12')
            reached.add('old month charged');
        },
      );
    }
    expect([...reached].sort()).toEqual([
      'no_credits',
      'old month charged',
      'plan_limit_reached',
      'reserved',
      'top-up charged',
    ]);
  });
});
