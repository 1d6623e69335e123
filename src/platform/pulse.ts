import type { Clock } from './clock.ts';

const BEAT_MS = 5_000;
/** Silence after which a request is suspected; and how long a suspect has to beat once more. */
const SILENT_MS = 20_000;
const SUSPECT_MS = 2 * BEAT_MS;

/**
 * Tells others whether the request that started it still lives. The platform ends the request of a client that has left without
 * running another line of it, `finally` included, but it ends the request's timers with it: so what a request holds in memory that
 * is shared carries a pulse, a timer of the request's own that beats for as long as the request exists, whatever that waits for.
 * The collector would notice, too (FinalizationRegistry), but when, nobody promises: under little load, for minutes not at all.
 *
 * One look is never enough: when the isolate computed for a long time, whoever looks may be woken before the timers of all others.
 * The timer also keeps a request alive that waits for nothing but another request, which the runtime would end as hung.
 */
export class Pulse {
  readonly #clock: Clock;
  #beaten: number;
  #suspectSince: number | undefined;
  #cancel: () => void = () => {};

  /** Starts to beat. To be called, like `stop`, by the request itself: a timer belongs to the request that set it. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#beaten = clock.now();
    this.#schedule();
  }

  stop(): void {
    this.#cancel();
  }

  /** Whether the request is gone; anyone may ask, and has to ask again after some seconds to be told so. */
  get lost(): boolean {
    const now = this.#clock.now();
    if (now - this.#beaten <= SILENT_MS) return false;
    this.#suspectSince ??= now;
    return now - this.#suspectSince > SUSPECT_MS;
  }

  #schedule(): void {
    this.#cancel = this.#clock.timer(BEAT_MS, () => {
      this.#beaten = this.#clock.now();
      this.#suspectSince = undefined;
      this.#schedule();
    });
  }
}
