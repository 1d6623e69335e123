import { megapixels } from '../../../frame.ts';
import type { ChromaSubsampling } from '../../chroma-subsampling.ts';
import { type Curve, interpolate } from '../../interpolate.ts';

/**
 * CPU seconds a megapixel of mozjpeg's trellis quantisation and of the transcoder, by quality, measured with scripts/calibrate-cpu.ts on the worst
 * pictures: noise of full and no red, green and blue. `smooth` is what a picture without detail takes, `noise` comes on top of it.
 */
const SECONDS: Readonly<Record<ChromaSubsampling, { readonly smooth: Curve; readonly noise: Curve }>> = {
  '4:2:0': {
    smooth: [
      [40, 0.1],
      [89, 0.2],
      [97, 0.3],
    ],
    noise: [
      [40, 0.35],
      [82, 0.6],
      [89, 0.65],
    ],
  },
  '4:4:4': {
    smooth: [
      [90, 0.3],
      [97, 0.6],
    ],
    noise: [[90, 1.4]],
  },
};
/** Coefficients a pixel of such noise. */
const MOST_COEFFICIENTS = { '4:2:0': 1.5, '4:4:4': 3 } as const;
const FIXED_SECONDS = 0.3;

/** @param coefficients of the source, if they are bounded */
export function jpegEncodeSeconds(
  size: { readonly width: number; readonly height: number },
  quality: number,
  chroma: ChromaSubsampling,
  coefficients = Number.POSITIVE_INFINITY,
): number {
  const { smooth, noise } = SECONDS[chroma];
  const share = Math.min(1, coefficients / (size.width * size.height * MOST_COEFFICIENTS[chroma]));
  return FIXED_SECONDS + megapixels(size) * (interpolate(smooth, quality) + share * interpolate(noise, quality));
}
