import { type Curve, interpolate } from './interpolate.ts';

/*
 * The interface's quality scale is JPEG's; the curves say which setting of another encoder looks about as good.
 * Up to 89 (AVIF: 95) rounded medians over ten photos and two screens of 0.3 to 0.5 megapixels, as `scripts/calibrate.ts`
 * measures them; single pictures differ by up to 20 settings. The rest is chosen: from 90 on JPEG keeps chroma at full
 * resolution, which WebP does not reach even at 100, so its settings only go on rising.
 */
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
 * AVIF changes to full chroma with JPEG, between 89 and 90. The last setting is chosen: none up to 99 looks as good as JPEG
 * at 100, and from 98 on the encoder takes 54 instead of 47 bytes of the arena a pixel (noise, full chroma).
 */
const avif: Curve = [
  [40, 47],
  [50, 52],
  [60, 56],
  [70, 63],
  [75, 68.5],
  [82, 76],
  [89, 84],
  [90, 88],
  [95, 94],
  [100, 97],
];

/** libwebp's quality (0–100) for a quality of the interface (40–100). */
export function webpQuality(quality: number): number {
  return interpolate(webp, quality);
}

/** libavif's quality (0–100) for a quality of the interface (40–100). */
export function avifQuality(quality: number): number {
  return Math.round(interpolate(avif, quality));
}
