import type { PlatformShell } from '../../src/platform/call-platform.ts';

interface Timer {
  readonly due: number;
  readonly late: () => void;
}

/** Time (ms) that passes only where the test lets it. */
export class ManualTime implements PlatformShell {
  now: number;
  readonly #timers = new Set<Timer>();

  constructor(now: number) {
    this.now = now;
  }

  readonly clock = () => this.now;

  random(): number {
    return 0.5;
  }

  timer(milliseconds: number, late: () => void): () => void {
    const timer = { due: this.now + milliseconds, late };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /**
   * Waits for the promise and moves time to the next timer whenever nothing else is left to happen. `busy` tells that something real is
   * under way, which takes no time by this clock.
   */
  async pass<Result>(promise: Promise<Result>, busy: () => boolean = () => false): Promise<Result> {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    promise.then(settle, settle);
    while (!settled) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (!settled && !busy()) this.#ringNext();
    }
    return promise;
  }

  #ringNext(): void {
    const [next] = [...this.#timers].sort((one, other) => one.due - other.due);
    if (next === undefined) return;
    this.#timers.delete(next);
    this.now = Math.max(this.now, next.due);
    next.late();
  }
}
