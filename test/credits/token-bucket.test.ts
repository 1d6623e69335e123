import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFull, type TokenBucket, takeToken } from '../../src/credits/token-bucket.ts';

test('a new bucket admits a whole minute of calls at once and then refuses', () => {
  let bucket: TokenBucket | undefined;
  for (let call = 0; call < 60; call++) {
    const taken = takeToken(bucket, 60, 1000);
    expect(taken.admission).toEqual({ allowed: true });
    bucket = taken.bucket;
  }
  expect(takeToken(bucket, 60, 1000).admission).toEqual({ allowed: false, retryAfterSeconds: 1 });
});

test('a slow rate tells how long the next token takes', () => {
  const { bucket } = takeToken(undefined, 1, 0);
  expect(takeToken(bucket, 1, 0).admission).toEqual({ allowed: false, retryAfterSeconds: 60 });
  expect(takeToken(bucket, 1, 45_500).admission).toEqual({ allowed: false, retryAfterSeconds: 15 });
  expect(takeToken(bucket, 1, 60_000).admission).toEqual({ allowed: true });
});

test('a refusal takes nothing, and waiting as long as told is enough', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(fc.integer({ min: 0, max: 3000 })), (perMinute, waits) => {
      let bucket: TokenBucket | undefined;
      let now = 0;
      for (const wait of waits) {
        now += wait;
        const taken = takeToken(bucket, perMinute, now);
        bucket = taken.bucket;
        expect(bucket.tokens).toBeGreaterThanOrEqual(0);
        if (taken.admission.allowed) continue;
        const later = now + taken.admission.retryAfterSeconds * 1000;
        expect(takeToken(bucket, perMinute, later).admission.allowed).toBe(true);
      }
    }),
  );
});

test('over any stretch of time no more calls pass than the capacity and the refill', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.array(fc.integer({ min: 0, max: 2000 })), (perMinute, waits) => {
      let bucket: TokenBucket | undefined;
      let now = 0;
      let passed = 0;
      for (const wait of waits) {
        now += wait;
        const taken = takeToken(bucket, perMinute, now);
        bucket = taken.bucket;
        passed += Number(taken.admission.allowed);
      }
      expect(passed).toBeLessThanOrEqual(perMinute + (now * perMinute) / 60_000 + 1e-6);
    }),
  );
});

test('a clock set back takes no tokens away, and a bucket is full again after a minute', () => {
  const { bucket } = takeToken(undefined, 10, 100_000);
  expect(takeToken(bucket, 10, 40_000).bucket.tokens).toBe(8);
  expect(isFull(bucket, 10, 100_000)).toBe(false);
  expect(isFull(bucket, 10, 160_000)).toBe(true);
});

test('a rate that is none is our error, not an open door', () => {
  for (const rate of [0, -1, Number.NaN]) expect(() => takeToken(undefined, rate, 0)).toThrow(RangeError);
});
