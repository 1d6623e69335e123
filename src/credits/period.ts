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

/** The day (`YYYY-MM-DD` in UTC) that holds `now` (ms), or the day of `month` (`YYYY-MM`) that is nearest to it. */
export function dayIn(month: string, now: number): string {
  const day = dayOf(now);
  if (day.startsWith(month)) return day;
  const first = Date.parse(`${month}-01T00:00:00Z`);
  return day < month ? dayOf(first) : dayOf(Date.parse(monthStart(new Date(first), 1)) - 1);
}

/** The day (`YYYY-MM-DD` in UTC) that holds `now` (ms since the epoch). */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function monthStart(date: Date, offset: number): string {
  const start = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1));
  return start.toISOString().replace('.000Z', 'Z');
}
