/*
 * Inverse DCTs that yield 4 × 4 or 2 × 2 samples of a block: the 8-point transform with neighbouring outputs averaged,
 * which makes some coefficients drop out altogether. Constants and roundings are those of libjpeg-turbo's reduced
 * transforms; wrapping and saturation as in `inverse-dct`.
 *   0.211164243 1730   0.509795579 4176   0.601344887 4926   0.720959822 5906   0.765366865 6270    0.850430095 6967
 *   0.899976223 7373   1.061594337 8697   1.272758580 10426  1.451774981 11893  1.847759065 15137   2.172734803 17799
 *   2.562915447 20995  3.624509785 29692
 */

// @ts-ignore: decorator
@inline
function low(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline
function high(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// @ts-ignore: decorator
@inline
function dequantised(block: usize, quant: usize): v128 {
  return i16x8.mul(v128.load(block), v128.load(quant));
}

// @ts-ignore: decorator
@inline
function dot(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}

// @ts-ignore: decorator
@inline
function innerOdd(c13: v128, c57: v128): v128 {
  return i32x4.add(
    dot(c13, i16x8(8697, -17799, 8697, -17799, 8697, -17799, 8697, -17799)),
    dot(c57, i16x8(11893, -1730, 11893, -1730, 11893, -1730, 11893, -1730)),
  );
}

// @ts-ignore: decorator
@inline
function outerOdd(c13: v128, c57: v128): v128 {
  return i32x4.add(
    dot(c13, i16x8(20995, 7373, 20995, 7373, 20995, 7373, 20995, 7373)),
    dot(c57, i16x8(-4926, -4176, -4926, -4176, -4926, -4176, -4926, -4176)),
  );
}

// @ts-ignore: decorator
@inline
function evenPart(c26: v128): v128 {
  return dot(c26, i16x8(15137, -6270, 15137, -6270, 15137, -6270, 15137, -6270));
}

// @ts-ignore: decorator
@inline
function narrow(a: v128, b: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(i32x4.shr_s(a, shift), i32x4.shr_s(b, shift));
}

/** 8 × 8 coefficients without the fifth row and column → 4 × 4 samples. */
export function inverseDct4(block: usize, quant: usize, target: usize, stride: i32): void {
  const zero = i16x8.splat(0);
  const c0 = dequantised(block, quant);
  const c1 = dequantised(block + 16, quant + 16);
  const c2 = dequantised(block + 32, quant + 32);
  const c3 = dequantised(block + 48, quant + 48);
  const c5 = dequantised(block + 80, quant + 80);
  const c6 = dequantised(block + 96, quant + 96);
  const c7 = dequantised(block + 112, quant + 112);
  let rounding = i32x4.splat(2048);

  let c13 = low(c1, c3);
  let c57 = low(c5, c7);
  let even = evenPart(low(c2, c6));
  let middle = i32x4.add(i32x4.shr_s(low(zero, c0), 2), rounding);
  let outside = i32x4.add(middle, even);
  let inside = i32x4.sub(middle, even);
  let outer = outerOdd(c13, c57);
  let inner = innerOdd(c13, c57);
  const left0 = i32x4.add(outside, outer);
  const left1 = i32x4.add(inside, inner);
  const left2 = i32x4.sub(inside, inner);
  const left3 = i32x4.sub(outside, outer);

  c13 = high(c1, c3);
  c57 = high(c5, c7);
  even = evenPart(high(c2, c6));
  middle = i32x4.add(i32x4.shr_s(high(zero, c0), 2), rounding);
  outside = i32x4.add(middle, even);
  inside = i32x4.sub(middle, even);
  outer = outerOdd(c13, c57);
  inner = innerOdd(c13, c57);
  const r0 = narrow(left0, i32x4.add(outside, outer), 12);
  const r1 = narrow(left1, i32x4.add(inside, inner), 12);
  const r2 = narrow(left2, i32x4.sub(inside, inner), 12);
  const r3 = narrow(left3, i32x4.sub(outside, outer), 12);

  // Transposes: two columns of four a vector.
  const low01 = low(r0, r1);
  const low23 = low(r2, r3);
  const high01 = high(r0, r1);
  const high23 = high(r2, r3);
  const columns01 = v128.shuffle<i32>(low01, low23, 0, 4, 1, 5);
  const columns23 = v128.shuffle<i32>(low01, low23, 2, 6, 3, 7);
  const columns45 = v128.shuffle<i32>(high01, high23, 0, 4, 1, 5);
  const columns67 = v128.shuffle<i32>(high01, high23, 2, 6, 3, 7);
  rounding = i32x4.splat(1 << 18);
  c13 = high(columns01, columns23);
  c57 = high(columns45, columns67);
  even = evenPart(low(columns23, columns67));
  middle = i32x4.add(i32x4.shr_s(low(zero, columns01), 2), rounding);
  outside = i32x4.add(middle, even);
  inside = i32x4.sub(middle, even);
  outer = outerOdd(c13, c57);
  inner = innerOdd(c13, c57);
  const first = narrow(i32x4.add(outside, outer), i32x4.add(inside, inner), 19);
  const second = narrow(i32x4.sub(inside, inner), i32x4.sub(outside, outer), 19);
  const columns = v128.xor(i8x16.narrow_i16x8_s(first, second), i8x16.splat(-128));
  const rows = v128.shuffle<i8>(columns, columns, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  v128.store32_lane(target, rows, 0);
  v128.store32_lane((target += stride), rows, 1);
  v128.store32_lane((target += stride), rows, 2);
  v128.store32_lane((target += stride), rows, 3);
}

// @ts-ignore: decorator
@inline
function halfOdd(c13: v128, c57: v128): v128 {
  return i32x4.add(
    dot(c13, i16x8(29692, -10426, 29692, -10426, 29692, -10426, 29692, -10426)),
    dot(c57, i16x8(6967, -5906, 6967, -5906, 6967, -5906, 6967, -5906)),
  );
}

/** The mean and the odd rows and columns of 8 × 8 coefficients → 2 × 2 samples. */
export function inverseDct2(block: usize, quant: usize, target: usize, stride: i32): void {
  const zero = i16x8.splat(0);
  const c0 = dequantised(block, quant);
  const c1 = dequantised(block + 16, quant + 16);
  const c3 = dequantised(block + 48, quant + 48);
  const c5 = dequantised(block + 80, quant + 80);
  const c7 = dequantised(block + 112, quant + 112);
  const rounding = i32x4.splat(4096);
  const leftOdd = halfOdd(low(c1, c3), low(c5, c7));
  const rightOdd = halfOdd(high(c1, c3), high(c5, c7));
  const leftMiddle = i32x4.add(i32x4.shr_s(low(zero, c0), 1), rounding);
  const rightMiddle = i32x4.add(i32x4.shr_s(high(zero, c0), 1), rounding);
  storePair(narrow(i32x4.add(leftMiddle, leftOdd), i32x4.add(rightMiddle, rightOdd), 13), target);
  storePair(narrow(i32x4.sub(leftMiddle, leftOdd), i32x4.sub(rightMiddle, rightOdd), 13), target + stride);
}

/** The second pass for one row. */
// @ts-ignore: decorator
@inline
function storePair(row: v128, target: usize): void {
  const products = dot(row, i16x8(0, 29692, 0, -10426, 0, 6967, 0, -5906));
  const odd =
    i32x4.extract_lane(products, 0) +
    i32x4.extract_lane(products, 1) +
    i32x4.extract_lane(products, 2) +
    i32x4.extract_lane(products, 3);
  const middle = ((<i32>i16x8.extract_lane_s(row, 0)) << 15) + (1 << 19);
  store<u8>(target, sample((middle + odd) >> 20));
  store<u8>(target, sample((middle - odd) >> 20), 1);
}

// @ts-ignore: decorator
@inline
function sample(value: i32): i32 {
  return min(max(value + 128, 0), 255);
}
