/** sqrt(2) cos(π/8) - 1 and sqrt(2) sin(π/8) as 16-bit fractions. */
const COSINE: i32 = 20091;
const SINE: i32 = 35468;

/** The inverse Walsh–Hadamard transform of Y2 (RFC 6386 §14.3); its 16 results are the DC of the 16 blocks at `blocks`. */
export function inverseWalsh(y2: usize, blocks: usize): void {
  const r0 = v128.load_ext<i16>(y2);
  const r1 = v128.load_ext<i16>(y2, 8);
  const r2 = v128.load_ext<i16>(y2, 16);
  const r3 = v128.load_ext<i16>(y2, 24);
  const a0 = i32x4.add(r0, r3);
  const a1 = i32x4.add(r1, r2);
  const a2 = i32x4.sub(r1, r2);
  const a3 = i32x4.sub(r0, r3);
  const c0 = i32x4.add(a0, a1);
  const c1 = i32x4.add(a3, a2);
  const c2 = i32x4.sub(a0, a1);
  const c3 = i32x4.sub(a3, a2);
  // Columns of the transposed: lanes are rows now.
  const low01 = v128.shuffle<i32>(c0, c1, 0, 4, 1, 5);
  const low23 = v128.shuffle<i32>(c2, c3, 0, 4, 1, 5);
  const high01 = v128.shuffle<i32>(c0, c1, 2, 6, 3, 7);
  const high23 = v128.shuffle<i32>(c2, c3, 2, 6, 3, 7);
  const t0 = i32x4.add(v128.shuffle<i64>(low01, low23, 0, 2), i32x4.splat(3));
  const t1 = v128.shuffle<i64>(low01, low23, 1, 3);
  const t2 = v128.shuffle<i64>(high01, high23, 0, 2);
  const t3 = v128.shuffle<i64>(high01, high23, 1, 3);
  const b0 = i32x4.add(t0, t3);
  const b1 = i32x4.add(t1, t2);
  const b2 = i32x4.sub(t1, t2);
  const b3 = i32x4.sub(t0, t3);
  storeColumn(blocks, i32x4.shr_s(i32x4.add(b0, b1), 3));
  storeColumn(blocks + 32, i32x4.shr_s(i32x4.add(b3, b2), 3));
  storeColumn(blocks + 64, i32x4.shr_s(i32x4.sub(b0, b1), 3));
  storeColumn(blocks + 96, i32x4.shr_s(i32x4.sub(b3, b2), 3));
}

/** One result for each row of blocks. */
@inline
function storeColumn(at: usize, column: v128): void {
  store<i16>(at, i32x4.extract_lane(column, 0));
  store<i16>(at, i32x4.extract_lane(column, 1), 128);
  store<i16>(at, i32x4.extract_lane(column, 2), 256);
  store<i16>(at, i32x4.extract_lane(column, 3), 384);
}

@inline
function times(value: v128, factor: i32): v128 {
  return i32x4.shr_s(i32x4.mul(value, i32x4.splat(factor)), 16);
}

/** Adds the inverse transform of a block (RFC 6386 §14.4) to the 4×4 pixels at `at`. */
export function addBlock(block: usize, at: usize, stride: usize): void {
  const r0 = v128.load_ext<i16>(block);
  const r1 = v128.load_ext<i16>(block, 8);
  const r2 = v128.load_ext<i16>(block, 16);
  const r3 = v128.load_ext<i16>(block, 24);
  let a = i32x4.add(r0, r2);
  let b = i32x4.sub(r0, r2);
  let c = i32x4.sub(times(r1, SINE), i32x4.add(r3, times(r3, COSINE)));
  let d = i32x4.add(i32x4.add(r1, times(r1, COSINE)), times(r3, SINE));
  const c0 = i32x4.add(a, d);
  const c1 = i32x4.add(b, c);
  const c2 = i32x4.sub(b, c);
  const c3 = i32x4.sub(a, d);
  const low01 = v128.shuffle<i32>(c0, c1, 0, 4, 1, 5);
  const low23 = v128.shuffle<i32>(c2, c3, 0, 4, 1, 5);
  const high01 = v128.shuffle<i32>(c0, c1, 2, 6, 3, 7);
  const high23 = v128.shuffle<i32>(c2, c3, 2, 6, 3, 7);
  const t0 = i32x4.add(v128.shuffle<i64>(low01, low23, 0, 2), i32x4.splat(4));
  const t1 = v128.shuffle<i64>(low01, low23, 1, 3);
  const t2 = v128.shuffle<i64>(high01, high23, 0, 2);
  const t3 = v128.shuffle<i64>(high01, high23, 1, 3);
  a = i32x4.add(t0, t2);
  b = i32x4.sub(t0, t2);
  c = i32x4.sub(times(t1, SINE), i32x4.add(t3, times(t3, COSINE)));
  d = i32x4.add(i32x4.add(t1, times(t1, COSINE)), times(t3, SINE));
  const columns01 = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(a, d), 3), i32x4.shr_s(i32x4.add(b, c), 3));
  const columns23 = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.sub(b, c), 3), i32x4.shr_s(i32x4.sub(a, d), 3));
  addRows(v128.shuffle<i16>(columns01, columns23, 0, 4, 8, 12, 1, 5, 9, 13), at, at + stride);
  addRows(v128.shuffle<i16>(columns01, columns23, 2, 6, 10, 14, 3, 7, 11, 15), at + 2 * stride, at + 3 * stride);
}

/** Adds two rows of four differences. */
@inline
function addRows(differences: v128, first: usize, second: usize): void {
  const pixels = v128.load32_lane(second, v128.load32_zero(first), 1);
  const sums = i16x8.add(i16x8.extend_low_i8x16_u(pixels), differences);
  const clamped = i8x16.narrow_i16x8_u(sums, sums);
  v128.store32_lane(first, clamped, 0);
  v128.store32_lane(second, clamped, 1);
}

/** The same for a block with nothing but a DC coefficient. */
export function addDc(dc: i32, at: usize, stride: usize): void {
  const difference = i16x8.splat(<i16>((dc + 4) >> 3));
  addRows(difference, at, at + stride);
  addRows(difference, at + 2 * stride, at + 3 * stride);
}
