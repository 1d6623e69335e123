const MIB = 1024 * 1024;

/**
 * zlib's level for a picture, from the bytes of its filtered rows and what part of them is left after deflating a sample.
 * The slow levels search long chains of near matches: in graphics, which shrink to a few per cent, chains are short and
 * the gain is 2–5 %; in photographs and dithered gradients it costs five times the time for 1 %.
 */
export function compressionLevel(filteredBytes: number, ratio: number): number {
  if (filteredBytes <= MIB) return 9;
  return ratio < 0.15 && filteredBytes <= 64 * MIB ? 9 : 7;
}
