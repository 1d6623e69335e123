import { megapixels } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import type { AvifDetail } from './header.ts';

/**
 * CPU seconds of libavif with libaom, for a million pixels of the coded picture and of its transparency, and for a million bytes of the file,
 * measured with scripts/calibrate-cpu.ts on noise and photographs of qualities 50 and 90, 4:2:0 and 4:4:4.
 */
const SECONDS = { megapixel: 0.25, alphaMegapixel: 0.12, megabyte: 0.9, fixed: 0.3 } as const;

/** CPU seconds of one decode. */
export function avifDecodeSeconds({ alpha, detail }: ImageHeader, fileBytes: number): number {
  const pixels = megapixels((detail as AvifDetail).coded);
  const each = SECONDS.megapixel + (alpha ? SECONDS.alphaMegapixel : 0);
  return SECONDS.fixed + pixels * each + (fileBytes / 1e6) * SECONDS.megabyte;
}
