import type { ImageHeader } from '../../header.ts';
import type { JpegDetail } from './header.ts';

/**
 * CPU seconds of the decoder, measured with scripts/calibrate-cpu.ts on noise of qualities 5 to 100, baseline and progressive, 4:2:0 and
 * 4:4:4, and raised by half, since a file can be made of codes that are shorter than those of noise.
 */
const SECONDS = {
  /** For a million samples: inverse transform, upsampling, conversion. */
  megasample: 0.004,
  /** For a million bytes of entropy-coded data. */
  megabyte: { sequential: 0.025, progressive: 0.11 },
  /** For a million visits of a block by a scan. */
  megavisit: 0.012,
} as const;

/** Scans of a progressive file whose scans were not looked at. */
const USUAL_SCANS = 14;
/** A code and a sign: no coefficient other than zero takes fewer bits in a sequential scan, nor over all scans that refine it. */
const LEAST_BITS = 2;

/** CPU seconds of one reading. Scales save next to nothing of what noise costs. */
export function jpegDecodeSeconds({ width, height, detail }: ImageHeader, fileBytes: number): number {
  const { components, progressive, scans } = detail as JpegDetail;
  const most = Math.max(...components.map(({ horizontal, vertical }) => horizontal * vertical));
  const samples = components.map(({ horizontal, vertical }) => (width * height * horizontal * vertical) / most);
  const sum = samples.reduce((total, each) => total + each, 0);
  const megavisits = scans
    ? scans.scans.reduce(
        (total, scan) => total + scan.components.reduce((all, { index }) => all + samples[index]!, 0),
        0,
      )
    : sum * (progressive ? USUAL_SCANS : 1);
  return (
    (sum / 1e6) * SECONDS.megasample +
    (fileBytes / 1e6) * SECONDS.megabyte[progressive ? 'progressive' : 'sequential'] +
    (megavisits / 64e6) * SECONDS.megavisit
  );
}

/** See `DecodePlan.coefficients`. */
export function jpegCoefficients(fileBytes: number): number {
  return (fileBytes * 8) / LEAST_BITS;
}
