import { type Plane, toOklab } from './oklab.ts';
import type { Picture } from './picture.ts';
import { blur, halve, multiply } from './plane.ts';

/**
 * How different a picture looks from its original: 0 is equal, larger is worse. Structural similarity (Wang, Bovik, Sheikh
 * and Simoncelli, "Image quality assessment: from error visibility to structural similarity", 2004) of the three Oklab
 * channels at several scales, the weights of the scales after the same authors' multi-scale version (2003). Chroma is not
 * compared at the finest scale and counts less, since the eye resolves it at about half the detail. Of each map of
 * differences both the mean and the fourth-power mean count: one bad region is seen even where the rest is good.
 */
export class Difference {
  readonly #channels: readonly (readonly Scale[])[];

  constructor(original: Picture) {
    this.#channels = toOklab(original).map((plane) => pyramid(plane).map(prepare));
  }

  to(picture: Picture): number {
    const pyramids = toOklab(picture).map(pyramid);
    let total = 0;
    for (const [channel, { scales, stabiliser }] of CHANNELS.entries()) {
      for (const [scale, weight] of scales.entries()) {
        if (weight === 0) continue;
        total += weight * compare(this.#channels[channel]![scale]!, pyramids[channel]![scale]!, stabiliser);
      }
    }
    return total;
  }
}

const LIGHTNESS_SCALES = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333];
const CHROMA_SCALES = [0, 0.07, 0.07, 0.04, 0.02];
/** Squares of what is too small to be seen in a mean and in a deviation; chroma varies over a smaller range. */
const CHANNELS = [
  { scales: LIGHTNESS_SCALES, stabiliser: { mean: 0.01 ** 2, deviation: 0.03 ** 2 } },
  { scales: CHROMA_SCALES, stabiliser: { mean: 0.01 ** 2, deviation: 0.015 ** 2 } },
  { scales: CHROMA_SCALES, stabiliser: { mean: 0.01 ** 2, deviation: 0.015 ** 2 } },
];

interface Scale {
  readonly plane: Plane;
  readonly mean: Plane;
  readonly meanOfSquares: Plane;
}

function pyramid(plane: Plane): Plane[] {
  const scales = [plane];
  while (scales.length < LIGHTNESS_SCALES.length) scales.push(halve(scales.at(-1)!));
  return scales;
}

function prepare(plane: Plane): Scale {
  return { plane, mean: blur(plane), meanOfSquares: blur(multiply(plane, plane)) };
}

/** The mean and the fourth-power mean, halved, of 1 − SSIM over all pixels. */
function compare(original: Scale, plane: Plane, stabiliser: { mean: number; deviation: number }): number {
  const other = prepare(plane);
  const products = blur(multiply(original.plane, plane)).values;
  let sum = 0;
  let fourth = 0;
  for (let at = 0; at < products.length; at++) {
    const m1 = original.mean.values[at]!;
    const m2 = other.mean.values[at]!;
    const variances = original.meanOfSquares.values[at]! - m1 * m1 + other.meanOfSquares.values[at]! - m2 * m2;
    const covariance = products[at]! - m1 * m2;
    const means = (2 * m1 * m2 + stabiliser.mean) / (m1 * m1 + m2 * m2 + stabiliser.mean);
    const error = 1 - means * ((2 * covariance + stabiliser.deviation) / (variances + stabiliser.deviation));
    sum += error;
    fourth += error ** 4;
  }
  return (sum / products.length + (fourth / products.length) ** 0.25) / 2;
}
