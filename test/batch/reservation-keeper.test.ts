import { expect, test } from 'vitest';
import { ReservationKeeper } from '../../src/batch/reservation-keeper.ts';
import type { ExtendResult } from '../../src/credits/ledger.ts';

const START = 1_800_000_000_000;
const TTL = 900_000;

/** A keeper on a clock that the test sets, in milliseconds from its beginning. */
function bench(answer: (now: number) => Promise<ExtendResult> = async (now) => ({ held: true, expiresAt: now + TTL })) {
  const state = { now: 0, calls: [] as number[], failures: [] as unknown[] };
  const keeper = new ReservationKeeper({
    expiresAt: START + TTL,
    now: () => START + state.now,
    extend: () => {
      state.calls.push(state.now);
      return answer(START + state.now);
    },
    failed: (error) => void state.failures.push(error),
  });
  const progressAt = (now: number) => {
    state.now = now;
    return keeper.progressed();
  };
  return { state, progressAt };
}

test('a short batch never asks the ledger', async () => {
  const { state, progressAt } = bench();
  for (let now = 0; now < TTL / 3; now += 1000) await progressAt(now);
  expect(state.calls).toEqual([]);
});

test('a long batch extends its reservation each time a third of it is over', async () => {
  const { state, progressAt } = bench();
  for (let now = 0; now <= TTL; now += 50_000) await progressAt(now);
  expect(state.calls).toEqual([300_000, 600_000, 900_000]);
});

test('files that end at the same moment ask once', async () => {
  const { state, progressAt } = bench();
  await Promise.all([progressAt(400_000), progressAt(400_000), progressAt(400_000)]);
  expect(state.calls).toHaveLength(1);
});

test('a call that fails is made again at the next file, and the batch goes on', async () => {
  let failures = 2;
  const { state, progressAt } = bench(async (now) => {
    if (failures-- > 0) throw new Error('network');
    return { held: true, expiresAt: now + TTL };
  });
  for (const now of [300_000, 300_500, 301_000, 302_000]) await progressAt(now);
  expect(state.calls).toEqual([300_000, 300_500, 301_000]);
  expect(state.failures).toHaveLength(2);
});

test('a reservation that is lost is not asked for again', async () => {
  const { state, progressAt } = bench(async () => ({ held: false }));
  for (const now of [300_000, 500_000, 700_000]) await progressAt(now);
  expect(state.calls).toEqual([300_000]);
});
