import { expect, test } from 'vitest';
import { monthsBefore, periodOf } from '../../src/credits/period.ts';

test('a period is the calendar month in UTC', () => {
  expect(periodOf(Date.UTC(2026, 10, 21, 12))).toEqual({
    month: '2026-11',
    start: '2026-11-01T00:00:00Z',
    end: '2026-12-01T00:00:00Z',
  });
});

test('the last millisecond belongs to the old month, the next one to the new', () => {
  const newYear = Date.UTC(2027, 0, 1);
  expect(periodOf(newYear - 1)).toEqual({
    month: '2026-12',
    start: '2026-12-01T00:00:00Z',
    end: '2027-01-01T00:00:00Z',
  });
  expect(periodOf(newYear).month).toBe('2027-01');
});

test('months are counted back across years and from the last day of a long month', () => {
  expect(monthsBefore(Date.UTC(2027, 0, 31), 1)).toBe('2026-12');
  expect(monthsBefore(Date.UTC(2026, 2, 31), 1)).toBe('2026-02');
  expect(monthsBefore(Date.UTC(2026, 10, 30), 12)).toBe('2025-11');
});
