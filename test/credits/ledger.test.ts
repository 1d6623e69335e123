import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyBalance, release, reserve, settle, topUp, usageOf } from '../../src/credits/balance.ts';
import { AccountLedger, type LedgerEnv, type ReserveRequest } from '../../src/credits/ledger.ts';

/** So far ahead that no alarm that a test sets runs by itself. */
const november = Date.UTC(2100, 10, 21, 12);
const hour = 3_600_000;
const settings: LedgerEnv = { RESERVATION_TTL_SECONDS: '1800' };

const newStub = () => env.LEDGER.get(env.LEDGER.newUniqueId());

/** A ledger over the object's real storage whose clock the test sets; `restart` forgets everything that is not stored. */
class Bench {
  now = november;
  readonly #state: DurableObjectState;
  ledger!: AccountLedger;

  constructor(state: DurableObjectState) {
    this.#state = state;
    this.restart();
  }

  restart(): void {
    this.ledger = new AccountLedger(this.#state, settings, () => this.now);
  }

  /** Lets every statement on a table fail. */
  breakTable(table: string): void {
    this.#state.storage.sql.exec(`ALTER TABLE ${table} RENAME TO broken`);
  }

  mendTable(table: string): void {
    this.#state.storage.sql.exec(`ALTER TABLE broken RENAME TO ${table}`);
  }

  rows(table: string): number {
    return this.#state.storage.sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`).one().n;
  }

  reserve(requestId: string, ask: Partial<ReserveRequest> = {}) {
    return this.ledger.reserve({ requestId, plan: 'starter', compressions: 1, aiCredits: 0, ...ask });
  }

  async used(): Promise<number> {
    return (await this.ledger.usage('starter')).compressions.used;
  }

  async remaining(): Promise<number> {
    return (await this.ledger.usage('starter')).compressions.remaining;
  }
}

const onBench = (work: (bench: Bench) => Promise<void>) =>
  runInDurableObject(newStub(), (_instance, state) => work(new Bench(state)));

describe('over RPC', () => {
  test('an account that nobody used has everything left', async () => {
    const usage = await newStub().usage('agency');
    expect(usage.compressions).toEqual({ used: 0, limit: 50_000, remaining: 50_000 });
    expect(usage.aiCredits).toEqual({ used: 0, limit: 5000, topUp: 0, remaining: 5000 });
    expect(usage.period.start).toMatch(/^\d{4}-\d\d-01T00:00:00Z$/);
  });

  test('200 concurrent requests, each reserved and settled, are counted exactly', { timeout: 30_000 }, async () => {
    const ledger = newStub();
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const requestId = `r${index}`;
        await ledger.reserve({ requestId, plan: 'agency', compressions: 3, aiCredits: 2 });
        if (index % 4 === 3) await ledger.release(requestId);
        else await ledger.settle(requestId, { compressions: 2, aiCredits: 1, complete: true });
      }),
    );
    const usage = await ledger.usage('agency');
    expect(usage.compressions).toEqual({ used: 300, limit: 50_000, remaining: 49_700 });
    expect(usage.aiCredits).toEqual({ used: 150, limit: 5000, topUp: 0, remaining: 4850 });
  });

  test('of 200 concurrent requests for the last 50 compressions exactly 50 pass', { timeout: 30_000 }, async () => {
    const ledger = newStub();
    await ledger.reserve({ requestId: 'before', plan: 'free', compressions: 50, aiCredits: 0 });
    await ledger.settle('before', { compressions: 50, aiCredits: 0, complete: true });
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        ledger.reserve({ requestId: `r${index}`, plan: 'free', compressions: 1, aiCredits: 0 }),
      ),
    );
    expect(results.filter((result) => result.kind === 'reserved')).toHaveLength(50);
    expect((await ledger.usage('free')).compressions.remaining).toBe(0);
  });

  test('a key may call as often as its rate allows, and other keys are not its business', async () => {
    const ledger = newStub();
    const calls = await Promise.all(Array.from({ length: 40 }, () => ledger.admit('key_a', 30)));
    expect(calls.filter((call) => call.allowed).length).toBeGreaterThanOrEqual(30);
    const refused = calls.find((call) => !call.allowed);
    expect(refused).toEqual({ allowed: false, retryAfterSeconds: 2 });
    expect(await ledger.admit('key_b', 30)).toEqual({ allowed: true });
  });
});

describe('repeated calls', () => {
  test('reserve, settle and release count once each', () =>
    onBench(async (bench) => {
      await bench.reserve('a', { compressions: 5 });
      await bench.reserve('a', { compressions: 5 });
      expect(await bench.remaining()).toBe(1995);
      const first = await bench.ledger.settle('a', { compressions: 4, aiCredits: 0, complete: true });
      expect(await bench.ledger.settle('a', { compressions: 4, aiCredits: 0, complete: true })).toEqual(first);
      await bench.ledger.release('a');
      await bench.reserve('a', { compressions: 5 });
      await bench.ledger.settle('a', { compressions: 5, aiCredits: 0, complete: true });
      expect([await bench.used(), await bench.remaining()]).toEqual([4, 1996]);
    }));

  test('a top-up is added once for its reference', () =>
    onBench(async (bench) => {
      expect(await bench.ledger.topUp('order-1', 50)).toEqual({ added: true });
      expect(await bench.ledger.topUp('order-1', 70)).toEqual({ added: false });
      expect(await bench.ledger.topUp('order-2', 5)).toEqual({ added: true });
      expect((await bench.ledger.usage('starter')).aiCredits).toEqual({
        used: 0,
        limit: 200,
        topUp: 55,
        remaining: 255,
      });
    }));

  test('a settled request is remembered for a day', () =>
    onBench(async (bench) => {
      await bench.reserve('a');
      await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true });
      bench.now += 24 * hour - 1;
      await bench.ledger.alarm();
      expect((await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true })).settled).toBe(true);
      expect(await bench.used()).toBe(1);
      bench.now += 1;
      await bench.ledger.alarm();
      expect(bench.rows('reservations')).toBe(0);
    }));
});

describe('idempotency keys', () => {
  const keyed = (fingerprint = 'f') => ({ idempotency: { key: 'k', fingerprint } });

  test('a finished request is answered again without a new reservation, for 24 hours', () =>
    onBench(async (bench) => {
      await bench.reserve('a', keyed());
      await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true });
      bench.now += 24 * hour - 1;
      expect(await bench.reserve('b', keyed())).toMatchObject({ kind: 'replay', requestId: 'a' });
      expect(await bench.ledger.settle('b', { compressions: 1, aiCredits: 0, complete: true })).toEqual({
        settled: false,
      });
      expect(await bench.used()).toBe(1);
      bench.now += 1;
      expect(await bench.reserve('c', keyed())).toMatchObject({ kind: 'reserved' });
    }));

  test('while the request runs the same one conflicts, and another one is a mismatch', () =>
    onBench(async (bench) => {
      await bench.reserve('a', keyed());
      expect(await bench.reserve('b', keyed())).toMatchObject({ kind: 'refused', code: 'idempotency_conflict' });
      expect(await bench.reserve('b', keyed('other'))).toMatchObject({ kind: 'refused', code: 'idempotency_mismatch' });
      expect(await bench.reserve('a', keyed())).toMatchObject({ kind: 'reserved' });
      expect(await bench.remaining()).toBe(1999);
    }));

  test('are checked before credits, and a refused request leaves its key free', () =>
    onBench(async (bench) => {
      expect(await bench.reserve('a', { ...keyed(), aiCredits: 201, compressions: 2001, late: true })).toMatchObject({
        kind: 'refused',
        code: 'no_credits',
      });
      expect(await bench.reserve('b', { ...keyed('other'), compressions: 2000, late: true })).toMatchObject({
        kind: 'reserved',
      });
      expect(await bench.reserve('c', { ...keyed(), compressions: 2001 })).toMatchObject({
        code: 'idempotency_mismatch',
      });
      expect(await bench.reserve('d', { late: true })).toMatchObject({ code: 'plan_limit_reached' });
    }));

  test('a released and a lost request leave the key free; every one that was settled has an answer', () =>
    onBench(async (bench) => {
      await bench.reserve('a', keyed());
      await bench.ledger.release('a');
      expect(await bench.reserve('b', keyed())).toMatchObject({ kind: 'reserved' });
      bench.now += hour;
      expect(await bench.reserve('c', keyed('other'))).toMatchObject({ kind: 'reserved' });
      await bench.ledger.settle('c', { compressions: 1, aiCredits: 0, complete: true });
      expect(await bench.reserve('d', keyed('other'))).toMatchObject({ kind: 'replay', requestId: 'c' });
    }));

  test('releasing a request that was answered does not take its answer away', () =>
    onBench(async (bench) => {
      await bench.reserve('a', keyed());
      await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true });
      await bench.ledger.release('a');
      expect(await bench.reserve('b', keyed())).toMatchObject({ kind: 'replay', requestId: 'a' });
    }));

  test('a call that comes once more after its request was settled does not take the answer away', () =>
    onBench(async (bench) => {
      await bench.reserve('a', keyed());
      await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true });
      await bench.reserve('a', keyed());
      expect(await bench.reserve('b', keyed())).toMatchObject({ kind: 'replay', requestId: 'a' });
    }));

  test('a lost request that comes back late neither charges nor answers for the one that took its key', () =>
    onBench(async (bench) => {
      await bench.reserve('a', keyed());
      bench.now += hour;
      await bench.reserve('b', keyed());
      expect(await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true })).toEqual({
        settled: false,
      });
      await bench.ledger.release('a');
      expect(await bench.reserve('c', keyed())).toMatchObject({ code: 'idempotency_conflict' });
      expect(await bench.used()).toBe(0);
    }));
});

describe('a request that failed in part for a reason of ours', () => {
  const keyed = (resumes?: string) => ({
    idempotency: { key: 'k', fingerprint: 'f', ...(resumes !== undefined && { resumes }) },
  });
  const partly = { compressions: 1, aiCredits: 0, complete: false };

  test('is resumed, once at a time, and what resumed it has the answer', () =>
    onBench(async (bench) => {
      await bench.reserve('a', { ...keyed(), compressions: 3 });
      await bench.ledger.settle('a', partly);
      expect(await bench.reserve('b', keyed())).toMatchObject({ kind: 'resume', requestId: 'a' });
      expect(await bench.remaining()).toBe(1999);
      expect(await bench.reserve('b', { ...keyed('a'), compressions: 2 })).toMatchObject({ kind: 'reserved' });
      expect(await bench.reserve('c', keyed('a'))).toMatchObject({ code: 'idempotency_conflict', requestId: 'b' });
      await bench.ledger.settle('b', { compressions: 2, aiCredits: 0, complete: true });
      expect(await bench.reserve('c', keyed())).toMatchObject({ kind: 'replay', requestId: 'b' });
      expect(await bench.used()).toBe(3);
    }));

  test.each([
    ['released', (bench: Bench) => bench.ledger.release('b')],
    [
      'lost',
      (bench: Bench) => {
        bench.now += hour / 2;
      },
    ],
    [
      'lost and swept',
      async (bench: Bench) => {
        bench.now += hour / 2;
        await bench.ledger.alarm();
      },
    ],
  ])('has its key again when what resumed it was %s', (_, end) =>
    onBench(async (bench) => {
      await bench.reserve('a', { ...keyed(), compressions: 3 });
      await bench.ledger.settle('a', partly);
      await bench.reserve('b', keyed('a'));
      await end(bench);
      expect(await bench.reserve('c', keyed())).toMatchObject({ kind: 'resume', requestId: 'a' });
      bench.now = november + 24 * hour;
      expect(await bench.reserve('c', keyed())).toMatchObject({ kind: 'reserved' });
    }),
  );

  test('may be resumed late by what was lost, unless somebody else did', () =>
    onBench(async (bench) => {
      await bench.reserve('a', { ...keyed(), compressions: 3 });
      await bench.ledger.settle('a', partly);
      await bench.reserve('b', keyed('a'));
      bench.now += hour / 2;
      expect(await bench.reserve('b', { ...keyed('a'), late: true })).toMatchObject({ kind: 'reserved' });
      bench.now += hour / 2;
      expect(await bench.reserve('c', keyed('a'))).toMatchObject({ kind: 'reserved' });
      expect(await bench.reserve('b', { ...keyed('a'), late: true })).toMatchObject({ code: 'idempotency_conflict' });
    }));
});

describe('files at once', () => {
  test('are bounded by the plan, over all requests that hold; those that are done are not among them', () =>
    onBench(async (bench) => {
      await bench.reserve('a', { compressions: 100 });
      expect(await bench.reserve('b', { compressions: 61 })).toMatchObject({
        code: 'too_many_at_once',
        filesAtOnce: 160,
      });
      expect(await bench.reserve('b', { compressions: 60 })).toMatchObject({ kind: 'reserved' });
      expect(await bench.reserve('a', { compressions: 100 })).toMatchObject({ kind: 'reserved' });
      expect(await bench.reserve('c')).toMatchObject({ code: 'too_many_at_once' });
      expect(await bench.reserve('c', { late: true })).toMatchObject({ kind: 'reserved' });
      await bench.ledger.settle('a', { compressions: 100, aiCredits: 0, complete: true });
      expect(await bench.reserve('d', { compressions: 99 })).toMatchObject({ kind: 'reserved' });
    }));

  test('that lapsed are not under way any more', () =>
    onBench(async (bench) => {
      await bench.reserve('a', { compressions: 160 });
      bench.now += hour / 2;
      expect(await bench.reserve('b', { compressions: 160 })).toMatchObject({ kind: 'reserved' });
    }));
});

describe('the list of batches', () => {
  const ids = async (bench: Bench, limit: number, after?: { createdAt: number; id: string }) =>
    (await bench.ledger.batches(limit, after)).map(({ id }) => id);

  test('is newest first, in pages that neither miss nor repeat one, whatever comes in between', () =>
    onBench(async (bench) => {
      for (const id of ['a', 'b', 'c']) await bench.reserve(id);
      bench.now += 1;
      for (const id of ['d', 'e']) await bench.reserve(id, { files: 7 });
      expect(await ids(bench, 10)).toEqual(['e', 'd', 'c', 'b', 'a']);
      const first = await bench.ledger.batches(3);
      bench.now += 1;
      await bench.reserve('f');
      expect(first.map(({ id }) => id)).toEqual(['e', 'd', 'c']);
      expect(await ids(bench, 3, first.at(-1))).toEqual(['b', 'a']);
      expect(first[0]).toEqual({ id: 'e', files: 7, createdAt: november + 1, state: 'running' });
    }));

  test('tells what runs and what has ended, and nothing of what was given back or is a day old', () =>
    onBench(async (bench) => {
      for (const id of ['lost', 'done', 'void', 'running']) await bench.reserve(id);
      await bench.ledger.settle('done', { compressions: 1, aiCredits: 0, complete: true });
      await bench.ledger.release('done');
      await bench.ledger.release('void');
      bench.now += hour / 2 - 1;
      await bench.ledger.extend('running');
      bench.now += 1;
      expect((await bench.ledger.batches(10)).map(({ id, state }) => [id, state])).toEqual([
        ['running', 'running'],
        ['lost', 'done'],
        ['done', 'done'],
      ]);
      bench.now = november + 24 * hour;
      expect(await bench.ledger.batches(10)).toEqual([]);
      await bench.ledger.alarm();
      expect(bench.rows('batches')).toBe(0);
    }));
});

describe('crashes', () => {
  test('a reservation survives a restart, and one that nobody settles expires by itself', () =>
    onBench(async (bench) => {
      await bench.reserve('a', { compressions: 20 });
      bench.restart();
      expect(await bench.remaining()).toBe(1980);
      bench.now += 1800_000 - 1;
      expect(await bench.remaining()).toBe(1980);
      bench.now += 1;
      expect(await bench.remaining()).toBe(2000);
      expect(await bench.ledger.settle('a', { compressions: 20, aiCredits: 0, complete: true })).toEqual({
        settled: false,
      });
      expect(await bench.used()).toBe(0);
    }));

  test('a reservation that is extended holds as long again, across a restart, and keeps its Idempotency-Key', () =>
    onBench(async (bench) => {
      const idempotency = { key: 'k', fingerprint: 'f' };
      const reserved = await bench.reserve('a', { compressions: 7, idempotency });
      expect(reserved).toMatchObject({ kind: 'reserved', expiresAt: november + hour / 2 });
      bench.now += hour / 2 - 1;
      expect(await bench.ledger.extend('a')).toEqual({ held: true, expiresAt: bench.now + hour / 2 });
      bench.restart();
      bench.now += hour / 2 - 1;
      await bench.ledger.alarm();
      expect(await bench.remaining()).toBe(1993);
      expect(await bench.reserve('b', { idempotency })).toMatchObject({ code: 'idempotency_conflict' });
      expect(await bench.ledger.settle('a', { compressions: 7, aiCredits: 0, complete: true })).toMatchObject({
        settled: true,
      });
      expect(await bench.used()).toBe(7);
    }));

  test('a reservation that expired or was settled is not extended', () =>
    onBench(async (bench) => {
      await bench.reserve('a');
      await bench.reserve('b');
      await bench.ledger.settle('b', { compressions: 1, aiCredits: 0, complete: true });
      bench.now += hour / 2;
      for (const requestId of ['a', 'b', 'c']) expect(await bench.ledger.extend(requestId)).toEqual({ held: false });
      expect(await bench.remaining()).toBe(1999);
    }));

  test('a settlement that cannot be stored charges nothing and may be tried again', () =>
    onBench(async (bench) => {
      await bench.reserve('a', { compressions: 5, idempotency: { key: 'k', fingerprint: 'f' } });
      bench.breakTable('idempotency');
      await expect(bench.ledger.settle('a', { compressions: 5, aiCredits: 0, complete: true })).rejects.toThrow();
      bench.mendTable('idempotency');
      expect([await bench.used(), await bench.remaining()]).toEqual([0, 1995]);
      await bench.ledger.settle('a', { compressions: 5, aiCredits: 0, complete: true });
      expect(await bench.used()).toBe(5);
    }));

  test('amounts that make no sense are refused and change nothing', () =>
    onBench(async (bench) => {
      await expect(bench.reserve('a', { compressions: -1 })).rejects.toThrow(RangeError);
      await expect(bench.ledger.topUp('r', 0.5)).rejects.toThrow(RangeError);
      expect([bench.rows('reservations'), bench.rows('top_ups')]).toEqual([0, 0]);
    }));

  test('any sequence of calls and restarts ends where the arithmetic alone ends', { timeout: 30_000 }, () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const amounts = { compressions: fc.integer({ min: 0, max: 900 }), aiCredits: fc.integer({ min: 0, max: 120 }) };
    const call = fc.oneof(
      fc.record({ kind: fc.constant('reserve'), id, ...amounts }),
      fc.record({ kind: fc.constant('settle'), id, ...amounts }),
      fc.record({ kind: fc.constant('release'), id, ...amounts }),
      fc.record({ kind: fc.constant('topUp'), id, ...amounts }),
      fc.record({ kind: fc.constant('upkeep'), id, ...amounts }),
      fc.record({ kind: fc.constant('restart'), id, ...amounts }),
    );
    const calls = fc.array(fc.record({ call, wait: fc.integer({ min: 0, max: 900_000 }) }), {
      size: 'max',
      maxLength: 40,
    });
    const property = fc.asyncProperty(calls, (sequence) =>
      onBench(async (bench) => {
        bench.now = Date.UTC(2100, 10, 30, 20);
        let expected = emptyBalance;
        for (const { call, wait } of sequence) {
          bench.now += wait;
          const { id: requestId, compressions, aiCredits } = call;
          if (call.kind === 'reserve') {
            const expiresAt = bench.now + 1800_000;
            const ask = { requestId, plan: 'starter' as const, compressions, aiCredits, expiresAt };
            const outcome = reserve(expected, ask, bench.now);
            expected = outcome.balance;
            const asked = await bench.reserve(requestId, { compressions, aiCredits, late: true });
            expect(asked).toMatchObject({ kind: outcome.kind });
          } else if (call.kind === 'settle') {
            const outcome = settle(expected, requestId, call, bench.now);
            expected = outcome.balance;
            const { settled } = await bench.ledger.settle(requestId, { compressions, aiCredits, complete: true });
            expect(settled).toBe(outcome.reservation !== undefined);
          } else if (call.kind === 'release') {
            expected = release(expected, requestId);
            await bench.ledger.release(requestId);
          } else if (call.kind === 'topUp') {
            expected = topUp(expected, requestId, aiCredits);
            await bench.ledger.topUp(requestId, aiCredits);
          } else if (call.kind === 'upkeep') await bench.ledger.alarm();
          else bench.restart();
          expect(await bench.ledger.usage('starter')).toEqual(usageOf(expected, 'starter', bench.now));
        }
      }),
    );
    return fc.assert(property, { numRuns: 25 });
  });
});

describe('upkeep', () => {
  test('the alarm is set for the first expiry', () =>
    runInDurableObject(newStub(), async (_instance, state) => {
      const bench = new Bench(state);
      await bench.reserve('a');
      bench.now += 1000;
      await bench.reserve('b');
      expect(await state.storage.getAlarm()).toBe(november + 1800_000);
    }));

  test('an alarm set for later is moved forward when something expires before it', () =>
    runInDurableObject(newStub(), async (_instance, state) => {
      const bench = new Bench(state);
      await bench.reserve('a');
      await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true });
      await bench.ledger.alarm();
      await state.storage.setAlarm(november + 24 * hour);
      await bench.reserve('b');
      expect(await state.storage.getAlarm()).toBe(november + 1800_000);
    }));

  test('the alarm removes what is past its time and then stays off', async () => {
    const stub = newStub();
    const tables = ['months', 'reservations', 'idempotency', 'batches'];
    await runInDurableObject(stub, async (_instance, state) => {
      const bench = new Bench(state);
      await bench.reserve('lost', { idempotency: { key: 'lost', fingerprint: 'f' } });
      await bench.reserve('done', { idempotency: { key: 'done', fingerprint: 'f' } });
      await bench.ledger.settle('done', { compressions: 1, aiCredits: 0, complete: true });
      expect(tables.map((table) => bench.rows(table))).toEqual([1, 2, 2, 2]);
      state.storage.sql.exec(`UPDATE months SET month = '2000-01'; UPDATE idempotency SET finished_at = finished_at % 1000;
        UPDATE reservations SET expires_at = 1, settled_at = settled_at % 1000; UPDATE batches SET created_at = 1`);
    });
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    await runInDurableObject(stub, async (_instance, state) => {
      const bench = new Bench(state);
      expect(tables.map((table) => bench.rows(table))).toEqual([0, 0, 0, 0]);
      expect(await state.storage.getAlarm()).toBeNull();
    });
  });

  test('an alarm that finds nothing due sets the next one', () =>
    runInDurableObject(newStub(), async (_instance, state) => {
      const bench = new Bench(state);
      await bench.reserve('a');
      await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true });
      await state.storage.deleteAlarm();
      await bench.ledger.alarm();
      expect(await state.storage.getAlarm()).toBe(bench.now + 24 * hour);
    }));

  test('keeps the months of a year and running requests', () =>
    onBench(async (bench) => {
      await bench.reserve('a');
      await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true });
      bench.now = Date.UTC(2101, 10, 30, 23);
      await bench.reserve('b', { idempotency: { key: 'k', fingerprint: 'f' } });
      await bench.ledger.alarm();
      expect([bench.rows('months'), bench.rows('reservations'), bench.rows('idempotency')]).toEqual([1, 1, 1]);
      bench.now = Date.UTC(2101, 11, 1);
      await bench.ledger.alarm();
      expect([bench.rows('months'), bench.rows('reservations'), bench.rows('idempotency')]).toEqual([0, 0, 0]);
    }));
});
