import { describe, expect, test } from 'vitest';
import { dayIn } from '../../src/credits/period.ts';
import { onLedgerBench } from '../support/ledger-bench.ts';

const HOUR = 3_600_000;
const done = { compressions: 2, aiCredits: 1, complete: true, keyId: 'key_a', bytesIn: 100, bytesOut: 40 };
const ask = { plan: 'agency', compressions: 3, aiCredits: 2 } as const;
const all = ['2000-01-01', '2200-01-01'] as const;

describe('usage by day', () => {
  test('adds settlements up, each of them once however often it is called', () =>
    onLedgerBench(async (bench) => {
      for (const id of ['one', 'two']) {
        await bench.reserve(id, ask);
        for (let call = 0; call < 3; call++) await bench.ledger.settle(id, done);
      }
      await bench.reserve('other', ask);
      await bench.ledger.settle('other', { ...done, keyId: 'key_b' });
      bench.restart();
      expect(await bench.ledger.days(...all)).toEqual([
        { day: '2100-11-21', keyId: 'key_a', compressions: 4, aiCredits: 2, bytesIn: 200, bytesOut: 80 },
        { day: '2100-11-21', keyId: 'key_b', compressions: 2, aiCredits: 1, bytesIn: 100, bytesOut: 40 },
      ]);
      expect((await bench.ledger.usage('agency')).compressions.used).toBe(6);
    }));

  test('has nothing of what was released, expired or charged nothing, and writes no row for it', () =>
    onLedgerBench(async (bench) => {
      await bench.reserve('released', ask);
      await bench.ledger.release('released');
      await bench.ledger.settle('released', done);
      await bench.reserve('expired', ask);
      bench.now += 2 * HOUR;
      await bench.ledger.settle('expired', done);
      await bench.reserve('failed', ask);
      await bench.ledger.settle('failed', { compressions: 0, aiCredits: 0, complete: true, keyId: 'key_a' });
      expect(await bench.ledger.days(...all)).toEqual([]);
    }));

  test('never counts more than was reserved', () =>
    onLedgerBench(async (bench) => {
      await bench.reserve('one', { plan: 'agency', compressions: 1, aiCredits: 0 });
      await bench.ledger.settle('one', done);
      expect(await bench.ledger.days(...all)).toMatchObject([{ compressions: 1, aiCredits: 0 }]);
    }));

  test('of a month adds up to the month, also where a batch ends in the next one', () =>
    onLedgerBench(async (bench) => {
      bench.now = Date.UTC(2100, 10, 30, 23, 59, 59);
      await bench.reserve('late', ask);
      bench.now += 10_000;
      await bench.ledger.settle('late', done);
      expect(await bench.ledger.days(...all)).toMatchObject([{ day: '2100-11-30', compressions: 2 }]);
    }));

  test('survives a year and not much more', () =>
    onLedgerBench(async (bench) => {
      await bench.reserve('one', ask);
      await bench.ledger.settle('one', done);
      bench.now = Date.UTC(2101, 10, 20);
      await bench.ledger.alarm();
      expect(await bench.ledger.days(...all)).toHaveLength(1);
      bench.now = Date.UTC(2101, 11, 2);
      await bench.ledger.alarm();
      expect(await bench.ledger.days(...all)).toHaveLength(0);
    }));

  test('counts batches of a version that noted no key', () =>
    onLedgerBench(async (bench) => {
      await bench.reserve('one', ask);
      await bench.ledger.settle('one', { compressions: 1, aiCredits: 0, complete: true });
      expect(await bench.ledger.days(...all)).toMatchObject([{ keyId: 'unknown', compressions: 1, bytesIn: 0 }]);
    }));
});

test.each([
  ['2026-11', '2026-11-22T12:00:00Z', '2026-11-22'],
  ['2026-10', '2026-11-22T12:00:00Z', '2026-10-31'],
  ['2026-12', '2026-11-22T12:00:00Z', '2026-12-01'],
  ['2028-02', '2028-03-01T00:00:00Z', '2028-02-29'],
])('the day of %s nearest to %s is %s', (month, now, day) => {
  expect(dayIn(month, Date.parse(now))).toBe(day);
});
