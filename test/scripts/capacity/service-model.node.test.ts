import { describe, expect, test } from 'vitest';
import { lanesNeeded, mostImages } from '../../../scripts/capacity/lanes-needed.ts';
import { mean, quantile } from '../../../scripts/capacity/quantile.ts';
import { type ServiceTimes, type Situation, simulate } from '../../../scripts/capacity/service-model.ts';
import { limits } from '../../../src/limits.ts';

const times: ServiceTimes = {
  kinds: [{ share: 1, engineSeconds: 0.5 }],
  storage: 0,
  upload: 0,
  ledgerCall: 0,
  query: 0,
  portion: 0,
  cold: { afterSeconds: Number.POSITIVE_INFINITY, seconds: 0 },
};
const small: Situation = {
  imagesPerSecond: 1,
  batch: 1,
  colos: 1,
  accounts: 1,
  lanes: 1,
  lanesPerIsolate: 1,
  frontIsolates: 1,
  seconds: 100_000,
};

describe('the model', () => {
  test('with one lane and one kind of image is M/D/1', () => {
    const { waits, refused, load } = simulate(small, times);
    // ρ / (2μ(1 − ρ)) with ρ = ½, μ = 2
    expect(Math.abs(mean(waits) / 0.25 - 1)).toBeLessThan(0.05);
    expect([refused, load.lanes]).toEqual([0, expect.closeTo(0.5, 1)]);
  });

  test('loses no image: each has waited or was refused', () => {
    const { waits, refused, images } = simulate(
      { ...small, imagesPerSecond: 40, lanes: 16, batch: 5, seconds: 500 },
      times,
    );
    expect(waits.length + refused).toBe(images);
    expect(images).toBeGreaterThan(15_000);
  });

  test('refuses what does not fit, and nobody waits in a lane for longer than the queue allows', () => {
    const { waits, refused, images, load } = simulate({ ...small, imagesPerSecond: 8, seconds: 2000 }, times);
    // One lane does two images a second.
    expect(refused / images).toBeCloseTo(0.75, 1);
    expect(load.lanes).toBeCloseTo(1, 1);
    expect(Math.max(...waits)).toBeLessThanOrEqual(limits.queue.ageMs / 1000);
  });

  test('waits less with more lanes, and more where lanes share isolates', () => {
    const p99 = (more: Partial<Situation>) =>
      quantile(simulate({ ...small, imagesPerSecond: 10, batch: 5, seconds: 2000, ...more }, times).waits, 0.99);
    expect(p99({ lanes: 32 })).toBeLessThan(p99({ lanes: 16 }));
    expect(p99({ lanes: 32, lanesPerIsolate: 4 })).toBeGreaterThan(p99({ lanes: 32 }));
  });

  test('starts an isolate that was idle for long, which takes its time', () => {
    const cold = { afterSeconds: 10, seconds: 3 };
    const found = simulate({ ...small, imagesPerSecond: 0.01, seconds: 1_000_000 }, { ...times, cold });
    // Of gaps of 100 s on average, e^(−0.1) are longer than 10 s.
    expect(found.cold / found.images).toBeCloseTo(Math.exp(-0.1), 1);
    expect(quantile(found.waits, 0.5)).toBe(3);
  });

  test('asks D1 for a key again when it was forgotten', () => {
    const query = 0.01;
    const found = simulate({ ...small, seconds: 10_000 }, { ...times, query });
    // One look-up, then none for as long as it is remembered, then the next request: 31 s on average.
    expect(found.load.D1 / query).toBeCloseTo(1 / (limits.keyCacheSeconds + 1), 2);
  });
});

test('the lanes needed are the fewest that reach the goal, and do what is asked of them', () => {
  const at = (lanes: number) => ({ ...small, imagesPerSecond: 20, batch: 5, lanes, seconds: 1000 });
  const needed = lanesNeeded(times, at)!;
  expect(needed).toBeGreaterThan(10);
  const most = mostImages(times, (imagesPerSecond) => ({ ...at(needed), imagesPerSecond }));
  expect(most).toBeGreaterThan(18);
  expect(mostImages(times, (imagesPerSecond) => ({ ...at(needed / 2), imagesPerSecond }))).toBeLessThan(20);
});
