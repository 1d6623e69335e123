import { type DeflateEffort, deflateEfforts } from './deflater.ts';

const MIB = 1024 * 1024;

/** Up to how many bytes an effort is made for a photograph: 12 megapixels take about 5 seconds, 24 about 8. */
const limits: readonly (readonly [number, DeflateEffort])[] = [
  [4.5 * MIB, deflateEfforts.best],
  [10 * MIB, deflateEfforts.better],
  [26 * MIB, deflateEfforts.high],
  [40 * MIB, deflateEfforts.good],
  [96 * MIB, deflateEfforts.fair],
  [192 * MIB, deflateEfforts.quick],
  [384 * MIB, deflateEfforts.lazy],
];

/**
 * The deflater's effort for a picture, from the bytes of its filtered rows and what part of them is left after deflating a sample.
 * Bytes that long matches cover cost little, so graphics, which shrink to a few per cent, get more of it at the same size.
 */
export function compressionEffort(filteredBytes: number, ratio: number): DeflateEffort {
  const weight = Math.min(1, 0.35 + 4 * ratio);
  const within = limits.find(([most]) => filteredBytes * weight <= most);
  return within?.[1] ?? deflateEfforts.fastest;
}
