import { expect, test } from 'vitest';
import { MetricsFlusher } from '../../src/metrics/metrics-flusher.ts';
import type { Portion } from '../../src/metrics/metrics-store.ts';
import { Counters } from '../../src/platform/counters.ts';

/** A flusher on a clock that moves when something waits, and a store that does what it is told. */
function bench() {
  const time = { now: 1_000_000 };
  const arrived: Portion[] = [];
  const store: { answer: () => Promise<void> } = { answer: async () => {} };
  const counters = new Counters();
  const flusher = new MetricsFlusher({
    counters,
    newId: () => 'isolate',
    now: () => time.now,
    shell: {
      random: () => 0.5,
      timer(milliseconds, late) {
        // What is as long as a time limit never rings.
        if (milliseconds >= 5000 && milliseconds !== 20_000) return () => {};
        time.now += milliseconds;
        queueMicrotask(late);
        return () => {};
      },
    },
  });
  const add = async (portion: Portion) => {
    arrived.push(portion);
    await store.answer();
  };
  const flush = (afterMs = 0) => flusher.flush(afterMs, () => ({ add }));
  const flushIfDue = (afterMs: number) => flusher.flushIfDue(afterMs, () => ({ add }));
  return { time, arrived, store, counters, flush, flushIfDue };
}

test('what was counted is carried away once, and nothing is no call', async () => {
  const { arrived, counters, flush } = bench();
  counters.add('a');
  counters.add('a');
  await flush();
  await flush();
  expect(arrived).toEqual([{ source: 'isolate', number: 1, counts: { a: 2 } }]);
});

test('a portion whose answer was lost is sent again as it was, and before the next one', async () => {
  const { arrived, store, counters, flush } = bench();
  store.answer = () => Promise.reject(new Error('Network connection lost.'));
  counters.add('a');
  await flush();
  expect(arrived).toHaveLength(2);
  counters.add('a');
  store.answer = async () => {};
  await flush();
  expect(arrived.map(({ number, counts }) => [number, counts.a])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
    [2, 1],
  ]);
});

test('one request flushes for all of the isolate, not more often than it may', async () => {
  const { time, arrived, counters, flush } = bench();
  counters.add('a');
  await flush(20_000);
  const first = time.now;
  counters.add('a');
  await Promise.all(Array.from({ length: 50 }, () => flush(20_000)));
  expect(arrived).toHaveLength(2);
  expect(time.now - first).toBe(20_000);
});

test('whoever wants the numbers now does not wait for one that flushes later', async () => {
  const { time, arrived, counters, flush } = bench();
  counters.add('a');
  await flush(20_000);
  counters.add('a');
  const later = flush(20_000);
  const before = time.now;
  await flush();
  expect([arrived.length, time.now - before]).toEqual([2, 0]);
  await later;
  expect(arrived).toHaveLength(2);
});

test('whoever may not wait leaves it to others until it is due', async () => {
  const { time, arrived, counters, flush, flushIfDue } = bench();
  counters.add('a');
  await flush();
  counters.add('a');
  time.now += 9000;
  await flushIfDue(10_000);
  expect(arrived).toHaveLength(1);
  time.now += 1000;
  await flushIfDue(10_000);
  expect(arrived).toHaveLength(2);
});

test('a request that was cut in the middle holds nobody up for long', async () => {
  const { time, arrived, store, counters, flush } = bench();
  store.answer = () => new Promise(() => {});
  counters.add('a');
  void flush();
  await Promise.resolve();
  store.answer = async () => {};
  time.now += 15_000;
  await flush();
  expect(arrived).toHaveLength(1);
  time.now += 11_000;
  await flush();
  expect(arrived.map(({ number }) => number)).toEqual([1, 1]);
});
