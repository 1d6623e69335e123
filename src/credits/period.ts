/** One billing period: a calendar month in UTC. */
export interface Period {
  /** `YYYY-MM`; sorts as time does. */
  month: string;
  /** ISO 8601 in UTC to the second. */
  start: string;
  /** The first second after the period, in the same form. */
  end: string;
}

/** The calendar month in UTC that holds `now` (ms since the epoch). */
export function periodOf(now: number): Period {
  const date = new Date(now);
  const start = monthStart(date, 0);
  return { month: start.slice(0, 7), start, end: monthStart(date, 1) };
}

/** The `YYYY-MM` that lies `count` months before the one that holds `now` (ms). */
export function monthsBefore(now: number, count: number): string {
  return monthStart(new Date(now), -count).slice(0, 7);
}

function monthStart(date: Date, offset: number): string {
  const start = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1));
  return start.toISOString().replace('.000Z', 'Z');
}
