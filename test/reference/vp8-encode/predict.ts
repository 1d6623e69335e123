import type { Plane } from './planes.ts';

/** A sample as predictors see it: 127 above the picture, 129 to its left, the row's last one beyond its right (RFC 6386 §12.2). */
function sampleAt({ width, samples }: Plane, x: number, y: number): number {
  if (y < 0) return 127;
  if (x < 0) return 129;
  return samples[y * width + Math.min(x, width - 1)]!;
}

function clamped(value: number): number {
  return Math.max(0, Math.min(255, value));
}

/** The predictions of a square at (x, y), row by row: DC, V, H, TM (§12.2). */
export function predictSquare(plane: Plane, x: number, y: number, side: number): number[][] {
  const steps = Array.from({ length: side }, (_, n) => n);
  const above = steps.map((n) => sampleAt(plane, x + n, y - 1));
  const left = steps.map((n) => sampleAt(plane, x - 1, y + n));
  const corner = sampleAt(plane, x - 1, y - 1);
  const known = [...(y > 0 ? above : []), ...(x > 0 ? left : [])];
  const sum = known.reduce((total, sample) => total + sample, 0);
  const dc = known.length === 0 ? 128 : Math.floor((sum + known.length / 2) / known.length);
  const square = (sample: (column: number, row: number) => number) =>
    steps.flatMap((row) => steps.map((column) => sample(column, row)));
  return [
    square(() => dc),
    square((column) => above[column]!),
    square((_, row) => left[row]!),
    square((column, row) => clamped(left[row]! + above[column]! - corner)),
  ];
}

/**
 * The predictions of a sub-block, row by row, in the order of §8.1: DC, TM, VE, HE, LD, RD, VR, VL, HD, HU (§12.3).
 * @param rightY the row of the four samples above and to the right: in the last column that above the macroblock
 */
export function predictSubblock(plane: Plane, x: number, y: number, rightY: number): number[][] {
  const above = Array.from({ length: 8 }, (_, n) => sampleAt(plane, x + n, n < 4 ? y - 1 : rightY));
  const left = Array.from({ length: 4 }, (_, n) => sampleAt(plane, x - 1, y + n));
  const corner = sampleAt(plane, x - 1, y - 1);
  // From bottom left to top right, as §12.3 numbers it: the corner is 4.
  const edge = [...left.toReversed(), corner, ...above];
  const at = (n: number) => edge[Math.max(0, Math.min(12, n))]!;
  const two = (n: number) => (at(n) + at(n + 1) + 1) >> 1;
  const three = (n: number) => (at(n - 1) + 2 * at(n) + at(n + 1) + 2) >> 2;
  const block = (sample: (column: number, row: number) => number) =>
    Array.from({ length: 16 }, (_, n) => sample(n & 3, n >> 2));
  const sum = [...left, ...above.slice(0, 4)].reduce((total, sample) => total + sample, 0);
  return [
    block(() => (sum + 4) >> 3),
    block((column, row) => clamped(left[row]! + above[column]! - corner)),
    block((column) => three(5 + column)),
    block((_, row) => three(3 - row)),
    block((column, row) => three(6 + column + row)),
    block((column, row) => three(4 + column - row)),
    block((column, row) => (row > 2 * column + 1 ? three(5 - row) : steep(column - row / 2, two, three))),
    block((column, row) => shallow(column, row, two, three)),
    block((column, row) => flatDown(row - column / 2, two, three)),
    block((column, row) => flatUp(2 * row + column, left, two, three)),
  ];
}

type Taps = (n: number) => number;

/** VR: down and a little to the right. */
function steep(step: number, two: Taps, three: Taps): number {
  return Number.isInteger(step) ? two(4 + step) : three(4.5 + step);
}

/** VL: down and a little to the left; its last two places do not follow the pattern. */
function shallow(column: number, row: number, two: Taps, three: Taps): number {
  if (column === 3 && row > 1) return three(8 + row);
  const step = column + (row >> 1);
  return row % 2 === 0 ? two(5 + step) : three(6 + step);
}

/** HD: to the right and a little down. */
function flatDown(step: number, two: Taps, three: Taps): number {
  if (step < -0.5) return three(4 - 2 * step - 1);
  return Number.isInteger(step) ? two(3 - step) : three(3.5 - step);
}

/** HU: to the right and a little up, along the left edge to its end. */
function flatUp(step: number, left: readonly number[], two: Taps, three: Taps): number {
  if (step > 5) return left[3]!;
  if (step === 5) return three(0);
  return step % 2 === 0 ? two(2 - step / 2) : three(2 - (step - 1) / 2);
}
