/** A 3×3 matrix, row by row. */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number];

/** CIE xy of the three primaries and the white point. */
export interface Chromaticities {
  readonly red: readonly [number, number];
  readonly green: readonly [number, number];
  readonly blue: readonly [number, number];
  readonly white: readonly [number, number];
}

/** The white of the profile connection space (ICC.1:2022, 7.2.16), XYZ. */
export const D50: readonly [number, number, number] = [0.9642, 1, 0.8249];

/** The Bradford cone response matrix (ICC.1:2022, annex E). */
const BRADFORD: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];

export function multiply(a: Matrix, b: Matrix): Matrix {
  const cell = (row: number, column: number) =>
    a[row * 3]! * b[column]! + a[row * 3 + 1]! * b[column + 3]! + a[row * 3 + 2]! * b[column + 6]!;
  return [cell(0, 0), cell(0, 1), cell(0, 2), cell(1, 0), cell(1, 1), cell(1, 2), cell(2, 0), cell(2, 1), cell(2, 2)];
}

/** The inverse; not finite where there is none. */
export function invert([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const s = 1 / determinant;
  return [
    (e * i - f * h) * s,
    (c * h - b * i) * s,
    (b * f - c * e) * s,
    (f * g - d * i) * s,
    (a * i - c * g) * s,
    (c * d - a * f) * s,
    (d * h - e * g) * s,
    (b * g - a * h) * s,
    (a * e - b * d) * s,
  ];
}

export function apply(m: Matrix, x: number, y: number, z: number): [number, number, number] {
  return [m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z];
}

/** Linear RGB of these primaries → XYZ adapted to D50 (SMPTE RP 177 and the Bradford adaptation). */
export function primariesToD50({ red, green, blue, white }: Chromaticities): Matrix {
  const depth = ([x, y]: readonly [number, number]) => 1 - x - y;
  const columns: Matrix = [red[0], green[0], blue[0], red[1], green[1], blue[1], depth(red), depth(green), depth(blue)];
  const light = [white[0] / white[1], 1, depth(white) / white[1]] as const;
  const [r, g, b] = apply(invert(columns), ...light);
  return multiply(adaptation(light, D50), multiply(columns, [r, 0, 0, 0, g, 0, 0, 0, b]));
}

function adaptation(from: readonly [number, number, number], to: readonly [number, number, number]): Matrix {
  const [fl, fm, fs] = apply(BRADFORD, ...from);
  const [tl, tm, ts] = apply(BRADFORD, ...to);
  return multiply(invert(BRADFORD), multiply([tl / fl, 0, 0, 0, tm / fm, 0, 0, 0, ts / fs], BRADFORD));
}
