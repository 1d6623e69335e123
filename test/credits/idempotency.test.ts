import { expect, test } from 'vitest';
import { type IdempotencyRecord, judgeIdempotency } from '../../src/credits/idempotency.ts';

const clock = { now: 100_000, memory: 10_000 };
const response = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"data":[]}' };
const running: IdempotencyRecord = { requestId: 'first', fingerprint: 'a', finished: null };
const finished: IdempotencyRecord = { ...running, finished: { at: 95_000, response } };
const again = { requestId: 'second', fingerprint: 'a' };
const other = { requestId: 'second', fingerprint: 'b' };

test('an unknown key is fresh', () => {
  expect(judgeIdempotency(undefined, again, false, clock)).toEqual({ kind: 'fresh' });
});

test('a finished request is answered again, until the memory ends', () => {
  expect(judgeIdempotency(finished, again, false, clock)).toEqual({ kind: 'replay', response });
  expect(judgeIdempotency(finished, again, false, { ...clock, now: 104_999 }).kind).toBe('replay');
  expect(judgeIdempotency(finished, again, false, { ...clock, now: 105_000 }).kind).toBe('fresh');
});

test('while the first request runs the same one conflicts', () => {
  expect(judgeIdempotency(running, again, true, clock).kind).toBe('conflict');
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
