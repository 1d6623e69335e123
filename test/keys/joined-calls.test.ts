import { expect, test } from 'vitest';
import { JoinedCalls } from '../../src/keys/joined-calls.ts';

/** Calls that the test answers, in the order in which they were made. */
function bench() {
  const calls = new JoinedCalls<string>(1000);
  const made: PromiseWithResolvers<string>[] = [];
  const call = () => {
    const next = Promise.withResolvers<string>();
    made.push(next);
    return next.promise;
  };
  return { calls, made, join: (id: string, stamp: number, now: number) => calls.join(id, stamp, now, call) };
}

test('who asks the same at the same time shares a call and its answer', async () => {
  const { join, made } = bench();
  const joined = [join('a', 0, 0), join('a', 0, 999), join('b', 0, 0)];
  expect(made).toHaveLength(2);
  made[0]!.resolve('one');
  made[1]!.resolve('two');
  expect(await Promise.all(joined)).toEqual(['one', 'one', 'two']);
});

test('an answered call is not joined, nor is one that failed', async () => {
  const { calls, join, made } = bench();
  const first = join('a', 0, 0);
  made[0]!.reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  expect(calls.has('a', 0, 0)).toBe(false);
  const second = join('a', 0, 0);
  made[1]!.resolve('found');
  await second;
  expect(calls.has('a', 0, 0)).toBe(false);
});

test('a call that takes too long is joined no more, and its late end does not touch the one in its place', async () => {
  const { calls, join, made } = bench();
  const first = join('a', 0, 0);
  const second = join('a', 0, 1000);
  expect(made).toHaveLength(2);
  made[0]!.resolve('late');
  expect(await first).toBe('late');
  expect(calls.has('a', 0, 1500)).toBe(true);
  made[1]!.resolve('in time');
  expect(await second).toBe('in time');
});

test('a call made before a change is not joined after it', () => {
  const { join, made } = bench();
  void join('a', 0, 0);
  void join('a', 1, 0);
  expect(made).toHaveLength(2);
});
