import { expect, test } from 'vitest';
import { AccountShares } from '../../src/batch/account-shares.ts';

const of = (accountId: string, weight = 1) => ({ accountId, weight });

/** Shares on a clock that the test sets. */
function bench() {
  const clock = { now: 1_000_000 };
  return { clock, shares: new AccountShares(() => clock.now) };
}

test('who was never served has had nothing, and was served long ago', () => {
  const { shares } = bench();
  expect([shares.of(of('a')), shares.lastServed(of('a'))]).toEqual([0, Number.NEGATIVE_INFINITY]);
});

test('what an account had counts by its weight, and adds up', () => {
  const { shares } = bench();
  shares.served(of('light', 1), 800);
  shares.served(of('heavy', 8), 800);
  shares.served(of('heavy', 8), 800);
  expect([shares.of(of('light')), shares.of(of('heavy'))]).toEqual([800, 200]);
});

test('half of it is forgotten every 30 seconds', () => {
  const { clock, shares } = bench();
  shares.served(of('a'), 800);
  clock.now += 30_000;
  expect(shares.of(of('a'))).toBeCloseTo(400);
  shares.served(of('a'), 100);
  clock.now += 60_000;
  expect(shares.of(of('a'))).toBeCloseTo(125);
});

test('being served moves the time and nothing else', () => {
  const { clock, shares } = bench();
  shares.served(of('a'), 800);
  clock.now += 5000;
  const before = shares.of(of('a'));
  shares.served(of('a'), 0);
  expect([shares.of(of('a')), shares.lastServed(of('a'))]).toEqual([before, clock.now]);
});

test('of more than 1,000 accounts those that were not served for longest are forgotten', () => {
  const { clock, shares } = bench();
  for (let account = 0; account < 1000; account++) {
    clock.now += 1;
    shares.served(of(`${account}`), 50);
  }
  shares.served(of('0'), 0);
  shares.served(of('new'), 50);
  expect(shares.of(of('0'))).toBeGreaterThan(0);
  expect(shares.of(of('1'))).toBe(0);
  expect(shares.of(of('2'))).toBeGreaterThan(0);
});
