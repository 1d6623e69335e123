/** What the counters of a name are told apart by. Values come from closed sets: each combination is a number that is kept for good. */
export type Labels = Readonly<Record<string, string>>;

/** The name of one number, as Prometheus writes it: `name{label="value"}`, labels in alphabetical order. */
export function series(name: string, labels: Labels = {}): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  if (pairs.length === 0) return name;
  return `${name}{${pairs.map(([label, value]) => `${label}="${escaped(value)}"`).join(',')}}`;
}

/** Prometheus, "Text-based format". */
function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

/** Numbers that only grow, until they are taken away to be added up elsewhere. */
export class Counters {
  #counts = new Map<string, number>();

  get empty(): boolean {
    return this.#counts.size === 0;
  }

  add(name: string, labels: Labels = {}, amount = 1): void {
    const key = series(name, labels);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + amount);
  }

  /** What was counted since the last time, by series. */
  take(): Readonly<Record<string, number>> {
    const counts = Object.fromEntries(this.#counts);
    this.#counts = new Map();
    return counts;
  }
}

/** The isolate's: module state on purpose, since whatever runs in it is counted together. `metrics/flush` takes it away. */
export const isolateCounters = new Counters();
