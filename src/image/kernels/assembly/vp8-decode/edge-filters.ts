/*
 * The loop filters of RFC 6386 §15, sixteen positions along an edge at a time. Pixels are named as there: p3 p2 p1 p0 | q0 q1 q2
 * q3. Bytes with their top bit turned are signed values, for which saturating arithmetic gives the clamping that §15.2 asks.
 */

@inline
function difference(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

/** All ones where a is at most b. */
@inline
function atMost(a: v128, b: v128): v128 {
  return i8x16.eq(i8x16.sub_sat_u(a, b), i8x16.splat(0));
}

@inline
function signed(a: v128): v128 {
  return v128.xor(a, i8x16.splat(-128));
}

/** Whether the step over the edge is small enough to be no edge of the picture: |p0−q0|·2 + |p1−q1|/2 ≤ limit. */
@inline
function simpleMask(p1: v128, p0: v128, q0: v128, q1: v128, limit: v128): v128 {
  const inner = difference(p0, q0);
  const half = v128.and(i16x8.shr_u(difference(p1, q1), 1), i8x16.splat(0x7f));
  return atMost(i8x16.add_sat_u(i8x16.add_sat_u(inner, inner), half), limit);
}

@inline
function normalMask(p3: v128, p2: v128, p1: v128, p0: v128, q0: v128, q1: v128, q2: v128, q3: v128, interior: v128): v128 {
  const p = i8x16.max_u(i8x16.max_u(difference(p3, p2), difference(p2, p1)), difference(p1, p0));
  const q = i8x16.max_u(i8x16.max_u(difference(q3, q2), difference(q2, q1)), difference(q1, q0));
  return atMost(i8x16.max_u(p, q), interior);
}

/** Signed bytes shifted right by three. */
@inline
function shift3(a: v128): v128 {
  const low = i16x8.shr_s(i16x8.extend_low_i8x16_s(a), 3);
  const high = i16x8.shr_s(i16x8.extend_high_i8x16_s(a), 3);
  return i8x16.narrow_i16x8_s(low, high);
}

/** p1−q1 (where wanted) + 3·(q0−p0), saturated. */
@inline
function stepOver(outer: v128, p0: v128, q0: v128): v128 {
  const step = i8x16.sub_sat_s(q0, p0);
  return i8x16.add_sat_s(i8x16.add_sat_s(i8x16.add_sat_s(outer, step), step), step);
}

/** (`weight`·a + 63) / 128 of §15.3; a in two halves of 16 bits. */
@inline
function wide(low: v128, high: v128, weight: i16): v128 {
  const round = i16x8.splat(63);
  const factor = i16x8.splat(weight);
  const a = i16x8.shr_s(i16x8.add(i16x8.mul(low, factor), round), 7);
  const b = i16x8.shr_s(i16x8.add(i16x8.mul(high, factor), round), 7);
  return i8x16.narrow_i16x8_s(a, b);
}

/** The simple filter across a horizontal edge, 16 pixels along it. */
@inline
export function simpleAcrossRows(at: usize, stride: usize, limit: i32): void {
  const p1 = v128.load(at - 2 * stride);
  const p0 = v128.load(at - stride);
  const q0 = v128.load(at);
  const q1 = v128.load(at + stride);
  const mask = simpleMask(p1, p0, q0, q1, i8x16.splat(<u8>limit));
  const a = v128.and(stepOver(i8x16.sub_sat_s(signed(p1), signed(q1)), signed(p0), signed(q0)), mask);
  v128.store(at - stride, signed(i8x16.add_sat_s(signed(p0), shift3(i8x16.add_sat_s(a, i8x16.splat(3))))));
  v128.store(at, signed(i8x16.sub_sat_s(signed(q0), shift3(i8x16.add_sat_s(a, i8x16.splat(4))))));
}

/** The simple filter across a vertical edge, 16 rows. */
export function simpleAcrossColumns(at: usize, stride: usize, limit: i32): void {
  // Four columns of sixteen rows: four rows a vector, then transposed.
  const a = rowsOf4(at - 2, stride);
  const b = rowsOf4(at - 2 + 4 * stride, stride);
  const c = rowsOf4(at - 2 + 8 * stride, stride);
  const d = rowsOf4(at - 2 + 12 * stride, stride);
  const ab02 = v128.shuffle<i32>(a, b, 0, 4, 2, 6);
  const ab13 = v128.shuffle<i32>(a, b, 1, 5, 3, 7);
  const cd02 = v128.shuffle<i32>(c, d, 0, 4, 2, 6);
  const cd13 = v128.shuffle<i32>(c, d, 1, 5, 3, 7);
  const p1 = v128.shuffle<i64>(ab02, cd02, 0, 2);
  const q0 = v128.shuffle<i64>(ab02, cd02, 1, 3);
  const p0 = v128.shuffle<i64>(ab13, cd13, 0, 2);
  const q1 = v128.shuffle<i64>(ab13, cd13, 1, 3);
  const mask = simpleMask(p1, p0, q0, q1, i8x16.splat(<u8>limit));
  const step = v128.and(stepOver(i8x16.sub_sat_s(signed(p1), signed(q1)), signed(p0), signed(q0)), mask);
  const newP0 = signed(i8x16.add_sat_s(signed(p0), shift3(i8x16.add_sat_s(step, i8x16.splat(3)))));
  const newQ0 = signed(i8x16.sub_sat_s(signed(q0), shift3(i8x16.add_sat_s(step, i8x16.splat(4)))));
  storePairs(at - 1, stride, newP0, newQ0);
}

/** Four rows of four pixels, transposed: bytes 0–3 are the first column. */
@inline
function rowsOf4(at: usize, stride: usize): v128 {
  let rows = v128.load32_zero(at);
  rows = v128.load32_lane(at + stride, rows, 1);
  rows = v128.load32_lane(at + 2 * stride, rows, 2);
  rows = v128.load32_lane(at + 3 * stride, rows, 3);
  return v128.shuffle<u8>(rows, rows, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}

/** Two columns of sixteen rows. */
@inline
function storePairs(at: usize, stride: usize, first: v128, second: v128): void {
  const low = v128.shuffle<u8>(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const high = v128.shuffle<u8>(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  storeEightPairs(at, stride, low);
  storeEightPairs(at + 8 * stride, stride, high);
}

@inline
function storeEightPairs(at: usize, stride: usize, pairs: v128): void {
  v128.store16_lane(at, pairs, 0);
  v128.store16_lane(at + stride, pairs, 1);
  v128.store16_lane(at + 2 * stride, pairs, 2);
  v128.store16_lane(at + 3 * stride, pairs, 3);
  v128.store16_lane(at + 4 * stride, pairs, 4);
  v128.store16_lane(at + 5 * stride, pairs, 5);
  v128.store16_lane(at + 6 * stride, pairs, 6);
  v128.store16_lane(at + 7 * stride, pairs, 7);
}

/** What §15.3 calls high edge variance. */
@inline
function highVariance(p1: v128, p0: v128, q0: v128, q1: v128, threshold: v128): v128 {
  return v128.not(atMost(i8x16.max_u(difference(p1, p0), difference(q1, q0)), threshold));
}

/**
 * The normal filter of eight rows of sixteen pixels across an edge in their middle; a macroblock's edge changes three pixels
 * on each side, an inner one two. `rows` are 128 bytes; the changed ones are written back.
 */
@inline
function normalFilter(rows: usize, step: usize, edge: i32, interior: i32, variance: i32, outer: bool): void {
  const p3 = v128.load(rows);
  const p2 = v128.load(rows + step);
  const p1 = v128.load(rows + 2 * step);
  const p0 = v128.load(rows + 3 * step);
  const q0 = v128.load(rows + 4 * step);
  const q1 = v128.load(rows + 5 * step);
  const q2 = v128.load(rows + 6 * step);
  const q3 = v128.load(rows + 7 * step);
  const mask = v128.and(
    simpleMask(p1, p0, q0, q1, i8x16.splat(<u8>edge)),
    normalMask(p3, p2, p1, p0, q0, q1, q2, q3, i8x16.splat(<u8>interior)),
  );
  if (!v128.any_true(mask)) return;
  const variant = highVariance(p1, p0, q0, q1, i8x16.splat(<u8>variance));
  const sp1 = signed(p1);
  const sp0 = signed(p0);
  const sq0 = signed(q0);
  const sq1 = signed(q1);
  const outerStep = i8x16.sub_sat_s(sp1, sq1);
  if (outer) {
    const a = v128.and(stepOver(outerStep, sp0, sq0), mask);
    // Where variance is high only the two pixels at the edge move.
    const narrow = v128.and(a, variant);
    const broad = v128.andnot(a, variant);
    const low = i16x8.extend_low_i8x16_s(broad);
    const high = i16x8.extend_high_i8x16_s(broad);
    const a1 = wide(low, high, 27);
    const a2 = wide(low, high, 18);
    const a3 = wide(low, high, 9);
    const down = i8x16.add_sat_s(sp0, shift3(i8x16.add_sat_s(narrow, i8x16.splat(3))));
    const up = i8x16.sub_sat_s(sq0, shift3(i8x16.add_sat_s(narrow, i8x16.splat(4))));
    v128.store(rows + step, signed(i8x16.add_sat_s(signed(p2), a3)));
    v128.store(rows + 2 * step, signed(i8x16.add_sat_s(sp1, a2)));
    v128.store(rows + 3 * step, signed(i8x16.add_sat_s(down, a1)));
    v128.store(rows + 4 * step, signed(i8x16.sub_sat_s(up, a1)));
    v128.store(rows + 5 * step, signed(i8x16.sub_sat_s(sq1, a2)));
    v128.store(rows + 6 * step, signed(i8x16.sub_sat_s(signed(q2), a3)));
  } else {
    const a = v128.and(stepOver(v128.and(outerStep, variant), sp0, sq0), mask);
    const a1 = shift3(i8x16.add_sat_s(a, i8x16.splat(4)));
    const a2 = shift3(i8x16.add_sat_s(a, i8x16.splat(3)));
    // (a1 + 1) >> 1, where variance is low.
    const halved = i8x16.shr_s(i8x16.add(a1, i8x16.splat(1)), 1);
    const a3 = v128.andnot(halved, variant);
    v128.store(rows + 2 * step, signed(i8x16.add_sat_s(sp1, a3)));
    v128.store(rows + 3 * step, signed(i8x16.add_sat_s(sp0, a2)));
    v128.store(rows + 4 * step, signed(i8x16.sub_sat_s(sq0, a1)));
    v128.store(rows + 5 * step, signed(i8x16.sub_sat_s(sq1, a3)));
  }
}

export function outerRows(at: usize, stride: usize, edge: i32, interior: i32, variance: i32): void {
  normalFilter(at - 4 * stride, stride, edge, interior, variance, true);
}

export function innerRows(at: usize, stride: usize, edge: i32, interior: i32, variance: i32): void {
  normalFilter(at - 4 * stride, stride, edge, interior, variance, false);
}

export function outerScratch(at: usize, edge: i32, interior: i32, variance: i32): void {
  normalFilter(at, 16, edge, interior, variance, true);
}

export function innerScratch(at: usize, edge: i32, interior: i32, variance: i32): void {
  normalFilter(at, 16, edge, interior, variance, false);
}
