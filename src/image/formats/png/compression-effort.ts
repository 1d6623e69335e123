import { type DeflateEffort, deflateEfforts } from './deflater.ts';

const MIB = 1024 * 1024;

/**
 * Up to how many bytes an effort is made for a photograph, and how many of them it does in a second (`deflateEfforts`): 12 megapixels
 * take about 5 seconds, 24 about 8.
 */
const limits: readonly (readonly [bytes: number, effort: DeflateEffort, perSecond: number])[] = [
  [4.5 * MIB, deflateEfforts.best, 2.5e6],
  [10 * MIB, deflateEfforts.better, 4e6],
  [26 * MIB, deflateEfforts.high, 6e6],
  [40 * MIB, deflateEfforts.good, 8e6],
  [96 * MIB, deflateEfforts.fair, 11e6],
  [192 * MIB, deflateEfforts.quick, 16e6],
  [384 * MIB, deflateEfforts.lazy, 30e6],
];
/** The measured throughput of the effort that is made for anything larger. */
const FASTEST_PER_SECOND = 85e6;
/** Bytes weigh between so much and 1. */
const LEAST_WEIGHT = 0.35;

/**
 * The deflater's effort for a picture, from the bytes of its filtered rows and what part of them is left after deflating a sample.
 * Bytes that long matches cover cost little, so graphics, which shrink to a few per cent, get more of it at the same size.
 */
export function compressionEffort(filteredBytes: number, ratio: number): DeflateEffort {
  const weight = Math.min(1, LEAST_WEIGHT + 4 * ratio);
  const within = limits.find(([most]) => filteredBytes * weight <= most);
  return within?.[1] ?? deflateEfforts.fastest;
}

/**
 * The most seconds that deflating takes, whatever is left of the bytes: those that shrink more get more effort, and go the faster the less
 * they weigh.
 */
export function compressionSeconds(filteredBytes: number): number {
  const seconds = (weighed: number) => weighed / (limits.find(([most]) => weighed <= most)?.[2] ?? FASTEST_PER_SECOND);
  const steps = limits
    .map(([most]) => most)
    .filter((most) => most < filteredBytes && most > LEAST_WEIGHT * filteredBytes);
  return Math.max(...[filteredBytes, LEAST_WEIGHT * filteredBytes, ...steps].map(seconds));
}
