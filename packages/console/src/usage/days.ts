import type { UsageDay } from '@plume/client';

/** One day of the account, all its keys together. */
export interface DaySum {
  /** `2026-11-22`, UTC. */
  readonly day: string;
  readonly compressions: number;
  readonly aiCredits: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

const DAY_MS = 86_400_000;

/** The last `count` days in UTC, today the last, as `2026-11-22`. */
export function lastDays(count: number, now: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => new Date(now - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10));
}

/** Sums by day; a day on which nothing happened has zeroes. */
export function sumByDay(days: readonly string[], entries: readonly UsageDay[]): readonly DaySum[] {
  return days.map((day) => ({ day, ...sum(entries.filter((entry) => entry.day === day)) }));
}

/** Sums by key, the busiest first. */
export function sumByKey(entries: readonly UsageDay[]): readonly (Omit<DaySum, 'day'> & { readonly keyId: string })[] {
  const byKey = Map.groupBy(entries, ({ keyId }) => keyId);
  const sums = [...byKey].map(([keyId, own]) => ({ keyId, ...sum(own) }));
  return sums.sort((one, other) => other.compressions - one.compressions);
}

export function sum(entries: readonly Omit<DaySum, 'day'>[]): Omit<DaySum, 'day'> {
  const of = (name: keyof Omit<DaySum, 'day'>) => entries.reduce((total, entry) => total + entry[name], 0);
  return {
    compressions: of('compressions'),
    aiCredits: of('aiCredits'),
    bytesIn: of('bytesIn'),
    bytesOut: of('bytesOut'),
  };
}

/** The least round number (1, 2 or 5 times a power of ten) that is at least `value`: where a chart's axis ends. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return Math.max(step * power, 5);
}
