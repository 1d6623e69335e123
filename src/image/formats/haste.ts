/**
 * What an encoder gives up for speed where a job would take more CPU time than it may: 0 nothing; 1 and 2 its own better settings;
 * 3 chroma at full resolution as well.
 */
export type Haste = 0 | 1 | 2 | 3;

/** In the order in which they are tried. */
export const hastes: readonly Haste[] = [0, 1, 2, 3];
export const MOST_HASTE: Haste = 3;
