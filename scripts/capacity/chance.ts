import { seededRandom } from '../fuzz/random.ts';

const FINE = 2 ** 31;

/** Random numbers of a simulation: the same for the same seed. */
export class Chance {
  readonly #random: (below: number) => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** From 0 up to 1. */
  uniform(): number {
    return this.#random(FINE) / FINE;
  }

  /** Exponentially distributed: the time between two arrivals that do not know of each other. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }

  below(limit: number): number {
    return this.#random(limit);
  }

  /** One of several, by their weights. */
  weighted<Value extends { readonly share: number }>(values: readonly Value[]): Value {
    let drawn = this.uniform() * values.reduce((sum, { share }) => sum + share, 0);
    for (const value of values) {
      drawn -= value.share;
      if (drawn < 0) return value;
    }
    return values.at(-1)!;
  }
}
