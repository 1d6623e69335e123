/**
 * Sum of the absolute 4×4 Hadamard transform of a difference (blocks of 16 bytes), halved. The last butterfly is a maximum:
 * |x + y| + |x − y| = 2 max(|x|, |y|).
 */
@inline
export function transformedDifference(source: v128, predicted: v128): i32 {
  const low = i16x8.sub(i16x8.extend_low_i8x16_u(source), i16x8.extend_low_i8x16_u(predicted));
  const high = i16x8.sub(i16x8.extend_high_i8x16_u(source), i16x8.extend_high_i8x16_u(predicted));
  const a = i16x8.add(low, high);
  const b = i16x8.sub(low, high);
  const c = v128.shuffle<i64>(a, b, 0, 2);
  const d = v128.shuffle<i64>(a, b, 1, 3);
  const e = i16x8.add(c, d);
  const f = i16x8.sub(c, d);
  const ones = i16x8.splat(1);
  const signs = i16x8(1, -1, 1, -1, 1, -1, 1, -1);
  const sums = i32x4.add(
    larger(i32x4.dot_i16x8_s(e, ones), i32x4.dot_i16x8_s(f, ones)),
    larger(i32x4.dot_i16x8_s(e, signs), i32x4.dot_i16x8_s(f, signs)),
  );
  const pair = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1));
  return i32x4.extract_lane(pair, 0) + i32x4.extract_lane(pair, 1);
}

/** Lanes 2i and 2i + 1 of both belong together. */
@inline
function larger(first: v128, second: v128): v128 {
  const even = i32x4.abs(v128.shuffle<i32>(first, second, 0, 2, 4, 6));
  const odd = i32x4.abs(v128.shuffle<i32>(first, second, 1, 3, 5, 7));
  return i32x4.max_s(even, odd);
}

/** Squared error of quantised coefficients, i16[16] each. */
@inline
export function squaredError(coefficients: usize, levels: usize, steps: usize): i32 {
  const e0 = i16x8.sub(v128.load(coefficients), i16x8.mul(v128.load(levels), v128.load(steps)));
  const e1 = i16x8.sub(v128.load(coefficients, 16), i16x8.mul(v128.load(levels, 16), v128.load(steps, 16)));
  return sumOf(i32x4.add(i32x4.dot_i16x8_s(e0, e0), i32x4.dot_i16x8_s(e1, e1)));
}

/** The same without the first coefficient. */
@inline
export function squaredErrorAc(coefficients: usize, levels: usize, steps: usize): i32 {
  const e0 = v128.and(
    i16x8.sub(v128.load(coefficients), i16x8.mul(v128.load(levels), v128.load(steps))),
    i16x8(0, -1, -1, -1, -1, -1, -1, -1),
  );
  const e1 = i16x8.sub(v128.load(coefficients, 16), i16x8.mul(v128.load(levels, 16), v128.load(steps, 16)));
  return sumOf(i32x4.add(i32x4.dot_i16x8_s(e0, e0), i32x4.dot_i16x8_s(e1, e1)));
}

@inline
function sumOf(lanes: v128): i32 {
  const pair = i32x4.add(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1));
  return i32x4.extract_lane(pair, 0) + i32x4.extract_lane(pair, 1);
}
