import type { Clock } from './clock.ts';
import { Pulse } from './pulse.ts';

/** How often a waiting request looks whether a holder is gone. */
const LOOK_MS = 1000;

/** A place that a request of this isolate has. */
export interface Place {
  /** Whether the request was cut by the platform; see `Pulse.lost`. */
  readonly lost: boolean;
  /** Gives the place back; to be called by the request that has it. Again, it does nothing. */
  leave(): void;
}

interface Holder extends Place {
  enter(): void;
}

/** A bounded number of places for requests of this isolate, first come, first served. Those of requests that were cut lapse. */
export class Places {
  readonly most: number;
  readonly #clock: Clock;
  readonly #taken = new Set<Holder>();
  readonly #waiting: Holder[] = [];

  constructor(most: number, clock: Clock) {
    this.most = most;
    this.#clock = clock;
  }

  /** Nobody has one or waits for one. */
  get empty(): boolean {
    return this.#taken.size + this.#waiting.length === 0;
  }

  /** No place is free. */
  get full(): boolean {
    return this.#taken.size >= this.most;
  }

  /** A place, if one is free now. */
  tryEnter(): Place | undefined {
    this.#admit();
    if (this.#taken.size >= this.most) this.#dropLost();
    if (this.#taken.size >= this.most) return undefined;
    const holder = this.#holder(() => {});
    this.#taken.add(holder);
    return holder;
  }

  /** Waits for a place up to so many seconds; undefined when there was none. */
  async enter(seconds: number): Promise<Place | undefined> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const holder = this.#holder(() => resolve(true));
    this.#waiting.push(holder);
    this.#admit();
    let cancel = () => {};
    const look = (looks: number) => {
      if (looks * LOOK_MS > seconds * 1000) return resolve(false);
      this.#dropLost();
      cancel = this.#clock.timer(LOOK_MS, () => look(looks + 1));
    };
    if (!this.#taken.has(holder)) look(1);
    const entered = await promise;
    cancel();
    if (entered) return holder;
    holder.leave();
    return undefined;
  }

  #holder(enter: () => void): Holder {
    const pulse = new Pulse(this.#clock);
    const holder = {
      enter,
      get lost() {
        return pulse.lost;
      },
      leave: () => {
        pulse.stop();
        this.#remove(holder);
      },
    };
    return holder;
  }

  #remove(holder: Holder): void {
    const at = this.#waiting.indexOf(holder);
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#taken.delete(holder);
    this.#admit();
  }

  #admit(): void {
    while (this.#taken.size < this.most) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#taken.add(next);
      next.enter();
    }
  }

  /** Their timers are not touched: a timer can only be ended by the request that set it. */
  #dropLost(): void {
    for (const holder of this.#taken) if (holder.lost) this.#remove(holder);
  }
}
