import type { Clock } from './clock.ts';
import { Pulse } from './pulse.ts';

/** Milliseconds after which a waiting request looks for the first time whether it has its place, doubled up to the longest. */
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 250;

/** A place that a request of this isolate has. */
export interface Place {
  /** Whether the request was cut by the platform; see `Pulse.lost`. */
  readonly lost: boolean;
  /** Gives the place back; to be called by the request that has it. Again, it does nothing. */
  leave(): void;
}

/**
 * A bounded number of places for requests and objects of this isolate, first come, first served. Those of requests that were cut lapse. Who
 * waits looks by a timer of its own whether it has its place: it is never woken by another, in whose context it would go on.
 */
export class Places {
  readonly most: number;
  readonly #clock: Clock;
  readonly #taken = new Set<Place>();
  readonly #waiting: Place[] = [];

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
    const holder = this.#holder();
    this.#taken.add(holder);
    return holder;
  }

  /** Waits for a place up to so many seconds; undefined when there was none. */
  async enter(seconds: number): Promise<Place | undefined> {
    const holder = this.#holder();
    this.#waiting.push(holder);
    this.#admit();
    const end = this.#clock.now() + seconds * 1000;
    for (let look = FIRST_LOOK_MS; !this.#taken.has(holder); look = Math.min(2 * look, LONGEST_LOOK_MS)) {
      const left = end - this.#clock.now();
      if (left <= 0) {
        holder.leave();
        return undefined;
      }
      await new Promise<void>((resolve) => void this.#clock.timer(Math.min(look, left), resolve));
      this.#dropLost();
    }
    return holder;
  }

  #holder(): Place {
    const pulse = new Pulse(this.#clock);
    const holder = {
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

  #remove(holder: Place): void {
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
    }
  }

  /** Their timers are not touched: a timer can only be ended by the request that set it. */
  #dropLost(): void {
    for (const holder of this.#taken) if (holder.lost) this.#remove(holder);
  }
}
