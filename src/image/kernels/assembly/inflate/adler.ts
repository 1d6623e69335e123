const MODULUS: u32 = 65521;
/** Bytes whose sums fit 32 bits. */
const BLOCK: usize = 4096;

@inline
function lanes(sums: v128): u32 {
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3);
}

/** Goes on with Adler-32 (RFC 1950, clause 8) over the bytes from `at` up to `end`: b in the upper half, a in the lower. */
export function adler(sumA: u32, sumB: u32, at: usize, end: usize): u32 {
  const upper = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const lower = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (at < end) {
    const stop = min(at + BLOCK, end);
    const whole = at + ((stop - at) & ~15);
    let sums = i32x4.splat(0);
    let earlier = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    sumB += sumA * <u32>(whole - at);
    for (; at < whole; at += 16) {
      const bytes = v128.load(at);
      earlier = i32x4.add(earlier, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), upper));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), lower));
    }
    sumA += lanes(sums);
    sumB += (lanes(earlier) << 4) + lanes(weighted);
    for (; at < stop; at++) {
      sumA += load<u8>(at);
      sumB += sumA;
    }
    sumA %= MODULUS;
    sumB %= MODULUS;
  }
  return (sumB << 16) | sumA;
}
