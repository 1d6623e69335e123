/*
 * Sixteen rows of eight pixels as eight vectors of sixteen, so that a vertical edge is filtered like a horizontal one.
 */

/** The lower halves of two vectors, byte by byte in turns. */
@inline
function interleave8(low: v128, high: v128): v128 {
  return v128.shuffle<u8>(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

@inline
function interleaveHigh8(low: v128, high: v128): v128 {
  return v128.shuffle<u8>(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

@inline
function interleave16(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

@inline
function interleaveHigh16(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Sixteen rows of eight pixels (eight at `first`, eight at `second`) become eight vectors of sixteen at `out`. */
export function columnsToScratch(first: usize, second: usize, stride: usize, out: usize): void {
  for (let half: usize = 0; half < 2; half++) {
    const at = half == 0 ? first : second;
    const r0 = v128.load64_zero(at);
    const r1 = v128.load64_zero(at + stride);
    const r2 = v128.load64_zero(at + 2 * stride);
    const r3 = v128.load64_zero(at + 3 * stride);
    const r4 = v128.load64_zero(at + 4 * stride);
    const r5 = v128.load64_zero(at + 5 * stride);
    const r6 = v128.load64_zero(at + 6 * stride);
    const r7 = v128.load64_zero(at + 7 * stride);
    const a = interleave8(r0, r1);
    const b = interleave8(r2, r3);
    const c = interleave8(r4, r5);
    const d = interleave8(r6, r7);
    const ab = interleave16(a, b);
    const abHigh = interleaveHigh16(a, b);
    const cd = interleave16(c, d);
    const cdHigh = interleaveHigh16(c, d);
    const to = out + half * 8;
    const c01 = v128.shuffle<u32>(ab, cd, 0, 4, 1, 5);
    const c23 = v128.shuffle<u32>(ab, cd, 2, 6, 3, 7);
    const c45 = v128.shuffle<u32>(abHigh, cdHigh, 0, 4, 1, 5);
    const c67 = v128.shuffle<u32>(abHigh, cdHigh, 2, 6, 3, 7);
    v128.store64_lane(to, c01, 0);
    v128.store64_lane(to + 16, c01, 1);
    v128.store64_lane(to + 32, c23, 0);
    v128.store64_lane(to + 48, c23, 1);
    v128.store64_lane(to + 64, c45, 0);
    v128.store64_lane(to + 80, c45, 1);
    v128.store64_lane(to + 96, c67, 0);
    v128.store64_lane(to + 112, c67, 1);
  }
}

/** The way back. */
export function scratchToColumns(first: usize, second: usize, stride: usize, from: usize): void {
  const c0 = v128.load(from);
  const c1 = v128.load(from + 16);
  const c2 = v128.load(from + 32);
  const c3 = v128.load(from + 48);
  const c4 = v128.load(from + 64);
  const c5 = v128.load(from + 80);
  const c6 = v128.load(from + 96);
  const c7 = v128.load(from + 112);
  storeRows(first, stride, interleave8(c0, c1), interleave8(c2, c3), interleave8(c4, c5), interleave8(c6, c7));
  storeRows(
    second, stride,
    interleaveHigh8(c0, c1), interleaveHigh8(c2, c3), interleaveHigh8(c4, c5), interleaveHigh8(c6, c7),
  );
}

/** Eight rows from pairs of columns. */
@inline
function storeRows(at: usize, stride: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab = interleave16(a, b);
  const abHigh = interleaveHigh16(a, b);
  const cd = interleave16(c, d);
  const cdHigh = interleaveHigh16(c, d);
  const r01 = v128.shuffle<u32>(ab, cd, 0, 4, 1, 5);
  const r23 = v128.shuffle<u32>(ab, cd, 2, 6, 3, 7);
  const r45 = v128.shuffle<u32>(abHigh, cdHigh, 0, 4, 1, 5);
  const r67 = v128.shuffle<u32>(abHigh, cdHigh, 2, 6, 3, 7);
  v128.store64_lane(at, r01, 0);
  v128.store64_lane(at + stride, r01, 1);
  v128.store64_lane(at + 2 * stride, r23, 0);
  v128.store64_lane(at + 3 * stride, r23, 1);
  v128.store64_lane(at + 4 * stride, r45, 0);
  v128.store64_lane(at + 5 * stride, r45, 1);
  v128.store64_lane(at + 6 * stride, r67, 0);
  v128.store64_lane(at + 7 * stride, r67, 1);
}
