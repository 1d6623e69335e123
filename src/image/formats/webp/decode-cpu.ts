import { megapixels } from '../../frame.ts';
import type { WebpHeader } from './header.ts';

/**
 * CPU seconds of the decoders for a million pixels, and for a million bytes of the file, measured with scripts/calibrate-cpu.ts on noise,
 * photographs and one colour, of qualities 1 to 100 and losslessly with little and much effort.
 */
const SECONDS = {
  lossy: { megapixel: 0.015, megabyte: 0.12 },
  lossless: { megapixel: 0.05, megabyte: 0.012 },
  alpha: { megapixel: 0.02 },
} as const;

/** CPU seconds of one reading. */
export function webpDecodeSeconds(header: WebpHeader, fileBytes: number): number {
  const { lossless, alphaPlane } = header.detail;
  const pixels = megapixels(header);
  const { megapixel, megabyte } = SECONDS[lossless ? 'lossless' : 'lossy'];
  const alpha = alphaPlane ? pixels * SECONDS.alpha.megapixel : 0;
  return pixels * megapixel + (fileBytes / 1e6) * megabyte + alpha;
}
