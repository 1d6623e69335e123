import type { Axis } from './lanczos.ts';

/** A weight of 1 at this many fractional bits leaves room in 16 bits for the weights above 1 at the edges of a picture. */
const UNITY_BITS = 14;

/**
 * Fractional bits for the 16-bit weights of an axis. Longer windows have smaller weights, so they get more bits, up to `most`: what the
 * 32-bit sum of weights × samples can take.
 */
export function weightBits({ from, to }: Axis, most: number): number {
  return Math.min(most, UNITY_BITS + Math.floor(Math.log2(Math.max(1, from / to))));
}

/**
 * Rounds weights with the sum 1 to integers with the sum 1 << `bits` exactly, so that flat areas stay flat. The running sum is what is
 * rounded: the error of a window stays below one unit however long the window is.
 */
export function fixedWeights(weights: Float64Array, count: number, bits: number, out: Int16Array): void {
  const scale = 2 ** bits;
  let sum = 0;
  let before = 0;
  for (let tap = 0; tap < count; tap++) {
    sum += weights[tap]!;
    const rounded = tap === count - 1 ? scale : Math.round(sum * scale);
    out[tap] = rounded - before;
    before = rounded;
  }
}
