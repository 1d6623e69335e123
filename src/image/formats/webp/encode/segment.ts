import { acSteps, dcSteps } from '../vp8-tables.ts';

/** How the macroblocks of one segment are quantised and filtered. */
export interface Segment {
  /** 0–127: RFC 6386 §9.6. */
  readonly index: number;
  /** 0–63: §9.6, sharpness 0. */
  readonly filterLevel: number;
}

/** Index deltas of chroma against luma, for the whole picture (§9.6). */
export const chromaDelta = { dc: -2, ac: -2 } as const;

/**
 * How far the four segments' quantisers are from the middle, busy ones first, in units of 1/128: noise is seen least where there is much
 * going on, so that bits go to the calm macroblocks.
 */
const SHAPING = [-127, -90, -30, 30];
/** Strength of the shaping, as libwebp's default of 50 %. */
const SHAPING_STRENGTH = 0.9 * 0.5;
const FILTER_STRENGTH = 1.8;

/** Segments for a quality of libwebp's scale (0–100): the same quality gives about the same quantisers as libwebp. */
export function segmentsFor(quality: number): Segment[] {
  const share = quality / 100;
  const linear = share < 0.75 ? (share * 2) / 3 : 2 * share - 1;
  const base = Math.cbrt(linear);
  return SHAPING.map((offset) => {
    const compression = base ** (1 - (SHAPING_STRENGTH * offset) / 128);
    const index = Math.min(127, Math.max(0, Math.trunc(127 * (1 - compression))));
    const step = acSteps[index]! >> 2;
    const level = Math.trunc(step * FILTER_STRENGTH * (256 / (256 + offset + 127)));
    return { index, filterLevel: level < 2 ? 0 : Math.min(63, level) };
  });
}

/**
 * Squared error in transformed samples that a bit is worth, against the square of the AC step. Chosen, like the shaping and the
 * filter, by bytes at equal PSNR, SSIM and difference in Oklab over photographs. Colours suffer first from saving bits.
 */
const LAMBDA = 0.05;
const Y2_LAMBDA = 0.07;
const CHROMA_LAMBDA = 0.02;
/** Transformed differences that a bit is worth, against the AC step. */
const SATD_LAMBDA = 0.31;

/** Writes a segment's quantiser as the kernel reads it (256 bytes). */
export function writeQuantiser(bytes: Uint8Array, { index }: Segment): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const step = (steps: Uint16Array, delta: number) => steps[Math.min(127, Math.max(0, index + delta))]!;
  const ac = step(acSteps, 0);
  const chromaAc = step(acSteps, chromaDelta.ac);
  writeSteps(view, 0, step(dcSteps, 0), ac);
  writeSteps(view, 64, 2 * step(dcSteps, 0), Math.max(8, Math.trunc((ac * 155) / 100)));
  writeSteps(view, 128, Math.min(132, step(dcSteps, chromaDelta.dc)), chromaAc);
  const lambda = LAMBDA * ac * ac;
  view.setFloat64(192, lambda / 256, true);
  view.setInt32(200, Math.round(4 * lambda), true);
  view.setInt32(204, Math.round(4 * lambda), true);
  // Y2 is transformed once more, which multiplies squares by 4.
  view.setInt32(208, Math.round(16 * Y2_LAMBDA * ac * ac), true);
  view.setInt32(212, Math.round(4 * CHROMA_LAMBDA * chromaAc * chromaAc), true);
  view.setInt32(216, Math.round(SATD_LAMBDA * ac * 256), true);
}

/** Steps and their reciprocals in 1/65536, DC first. */
function writeSteps(view: DataView, at: number, dc: number, ac: number): void {
  for (let n = 0; n < 16; n++) {
    const step = n === 0 ? dc : ac;
    view.setInt16(at + 2 * n, step, true);
    view.setUint16(at + 32 + 2 * n, Math.round(65_536 / step), true);
  }
}
