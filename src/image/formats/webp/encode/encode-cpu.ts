import { type Frame, megapixels } from '../../../frame.ts';
import { type Curve, interpolate } from '../../interpolate.ts';
import { alphaIsKept } from './alpha-encoder.ts';
import { candidatesFor } from './candidates.ts';
import { lossyRoom } from './encode-frame.ts';
import { vp8Layout } from './vp8-layout.ts';

/**
 * CPU seconds a megapixel of one encoding by libwebp's quality, measured with scripts/calibrate-cpu.ts: what a picture without detail takes, and
 * what the worst takes on top of it, noise of full and no red, green and blue.
 */
const SMOOTH_SECONDS: Curve = [
  [45, 0.09],
  [86, 0.13],
  [100, 0.2],
];
const NOISE_SECONDS: Curve = [
  [45, 0.16],
  [86, 0.21],
  [100, 0.19],
];
/** What is saved where fewer modes are tried. */
const SHARE_BY_CANDIDATES = { 2: 0.9, 4: 1 } as const;
/** Of transparency, which is coded without loss beside it. */
const ALPHA_SECONDS = 0.1;
const FIXED_SECONDS = 0.15;
/** Bytes of tokens a pixel of such noise, and its coefficients other than zero: with less detail there are fewer bytes. */
const TOKEN_BYTES: Curve = [
  [45, 0.7],
  [86, 1],
  [100, 1.5],
];
const MOST_COEFFICIENTS = 1.5;

/** What an encode takes. */
export interface EncodeWork {
  readonly cpu: number;
  readonly readings: number;
}

/** @param quality libwebp's @param coefficients of the source, if they are bounded @param room as for `lossyCost` */
export function lossyWork(
  frame: Frame,
  quality: number,
  coefficients = Number.POSITIVE_INFINITY,
  room?: number,
): EncodeWork {
  const pixels = frame.width * frame.height;
  const detail = Math.min(1, coefficients / (pixels * MOST_COEFFICIENTS));
  // Tokens that find no room are made a second time.
  const times =
    pixels * detail * interpolate(TOKEN_BYTES, quality) > vp8Layout(frame, lossyRoom(frame, room)).tokens ? 2 : 1;
  const full = interpolate(SMOOTH_SECONDS, quality) + detail * interpolate(NOISE_SECONDS, quality);
  const each = full * SHARE_BY_CANDIDATES[candidatesFor(frame)];
  const alpha = frame.alpha ? ALPHA_SECONDS : 0;
  return {
    cpu: FIXED_SECONDS + megapixels(frame) * (times * each + alpha),
    readings: times + (frame.alpha && !alphaIsKept(frame) ? 1 : 0),
  };
}
