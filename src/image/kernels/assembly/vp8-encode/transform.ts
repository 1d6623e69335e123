/** 4×4 transforms (RFC 6386 §14). Blocks are 16 bytes, row by row; coefficients i16[16] in zigzag order. */

@inline
function evenHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2);
}

@inline
function oddHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3);
}

@inline
function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

@inline
function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Cosine terms of the forward transform: √2·cos(π/8) and √2·sin(π/8), × 4096. */
const COS: i16 = 5352;
const SIN: i16 = 2217;

/** The difference of two pairs of blocks, transformed. Blocks A and B travel in the two halves of each vector. */
@inline
export function transformPair(sourceA: v128, predictedA: v128, sourceB: v128, predictedB: v128, out: usize): void {
  const aLow = i16x8.sub(i16x8.extend_low_i8x16_u(sourceA), i16x8.extend_low_i8x16_u(predictedA));
  const aHigh = i16x8.sub(i16x8.extend_high_i8x16_u(sourceA), i16x8.extend_high_i8x16_u(predictedA));
  const bLow = i16x8.sub(i16x8.extend_low_i8x16_u(sourceB), i16x8.extend_low_i8x16_u(predictedB));
  const bHigh = i16x8.sub(i16x8.extend_high_i8x16_u(sourceB), i16x8.extend_high_i8x16_u(predictedB));
  const r0 = evenHalves(aLow, bLow);
  const r1 = oddHalves(aLow, bLow);
  const r2 = evenHalves(aHigh, bHigh);
  const r3 = oddHalves(aHigh, bHigh);
  const kOdd1 = i16x8(SIN, COS, SIN, COS, SIN, COS, SIN, COS);
  const kOdd3 = i16x8(-COS, SIN, -COS, SIN, -COS, SIN, -COS, SIN);

  // Columns, × 8.
  let a = i16x8.add(r0, r3);
  let b = i16x8.add(r1, r2);
  let c = i16x8.sub(r1, r2);
  let d = i16x8.sub(r0, r3);
  let low = lowPairs(c, d);
  let high = highPairs(c, d);
  const round1 = i32x4.splat(256);
  const v0 = i16x8.shl(i16x8.add(a, b), 3);
  const v2 = i16x8.shl(i16x8.sub(a, b), 3);
  const v1 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, kOdd1), round1), 9),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, kOdd1), round1), 9),
  );
  const v3 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, kOdd3), round1), 9),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, kOdd3), round1), 9),
  );

  const x0 = lowPairs(v0, v1);
  const x1 = lowPairs(v2, v3);
  const x2 = highPairs(v0, v1);
  const x3 = highPairs(v2, v3);
  const y0 = v128.shuffle<i32>(x0, x1, 0, 4, 1, 5);
  const y1 = v128.shuffle<i32>(x0, x1, 2, 6, 3, 7);
  const y2 = v128.shuffle<i32>(x2, x3, 0, 4, 1, 5);
  const y3 = v128.shuffle<i32>(x2, x3, 2, 6, 3, 7);
  const t0 = evenHalves(y0, y2);
  const t1 = oddHalves(y0, y2);
  const t2 = evenHalves(y1, y3);
  const t3 = oddHalves(y1, y3);

  // Rows, ÷ 16.
  a = i16x8.add(t0, t3);
  b = i16x8.add(t1, t2);
  c = i16x8.sub(t1, t2);
  d = i16x8.sub(t0, t3);
  low = lowPairs(c, d);
  high = highPairs(c, d);
  const seven = i16x8.splat(7);
  const round2 = i32x4.splat(32768);
  const h0 = i16x8.shr_s(i16x8.add(i16x8.add(a, b), seven), 4);
  const h2 = i16x8.shr_s(i16x8.add(i16x8.sub(a, b), seven), 4);
  const h1 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, kOdd1), round2), 16),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, kOdd1), round2), 16),
  );
  const h3 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, kOdd3), round2), 16),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, kOdd3), round2), 16),
  );
  storeZigzag(evenHalves(h0, h1), evenHalves(h2, h3), out);
  storeZigzag(oddHalves(h0, h1), oddHalves(h2, h3), out + 32);
}

/** The columns of a block's coefficients, in zigzag order. */
@inline
function storeZigzag(first: v128, second: v128, out: usize): void {
  v128.store(out, v128.shuffle<i16>(first, second, 0, 4, 1, 2, 5, 8, 12, 9));
  v128.store(out, v128.shuffle<i16>(first, second, 6, 3, 7, 10, 13, 14, 11, 15), 16);
}

/** High half of a signed 16×16 product. */
@inline
function mulHigh(a: v128, factor: v128): v128 {
  const low = i32x4.extmul_low_i16x8_s(a, factor);
  const high = i32x4.extmul_high_i16x8_s(a, factor);
  return v128.shuffle<i16>(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}

/**
 * Adds the inverse transform of two blocks' coefficients to their predictions (§14.4, exactly), and stores them in the picture.
 */
@inline
export function rebuildPair(
  a0: v128,
  a1: v128,
  b0: v128,
  b1: v128,
  predictedA: v128,
  predictedB: v128,
  outA: usize,
  outB: usize,
  stride: usize,
  strideB: usize,
): void {
  // Zigzag to rows: row v of A and B side by side.
  const aLow = v128.shuffle<i16>(a0, a1, 0, 1, 5, 6, 2, 4, 7, 12);
  const aHigh = v128.shuffle<i16>(a0, a1, 3, 8, 11, 13, 9, 10, 14, 15);
  const bLow = v128.shuffle<i16>(b0, b1, 0, 1, 5, 6, 2, 4, 7, 12);
  const bHigh = v128.shuffle<i16>(b0, b1, 3, 8, 11, 13, 9, 10, 14, 15);
  let i0 = evenHalves(aLow, bLow);
  let i1 = oddHalves(aLow, bLow);
  let i2 = evenHalves(aHigh, bHigh);
  let i3 = oddHalves(aHigh, bHigh);
  const cos = i16x8.splat(20091);
  // 35468 does not fit 16 bits: its excess over 65536 is used and the factor itself added.
  const sin = i16x8.splat(-30068);
  for (let pass = 0; pass < 2; pass++) {
    const a = i16x8.add(i0, i2);
    const b = i16x8.sub(i0, i2);
    const c = i16x8.sub(i16x8.add(mulHigh(i1, sin), i1), i16x8.add(i3, mulHigh(i3, cos)));
    const d = i16x8.add(i16x8.add(i1, mulHigh(i1, cos)), i16x8.add(mulHigh(i3, sin), i3));
    const o0 = i16x8.add(a, d);
    const o1 = i16x8.add(b, c);
    const o2 = i16x8.sub(b, c);
    const o3 = i16x8.sub(a, d);
    const x0 = lowPairs(o0, o1);
    const x1 = lowPairs(o2, o3);
    const x2 = highPairs(o0, o1);
    const x3 = highPairs(o2, o3);
    const y0 = v128.shuffle<i32>(x0, x1, 0, 4, 1, 5);
    const y1 = v128.shuffle<i32>(x0, x1, 2, 6, 3, 7);
    const y2 = v128.shuffle<i32>(x2, x3, 0, 4, 1, 5);
    const y3 = v128.shuffle<i32>(x2, x3, 2, 6, 3, 7);
    i0 = evenHalves(y0, y2);
    i1 = oddHalves(y0, y2);
    i2 = evenHalves(y1, y3);
    i3 = oddHalves(y1, y3);
  }
  const four = i16x8.splat(4);
  i0 = i16x8.shr_s(i16x8.add(i0, four), 3);
  i1 = i16x8.shr_s(i16x8.add(i1, four), 3);
  i2 = i16x8.shr_s(i16x8.add(i2, four), 3);
  i3 = i16x8.shr_s(i16x8.add(i3, four), 3);
  storeBlock(added(evenHalves(i0, i1), evenHalves(i2, i3), predictedA), outA, stride);
  storeBlock(added(oddHalves(i0, i1), oddHalves(i2, i3), predictedB), outB, strideB);
}

@inline
function added(low: v128, high: v128, predicted: v128): v128 {
  return i8x16.narrow_i16x8_u(
    i16x8.add(low, i16x8.extend_low_i8x16_u(predicted)),
    i16x8.add(high, i16x8.extend_high_i8x16_u(predicted)),
  );
}

/** Puts a block into the picture. */
@inline
export function storeBlock(block: v128, out: usize, stride: usize): void {
  v128.store32_lane(out, block, 0);
  v128.store32_lane(out + stride, block, 1);
  v128.store32_lane(out + 2 * stride, block, 2);
  v128.store32_lane(out + 3 * stride, block, 3);
}

/** The block at a place of the picture. */
@inline
export function loadBlock(at: usize, stride: usize): v128 {
  let block = v128.load32_zero(at);
  block = v128.load32_lane(at + stride, block, 1);
  block = v128.load32_lane(at + 2 * stride, block, 2);
  return v128.load32_lane(at + 3 * stride, block, 3);
}

/** Zigzag position of raster position, packed 4 bits each. */
const ZIGZAG: u64 = 0xfea9_db83_c742_6510;

@inline
export function zigzag(raster: i32): usize {
  return <usize>((ZIGZAG >> (<u64>raster << 2)) & 15);
}

/** Walsh–Hadamard transform of the DC terms of 16 blocks (32 bytes apart), in zigzag order. */
export function transformDc(blocks: usize, out: usize): void {
  const half = out + 64;
  for (let x = 0; x < 4; x++) {
    const at = blocks + <usize>(x << 5);
    const p0 = <i32>load<i16>(at);
    const p1 = <i32>load<i16>(at, 128);
    const p2 = <i32>load<i16>(at, 256);
    const p3 = <i32>load<i16>(at, 384);
    const to = half + <usize>(x << 2);
    store<i32>(to, p0 + p3 + p1 + p2);
    store<i32>(to, p0 - p3 + (p1 - p2), 16);
    store<i32>(to, p0 + p3 - (p1 + p2), 32);
    store<i32>(to, p0 - p3 - (p1 - p2), 48);
  }
  for (let y = 0; y < 4; y++) {
    const at = half + <usize>(y << 4);
    const p0 = load<i32>(at);
    const p1 = load<i32>(at, 4);
    const p2 = load<i32>(at, 8);
    const p3 = load<i32>(at, 12);
    const first = y << 2;
    storeHalf(out, first, p0 + p3 + p1 + p2);
    storeHalf(out, first + 1, p0 - p3 + (p1 - p2));
    storeHalf(out, first + 2, p0 + p3 - (p1 + p2));
    storeHalf(out, first + 3, p0 - p3 - (p1 - p2));
  }
}

@inline
function storeHalf(out: usize, raster: i32, value: i32): void {
  store<i16>(out + (zigzag(raster) << 1), <i16>((value + 1) >> 1));
}

/** The inverse (§14.3, exactly): levels in zigzag order times steps to the DC terms of 16 blocks, i16[16]. */
export function rebuildDc(levels: usize, steps: usize, out: usize, scratch: usize): void {
  for (let x = 0; x < 4; x++) {
    const p0 = dequantised(levels, steps, x);
    const p1 = dequantised(levels, steps, x + 4);
    const p2 = dequantised(levels, steps, x + 8);
    const p3 = dequantised(levels, steps, x + 12);
    const to = scratch + <usize>(x << 2);
    store<i32>(to, p0 + p3 + p1 + p2);
    store<i32>(to, p0 - p3 + (p1 - p2), 16);
    store<i32>(to, p0 + p3 - (p1 + p2), 32);
    store<i32>(to, p0 - p3 - (p1 - p2), 48);
  }
  for (let y = 0; y < 4; y++) {
    const at = scratch + <usize>(y << 4);
    const p0 = load<i32>(at);
    const p1 = load<i32>(at, 4);
    const p2 = load<i32>(at, 8);
    const p3 = load<i32>(at, 12);
    const to = out + <usize>(y << 3);
    store<i16>(to, <i16>((p0 + p3 + p1 + p2 + 3) >> 3));
    store<i16>(to, <i16>((p0 - p3 + (p1 - p2) + 3) >> 3), 2);
    store<i16>(to, <i16>((p0 + p3 - (p1 + p2) + 3) >> 3), 4);
    store<i16>(to, <i16>((p0 - p3 - (p1 - p2) + 3) >> 3), 6);
  }
}

@inline
function dequantised(levels: usize, steps: usize, raster: i32): i32 {
  const at = zigzag(raster) << 1;
  return <i32>load<i16>(levels + at) * <i32>load<i16>(steps + at);
}
