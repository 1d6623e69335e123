import { compressionSeconds } from './compression-effort.ts';

/** CPU seconds of the trials on a sample (`chooseCompression`), for a million bytes of it, and of the fixed rest. */
const TRIAL_SECONDS = { megabyte: 0.9, fixed: 0.1 } as const;
/** Of census, spool and filters, for a million bytes of RGBA. */
const ROW_SECONDS = 0.015;
/** The deflater's throughput was measured on photographs: other content takes so much longer at the most. */
const WORST_CONTENT = 1.7;

/** CPU seconds of the first reading, in which pixels are only looked at. */
export function pngCensusSeconds(rgbaBytes: number): number {
  return (rgbaBytes / 1e6) * ROW_SECONDS;
}

/**
 * CPU seconds of choosing how to write a PNG and of writing it, measured with scripts/calibrate-cpu.ts.
 * @param rgbaBytes of the whole picture @param sample bytes on which candidates are tried
 */
export function pngEncodeSeconds(rgbaBytes: number, sample: number): number {
  const trials = TRIAL_SECONDS.fixed + (sample / 1e6) * TRIAL_SECONDS.megabyte;
  return trials + (rgbaBytes / 1e6) * ROW_SECONDS + WORST_CONTENT * compressionSeconds(rgbaBytes);
}
