import { type Curve, interpolate } from './interpolate.ts';

/*
 * The interface's quality scale is JPEG's; the curves say which setting of another encoder looks about as good. The points up to
 * 89 (AVIF: 95) are rounded medians over ten photos and two screens of 0.3 to 0.5 megapixels, as `scripts/calibrate.ts` measures
 * them; single pictures differ by up to 20 settings. The rest is chosen: from 90 on JPEG keeps chroma at full resolution,
 * which WebP does not reach even at 100, so its settings only go on rising.
 */

/** Our VP8 encoder, whose scale is libwebp's: the points are close to each other. */
const vp8: Curve = [
  [40, 47],
  [50, 61],
  [60, 70.5],
  [70, 79.5],
  [75, 82.5],
  [82, 86.5],
  [89, 91],
  [95, 95.5],
  [100, 100],
];

/** libwebp at method 4, measured in the same way with its encoder in the place of ours. */
const webp: Curve = [
  [40, 41],
  [50, 51],
  [60, 64.5],
  [70, 77],
  [75, 82],
  [82, 86],
  [89, 90.5],
  [95, 95],
  [100, 100],
];

/**
 * AVIF changes to full chroma with JPEG, between 89 and 90. The last setting is chosen: none up to 99 looks as good as JPEG at
 * 100, and the last ones cost far more memory and bytes than they gain.
 */
const avif: Curve = [
  [40, 42],
  [50, 47],
  [60, 52],
  [70, 57.5],
  [75, 63],
  [82, 72.5],
  [89, 82],
  [90, 86],
  [95, 93],
  [100, 97],
];

/** The VP8 kernel's quality (libwebp's scale, 0–100) for a quality of the interface (40–100). */
export function vp8Quality(quality: number): number {
  return interpolate(vp8, quality);
}

/** libwebp's quality (0–100) for a quality of the interface (40–100). */
export function webpQuality(quality: number): number {
  return interpolate(webp, quality);
}

/** libavif's quality (0–100) for a quality of the interface (40–100). */
export function avifQuality(quality: number): number {
  return Math.round(interpolate(avif, quality));
}
