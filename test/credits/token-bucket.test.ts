import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  drain,
  levelAt,
  perMinute,
  remains,
  type TokenBucket,
  takeToken,
  untilFull,
} from '../../src/credits/token-bucket.ts';

test('a new bucket admits a whole minute of calls at once and then refuses', () => {
  let bucket: TokenBucket | undefined;
  for (let call = 0; call < 60; call++) {
    const taken = takeToken(bucket, perMinute(60), 1000);
    expect(taken.taken).toEqual({ allowed: true });
    bucket = taken.bucket;
  }
  expect(takeToken(bucket, perMinute(60), 1000).taken).toEqual({ allowed: false, retryAfterSeconds: 1 });
});

test('a slow rate tells how long the next token takes', () => {
  const { bucket } = takeToken(undefined, perMinute(1), 0);
  expect(takeToken(bucket, perMinute(1), 0).taken).toEqual({ allowed: false, retryAfterSeconds: 60 });
  expect(takeToken(bucket, perMinute(1), 45_500).taken).toEqual({ allowed: false, retryAfterSeconds: 15 });
  expect(takeToken(bucket, perMinute(1), 60_000).taken).toEqual({ allowed: true });
});

test('a refusal takes nothing, and waiting as long as told is enough', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(fc.integer({ min: 0, max: 3000 })), (rate, waits) => {
      let bucket: TokenBucket | undefined;
      let now = 0;
      for (const wait of waits) {
        now += wait;
        const taken = takeToken(bucket, perMinute(rate), now);
        bucket = taken.bucket;
        expect(bucket.tokens).toBeGreaterThanOrEqual(0);
        if (taken.taken.allowed) continue;
        const later = now + taken.taken.retryAfterSeconds * 1000;
        expect(takeToken(bucket, perMinute(rate), later).taken.allowed).toBe(true);
      }
    }),
  );
});

test('over any stretch of time no more calls pass than the capacity and the refill', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.array(fc.integer({ min: 0, max: 2000 })), (rate, waits) => {
      let bucket: TokenBucket | undefined;
      let now = 0;
      let passed = 0;
      for (const wait of waits) {
        now += wait;
        const taken = takeToken(bucket, perMinute(rate), now);
        bucket = taken.bucket;
        passed += Number(taken.taken.allowed);
      }
      expect(passed).toBeLessThanOrEqual(rate + (now * rate) / 60_000 + 1e-6);
    }),
  );
});

test('a clock set back takes no tokens away, and a bucket is full again after its time', () => {
  const { bucket } = takeToken(undefined, perMinute(10), 100_000);
  expect(takeToken(bucket, perMinute(10), 40_000).bucket.tokens).toBe(8);
  expect(untilFull(bucket, perMinute(10), 100_000)).toBe(6000);
  expect(untilFull(bucket, perMinute(10), 106_000)).toBe(0);
  expect(untilFull(bucket, perMinute(10), 900_000)).toBe(0);
});

test('a rate that is none is our error, not an open door', () => {
  for (const rate of [0, -1, Number.NaN]) expect(() => perMinute(rate)).toThrow(RangeError);
});

const hourly = { capacity: 60, fillMs: 3_600_000 };

test('what is drained beyond the bucket is a debt that time makes up for, evenly', () => {
  const bucket = drain(undefined, hourly, 90, 0);
  expect(bucket.tokens).toBe(-30);
  expect(remains(bucket, hourly, 0)).toEqual({ allowed: false, retryAfterSeconds: 1801 });
  expect(remains(bucket, hourly, 1_800_000)).toEqual({ allowed: false, retryAfterSeconds: 1 });
  expect(remains(bucket, hourly, 1_801_000)).toEqual({ allowed: true });
  expect(untilFull(bucket, hourly, 0)).toBe(5_400_000);
});

test('tokens given back never make more than a full bucket', () => {
  const { bucket } = takeToken(undefined, perMinute(5), 0);
  expect(levelAt(drain(bucket, perMinute(5), -1, 0), perMinute(5), 0)).toBe(5);
  expect(drain(bucket, perMinute(5), -9, 0).tokens).toBe(5);
});

test('waiting as long as told is enough for whatever was drained', () => {
  const cost = fc.double({ min: 0, max: 5000, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(60, 300, 3000), fc.array(cost, { maxLength: 5 }), (capacity, costs) => {
      const refill = { capacity, fillMs: 3_600_000 };
      const bucket = costs.reduce<TokenBucket | undefined>((left, spent) => drain(left, refill, spent, 0), undefined);
      const left = remains(bucket, refill, 0);
      if (left.allowed) return;
      expect(remains(bucket, refill, left.retryAfterSeconds * 1000).allowed).toBe(true);
      expect(remains(bucket, refill, (left.retryAfterSeconds - 1) * 1000 - 1).allowed).toBe(false);
    }),
  );
});
