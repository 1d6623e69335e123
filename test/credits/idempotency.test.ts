import { describe, expect, test } from 'vitest';
import { earlierOf, type IdempotencyRecord, judgeIdempotency } from '../../src/credits/idempotency.ts';

const clock = { now: 100_000, memory: 10_000 };
const running: IdempotencyRecord = { requestId: 'first', fingerprint: 'a', finished: null };
const finished: IdempotencyRecord = { ...running, finished: { at: 95_000, complete: true } };
const partly: IdempotencyRecord = { ...running, finished: { at: 95_000, complete: false } };
const again = { requestId: 'second', fingerprint: 'a' };
const other = { requestId: 'second', fingerprint: 'b' };

test('an unknown key is fresh', () => {
  expect(judgeIdempotency(undefined, again, false, clock)).toEqual({ kind: 'fresh' });
});

test('a finished request is answered again, until the memory ends', () => {
  expect(judgeIdempotency(finished, again, false, clock)).toEqual({ kind: 'replay', requestId: 'first' });
  expect(judgeIdempotency(finished, again, false, { ...clock, now: 104_999 }).kind).toBe('replay');
  expect(judgeIdempotency(finished, again, false, { ...clock, now: 105_000 }).kind).toBe('fresh');
});

test('while the first request runs the same one conflicts', () => {
  expect(judgeIdempotency(running, again, true, clock)).toEqual({ kind: 'conflict', requestId: 'first' });
});

test('a request that failed in part for a reason of ours is resumed, by whoever says so', () => {
  expect(judgeIdempotency(partly, again, false, clock)).toEqual({ kind: 'resume', requestId: 'first' });
  expect(judgeIdempotency(partly, { ...again, resumes: 'first' }, false, clock)).toEqual({ kind: 'fresh' });
  expect(judgeIdempotency(partly, { ...again, resumes: 'other' }, false, clock).kind).toBe('resume');
  expect(judgeIdempotency(partly, { ...other, resumes: 'first' }, false, clock).kind).toBe('mismatch');
});

describe('a request that resumes another one', () => {
  const resuming = { ...running, requestId: 'second', earlier: { requestId: 'first', at: 95_000 } };

  test('that was lost leaves the key to the other one', () => {
    const third = { requestId: 'third', fingerprint: 'a' };
    expect(judgeIdempotency(resuming, third, true, clock)).toEqual({ kind: 'conflict', requestId: 'second' });
    expect(judgeIdempotency(resuming, third, false, clock)).toEqual({ kind: 'resume', requestId: 'first' });
    expect(judgeIdempotency(resuming, { ...third, fingerprint: 'b' }, false, clock).kind).toBe('mismatch');
    expect(judgeIdempotency(resuming, third, false, { ...clock, now: 105_000 }).kind).toBe('fresh');
  });

  test('takes up the same when it is delivered twice', () => {
    expect(judgeIdempotency(resuming, again, true, clock)).toEqual({ kind: 'resume', requestId: 'first' });
    expect(judgeIdempotency(resuming, { ...again, resumes: 'first' }, true, clock).kind).toBe('fresh');
    const lateAgain = { ...again, resumes: 'first' };
    expect(judgeIdempotency(resuming, lateAgain, false, clock).kind).toBe('fresh');
  });

  test('is recorded with it, also when the call is made twice', () => {
    const asked = { ...again, resumes: 'first' };
    expect(earlierOf(partly, asked)).toEqual({ requestId: 'first', at: 95_000 });
    expect(earlierOf(resuming, asked)).toEqual({ requestId: 'first', at: 95_000 });
    expect(earlierOf(partly, again)).toBeUndefined();
    expect(earlierOf(undefined, asked)).toBeUndefined();
  });
});

test('another request under the key is a mismatch, running or finished', () => {
  expect(judgeIdempotency(running, other, true, clock).kind).toBe('mismatch');
  expect(judgeIdempotency(finished, other, false, clock).kind).toBe('mismatch');
});

test('a running request whose reservation is gone was lost, and stops nobody', () => {
  expect(judgeIdempotency(running, again, false, clock).kind).toBe('fresh');
  expect(judgeIdempotency(running, other, false, clock).kind).toBe('fresh');
});

test('the same request delivered twice does not conflict with itself', () => {
  expect(judgeIdempotency(running, { requestId: 'first', fingerprint: 'a' }, true, clock).kind).toBe('fresh');
});
