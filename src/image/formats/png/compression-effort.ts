import { type DeflateEffort, deflateEfforts } from './deflater.ts';

const MIB = 1024 * 1024;

/**
 * The deflater's effort for a picture, from the bytes of its filtered rows and what part of them is left after deflating a sample.
 * The optimal parse costs the more the less is left out by long matches: graphics, which shrink to a few per cent, can have it at
 * almost any size.
 */
export function compressionEffort(filteredBytes: number, ratio: number): DeflateEffort {
  if (filteredBytes <= 2 * MIB) return deflateEfforts.best;
  if (filteredBytes <= (ratio < 0.15 ? 32 : 6) * MIB) return deflateEfforts.better;
  return deflateEfforts.good;
}
