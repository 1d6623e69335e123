/** Raster position of each zigzag position (RFC 6386 §13). */
const ZIGZAG = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];

/** √2·cos(π/8) and √2·sin(π/8), × 4096 going there; coming back × 65536 and without the whole part (§14.3). */
const forward = { cos: 5352, sin: 2217 };
const back = { cos: 20_091, sin: 35_468 };

/** Rows and columns of a 4×4 block exchanged. */
function transposed(block: readonly number[]): number[] {
  return block.map((_, n) => block[(n & 3) * 4 + (n >> 2)]!);
}

/** Each column of four put through a function. */
function columns(block: readonly number[], change: (column: readonly number[]) => readonly number[]): number[] {
  const changed = [0, 1, 2, 3].flatMap((x) => change([block[x]!, block[x + 4]!, block[x + 8]!, block[x + 12]!]));
  return transposed(changed);
}

function rows(block: readonly number[], change: (row: readonly number[]) => readonly number[]): number[] {
  return transposed(columns(transposed(block), change));
}

/** Raster order to zigzag order. */
function zigzag(block: readonly number[]): number[] {
  return ZIGZAG.map((at) => block[at]!);
}

function raster(block: readonly number[]): number[] {
  const result: number[] = [];
  for (const [n, at] of ZIGZAG.entries()) result[at] = block[n]!;
  return result;
}

/** The forward transform of a block of differences; coefficients in zigzag order. */
export function transform(differences: readonly number[]): number[] {
  const pass = (even: (sum: number) => number, odd: (sum: number) => number) => (p: readonly number[]) => {
    const [a, b, c, d] = [p[0]! + p[3]!, p[1]! + p[2]!, p[1]! - p[2]!, p[0]! - p[3]!];
    const { cos, sin } = forward;
    return [even(a + b), odd(c * sin + d * cos), even(a - b), odd(d * sin - c * cos)];
  };
  const first = columns(
    differences,
    pass(
      (sum) => sum * 8,
      (sum) => (sum + 256) >> 9,
    ),
  );
  const second = rows(
    first,
    pass(
      (sum) => (sum + 7) >> 4,
      (sum) => (sum + 32_768) >> 16,
    ),
  );
  return zigzag(second);
}

/** The inverse (§14.4): what coefficients in zigzag order add to a prediction. */
export function inverseTransform(coefficients: readonly number[]): number[] {
  const pass = (p: readonly number[]) => {
    const [a, b] = [p[0]! + p[2]!, p[0]! - p[2]!];
    const cos = (value: number) => value + ((value * back.cos) >> 16);
    const sin = (value: number) => (value * back.sin) >> 16;
    const [c, d] = [sin(p[1]!) - cos(p[3]!), cos(p[1]!) + sin(p[3]!)];
    return [a + d, b + c, b - c, a - d];
  };
  return rows(columns(raster(coefficients), pass), pass).map((value) => (value + 4) >> 3);
}

function butterfly(p: readonly number[]): number[] {
  const [a, b, c, d] = [p[0]! + p[3]!, p[1]! + p[2]!, p[1]! - p[2]!, p[0]! - p[3]!];
  return [a + b, d + c, a - b, d - c];
}

/** The Walsh–Hadamard transform of 16 DC terms, in zigzag order. */
export function transformDc(terms: readonly number[]): number[] {
  return zigzag(rows(columns(terms, butterfly), butterfly).map((value) => (value + 1) >> 1));
}

/** The inverse (§14.3): DC terms of 16 blocks. */
export function inverseTransformDc(coefficients: readonly number[]): number[] {
  return rows(columns(raster(coefficients), butterfly), butterfly).map((value) => (value + 3) >> 3);
}

/** Half the sum of the absolute Hadamard transform of differences. */
export function transformedDifference(differences: readonly number[]): number {
  return rows(columns(differences, butterfly), butterfly).reduce((sum, value) => sum + Math.abs(value), 0) / 2;
}
