import type { Matrix } from './matrix.ts';

/** A one-dimensional function on 0 … 1. */
export type Curve = (value: number) => number;

/**
 * What the stored values mean: how device values (0 … 1; CMYK: 1 = full ink) become linear sRGB light, relative to
 * white, which may lie outside 0 … 1 where the colour is outside sRGB.
 */
export type SourceColour =
  /** One curve a channel, then a matrix to linear sRGB. */
  | { readonly kind: 'matrix'; readonly curves: readonly [Curve, Curve, Curve]; readonly matrix: Matrix }
  /** One curve to light; neutral. */
  | { readonly kind: 'grey'; readonly curve: Curve }
  /** Anything else: to be sampled. `evaluate` reads `channels` values and writes three. */
  | { readonly kind: 'sampled'; readonly channels: 3 | 4; readonly evaluate: Evaluate };

export type Evaluate = (device: Float64Array, light: Float64Array) => void;
