import type { Scans } from './scan.ts';

/**
 * Rows of MCUs that a scan must bring before its data may end. A file that was cut off gives what is there if that is more
 * than half of the picture: more than half of the rows, and of these every coefficient in a first approximation. So its last
 * scan may end behind the middle, or anywhere if it only refines; no scan before it may, since that is no cut but a hole.
 */
export function leastRows({ scans, complete }: Scans, index: number, mcusDown: number): number {
  if (index < scans.length - 1 || !complete) return mcusDown;
  return scans[index]!.approximationHigh > 0 ? 0 : Math.floor(mcusDown / 2) + 1;
}
