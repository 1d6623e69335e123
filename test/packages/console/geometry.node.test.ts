import { describe, expect, test } from 'vitest';
import { isLarger, placed, scaled, scaleOf, zoomedAbout } from '../../../packages/console/src/compare/geometry.ts';
import { lastDays, roundUp, sumByDay, sumByKey } from '../../../packages/console/src/usage/days.ts';

const stage = { width: 1000, height: 500 };
const photo = { width: 4000, height: 3000 };

describe('the comparison', () => {
  test('fits a picture whole and never enlarges it; otherwise pixels of the screen count', () => {
    expect(scaleOf('fit', photo, stage, 1)).toBeCloseTo(1 / 6);
    expect(scaleOf('fit', { width: 100, height: 80 }, stage, 2)).toBe(1);
    expect(scaleOf(1, photo, stage, 2)).toBe(0.5);
    expect(scaleOf(2, photo, stage, 1)).toBe(2);
  });

  test('centres what is smaller, and leaves no gap beside what is larger', () => {
    expect(placed({ x: 99, y: -99 }, { width: 200, height: 100 }, stage)).toEqual({ x: 400, y: 200 });
    expect(placed({ x: 99, y: -9999 }, photo, stage)).toEqual({ x: 0, y: -2500 });
    expect(placed({ x: -120, y: -80 }, photo, stage)).toEqual({ x: -120, y: -80 });
    expect(isLarger(scaled(photo, 1 / 6), stage)).toBe(false);
    expect(isLarger(photo, stage)).toBe(true);
  });

  test('keeps the point under the pointer where it is', () => {
    const anchor = { x: 300, y: 200 };
    const corner = { x: -50, y: 20 };
    const moved = zoomedAbout(anchor, corner, 0.5, 2);
    expect((anchor.x - moved.x) / 2).toBeCloseTo((anchor.x - corner.x) / 0.5);
    expect((anchor.y - moved.y) / 2).toBeCloseTo((anchor.y - corner.y) / 0.5);
  });
});

describe('the days', () => {
  const entry = (day: string, keyId: string, compressions: number) => ({
    day,
    keyId,
    compressions,
    aiCredits: 1,
    bytesIn: 10,
    bytesOut: 4,
  });
  const entries = [entry('2026-11-21', 'a', 2), entry('2026-11-22', 'a', 3), entry('2026-11-22', 'b', 9)];

  test('end today in UTC, over the end of a month', () => {
    expect(lastDays(3, Date.parse('2026-12-01T23:59:59Z'))).toEqual(['2026-11-29', '2026-11-30', '2026-12-01']);
  });

  test('are summed by day and by key', () => {
    const days = sumByDay(['2026-11-20', '2026-11-21', '2026-11-22'], entries);
    expect(days.map(({ compressions }) => compressions)).toEqual([0, 2, 12]);
    expect(sumByKey(entries).map(({ keyId, bytesIn }) => [keyId, bytesIn])).toEqual([
      ['b', 10],
      ['a', 20],
    ]);
  });

  test('have an axis that ends at a round number', () => {
    expect([0, 3, 7, 12, 51, 999, 1001].map(roundUp)).toEqual([5, 5, 10, 20, 100, 1000, 2000]);
  });
});
