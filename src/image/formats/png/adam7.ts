/** One pass of the Adam7 interlace (third edition, 8.2): its first column and row, and the steps between them. */
export interface InterlacePass {
  readonly left: number;
  readonly top: number;
  readonly stepX: number;
  readonly stepY: number;
}

/** The seven passes in the order of the file. */
export const adam7: readonly InterlacePass[] = [
  { left: 0, top: 0, stepX: 8, stepY: 8 },
  { left: 4, top: 0, stepX: 8, stepY: 8 },
  { left: 0, top: 4, stepX: 4, stepY: 8 },
  { left: 2, top: 0, stepX: 4, stepY: 4 },
  { left: 0, top: 2, stepX: 2, stepY: 4 },
  { left: 1, top: 0, stepX: 2, stepY: 2 },
  { left: 0, top: 1, stepX: 1, stepY: 2 },
];

/** Columns of the pass in a picture of this width. */
export function passWidth(pass: InterlacePass, width: number): number {
  return Math.ceil(Math.max(0, width - pass.left) / pass.stepX);
}

/** Rows of the pass in a picture of this height. */
export function passHeight(pass: InterlacePass, height: number): number {
  return Math.ceil(Math.max(0, height - pass.top) / pass.stepY);
}
