import { abortAllDurableObjects, evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { benchStart, type LedgerBench, onLedgerBench } from '../support/ledger-bench.ts';

const rate = 600;

/** Calls as often as asked, all at one moment, and says how many were let in. */
async function call({ ledger }: LedgerBench, times: number): Promise<number> {
  let admitted = 0;
  for (let index = 0; index < times; index++) admitted += Number((await ledger.admit('key_a', rate)).allowed);
  return admitted;
}

describe('the rate of a key', () => {
  test('holds when the object is evicted: its memory is gone, the calls are not forgotten', async () => {
    const stub = env.LEDGER.get(env.LEDGER.newUniqueId());
    for (let index = 0; index < 30; index++) await stub.admit('key_a', 30);
    expect(await stub.admit('key_a', 30)).toMatchObject({ allowed: false, reason: 'rate' });
    await evictDurableObject(stub);
    expect(await stub.admit('key_a', 30)).toMatchObject({ allowed: false, reason: 'rate' });
    expect(await stub.admit('key_b', 30)).toEqual({ allowed: true });
  });

  test('holds when every object is aborted', async () => {
    const id = env.LEDGER.newUniqueId();
    for (let index = 0; index < 31; index++) await env.LEDGER.get(id).admit('key_a', 30);
    await abortAllDurableObjects();
    expect(await env.LEDGER.get(id).admit('key_a', 30)).toMatchObject({ allowed: false, reason: 'rate' });
  });

  test('is the same with an eviction after any pause in which one may come', () =>
    onLedgerBench(async (bench) => {
      let admitted = 0;
      for (let round = 0; round < 12; round++) {
        admitted += await call(bench, 700);
        bench.now += 10_000;
        bench.restart();
      }
      // A full bucket, and eleven pauses of 10 s at ten calls a second.
      expect(admitted).toBe(600 + 11 * 100);
    }));

  test('costs an ordinary customer no row: 100 calls at once, and ten a second for a minute', () =>
    onLedgerBench(async (bench) => {
      expect(await call(bench, 100)).toBe(100);
      for (let second = 0; second < 60; second++) {
        bench.now += 1000;
        expect(await call(bench, 10)).toBe(10);
      }
      expect(bench.written).toEqual({ rows: 0, alarms: 0 });
    }));

  test('costs a key far ahead of it one row a call, and nothing for calls that are refused', () =>
    onLedgerBench(async (bench) => {
      expect(await call(bench, 600)).toBe(600);
      expect(bench.written).toEqual({ rows: 500, alarms: 1 });
      expect(await call(bench, 10_000)).toBe(0);
      expect(bench.written).toEqual({ rows: 500, alarms: 1 });
    }));

  test('leaves rows only until the alarm finds them full', () =>
    onLedgerBench(async (bench) => {
      await call(bench, 600);
      bench.now = benchStart + 59_999;
      await bench.ledger.alarm();
      expect(bench.rows('buckets')).toBe(1);
      bench.now = benchStart + 60_000;
      await bench.ledger.alarm();
      expect(bench.rows('buckets')).toBe(0);
      expect(await call(bench, 601)).toBe(600);
    }));
});

describe('work on files that failed', () => {
  test('comes out of an allowance, and past it work is refused while questions are answered', () =>
    onLedgerBench(async (bench) => {
      await bench.fail('a', 59);
      expect(await bench.ledger.admit('key_a', rate, 'free')).toEqual({ allowed: true });
      await bench.fail('b', 31);
      // 30 s are owed, and a minute makes up for one.
      const refusal = { allowed: false, reason: 'failed_work', retryAfterSeconds: 1801 };
      expect(await bench.ledger.admit('key_a', rate, 'free')).toEqual(refusal);
      expect(await bench.ledger.admit('key_b', rate, 'free')).toEqual(refusal);
      expect(await bench.ledger.admit('key_a', rate)).toEqual({ allowed: true });
      bench.now += 1_801_000;
      expect(await bench.ledger.admit('key_a', rate, 'free')).toEqual({ allowed: true });
    }));

  test('is not forgotten by an eviction', async () => {
    const stub = env.LEDGER.get(env.LEDGER.newUniqueId());
    await stub.reserve({ requestId: 'a', plan: 'free', compressions: 1, aiCredits: 0 });
    await stub.settle('a', { compressions: 0, aiCredits: 0, failedCpuSeconds: 61, complete: true });
    await evictDurableObject(stub);
    expect(await stub.admit('key_a', rate, 'free')).toMatchObject({ allowed: false, reason: 'failed_work' });
  });

  test('counts once when a settlement is repeated, and not at all when it expired or was released', () =>
    onLedgerBench(async (bench) => {
      for (let time = 0; time < 3; time++) await bench.fail('a', 40);
      expect(await bench.ledger.admit('key_a', rate, 'free')).toEqual({ allowed: true });
      await bench.reserve('b');
      await bench.ledger.release('b');
      await bench.ledger.settle('b', { compressions: 0, aiCredits: 0, failedCpuSeconds: 40, complete: true });
      expect(await bench.ledger.admit('key_a', rate, 'free')).toEqual({ allowed: true });
      await bench.reserve('c');
      bench.now += 1_800_000;
      await bench.ledger.settle('c', { compressions: 0, aiCredits: 0, failedCpuSeconds: 90, complete: true });
      expect(await bench.ledger.admit('key_a', rate, 'free')).toEqual({ allowed: true });
    }));

  test('is as large as the plan has it, and stays spent when the plan changes', () =>
    onLedgerBench(async (bench) => {
      await bench.reserve('a', { plan: 'agency' });
      await bench.ledger.settle('a', { compressions: 0, aiCredits: 0, failedCpuSeconds: 2999, complete: true });
      expect(await bench.ledger.admit('key_a', rate, 'agency')).toEqual({ allowed: true });
      await bench.fail('b', 2);
      expect(await bench.ledger.admit('key_a', rate, 'agency')).toMatchObject({ reason: 'failed_work' });
    }));

  test('costs one row for a settlement with failed files, and none without', () =>
    onLedgerBench(async (bench) => {
      await bench.reserve('a');
      await bench.ledger.settle('a', { compressions: 1, aiCredits: 0, complete: true });
      const plain = bench.written.rows;
      await bench.reserve('b');
      await bench.ledger.settle('b', { compressions: 1, aiCredits: 0, failedCpuSeconds: 0, complete: true });
      expect(bench.written.rows).toBe(2 * plain);
      await bench.reserve('c');
      await bench.ledger.settle('c', { compressions: 1, aiCredits: 0, failedCpuSeconds: 3, complete: true });
      expect(bench.written.rows).toBe(3 * plain + 1);
      expect(bench.rows('buckets')).toBe(1);
    }));

  test('that is no number of seconds is refused, and charges nothing', () =>
    onLedgerBench(async (bench) => {
      await bench.reserve('a');
      for (const failedCpuSeconds of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
        const settling = bench.ledger.settle('a', { compressions: 1, aiCredits: 0, failedCpuSeconds, complete: true });
        await expect(settling).rejects.toThrow(RangeError);
      }
      expect((await bench.ledger.usage('free')).compressions).toMatchObject({ used: 0, remaining: 99 });
      expect(bench.rows('buckets')).toBe(0);
    }));
});

test('a ledger of before the buckets gets their table and keeps its counters', () =>
  onLedgerBench(async (bench) => {
    await bench.reserve('a', { compressions: 7 });
    bench.forgetSteps(
      3,
      `DROP TABLE days; DROP TABLE buckets; DROP TABLE uploads; ALTER TABLE idempotency DROP COLUMN earlier;
        ALTER TABLE idempotency DROP COLUMN earlier_at; ALTER TABLE top_ups DROP COLUMN request_id`,
    );
    bench.restart();
    expect((await bench.ledger.usage('free')).compressions.remaining).toBe(93);
    expect(await call(bench, 601)).toBe(600);
  }));
