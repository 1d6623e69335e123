import { megapixels } from '../../frame.ts';
import type { PngHeader } from './header.ts';
import { bitsPerPixel } from './layout.ts';
import { hasRowsKernel } from './rows-kernel.ts';

/**
 * CPU seconds of inflating, undoing the filters and expanding to RGBA, measured with scripts/calibrate-cpu.ts on noise, photographs and one
 * colour, of all depths.
 */
const SECONDS = {
  /** For a million bytes of filtered rows, however few they are in the file. */
  rawMegabyte: 0.0015,
  /** For a million bytes of the file. */
  fileMegabyte: 0.018,
  /** For a million pixels: RGB and RGBA have kernels. */
  megapixel: { kernel: 0.004, other: 0.016 },
  /** For a million bytes of rows whose pixels are put where they belong (Adam7). */
  scatteredMegabyte: 0.006,
} as const;

/** An interlaced picture is inflated once for each pass, up to that pass's end. */
const INTERLACED_TIMES = 2;

/** CPU seconds before the first rows of an interlaced picture: each pass is inflated from the start of the file, together once. */
export function pngSecondsAhead(header: PngHeader, fileBytes: number): number {
  return header.detail.interlaced ? inflateSeconds(header, fileBytes) : 0;
}

function rawMegabytesOf(header: PngHeader): number {
  return (megapixels(header) * bitsPerPixel(header.detail.layout)) / 8;
}

function inflateSeconds(header: PngHeader, fileBytes: number): number {
  return rawMegabytesOf(header) * SECONDS.rawMegabyte + (fileBytes / 1e6) * SECONDS.fileMegabyte;
}

/** CPU seconds of one reading. */
export function pngDecodeSeconds(header: PngHeader, fileBytes: number): number {
  const { interlaced } = header.detail;
  const rawMegabytes = rawMegabytesOf(header);
  const inflating = inflateSeconds(header, fileBytes);
  const expanding = megapixels(header) * SECONDS.megapixel[hasRowsKernel(header.detail) ? 'kernel' : 'other'];
  if (!interlaced) return inflating + expanding;
  return (
    inflating * INTERLACED_TIMES + expanding + Math.max(rawMegabytes, megapixels(header)) * SECONDS.scatteredMegabyte
  );
}
