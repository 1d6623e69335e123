import type { Clock } from '../../src/platform/clock.ts';

interface Alarm {
  readonly at: number;
  readonly late: () => void;
}

/** A clock that moves when it is told to; what is due then runs in order, and all that waits for it after each. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return this.#now;
  }

  timer(milliseconds: number, late: () => void): () => void {
    const alarm = { at: this.#now + milliseconds, late };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** Timers that are set. */
  get pending(): number {
    return this.#alarms.size;
  }

  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = next.at;
      this.#alarms.delete(next);
      next.late();
      await settle();
    }
    this.#now = end;
  }

  /** Moves on while nothing can run, as it does while the isolate computes. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Ends every timer without a word, as the platform does with those of a request that it cuts. */
  cut(): void {
    this.#alarms.clear();
  }

  #next(end: number): Alarm | undefined {
    const due = [...this.#alarms].filter(({ at }) => at <= end);
    return due.reduce<Alarm | undefined>((first, alarm) => (first && first.at <= alarm.at ? first : alarm), undefined);
  }
}

/** Lets everything run on that waits for nothing but promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
