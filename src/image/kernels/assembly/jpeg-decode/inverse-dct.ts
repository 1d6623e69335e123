import { inverseDct2, inverseDct4 } from './reduced-inverse-dct';

/*
 * The inverse DCT in 13-bit fixed point: the factorisation of Loeffler, Ligtenberg and Moschytz (ICASSP 1989), columns
 * first with 2 extra bits kept between the passes, 8 columns at a time. Sums of two coefficients wrap at 16 bits, results of
 * the first pass saturate at 16 bits: neither happens in pictures that an encoder made. Roundings are those of libjpeg's
 * accurate integer transform, so results are equal bit for bit.
 *
 * The rotations are written as sums of two products, whose constants are sums of these:
 *   0.298631336 2446   0.390180644 3196   0.541196100 4433   0.765366865 6270   0.899976223 7373   1.175875602 9633
 *   1.501321110 12299  1.847759065 15137  1.961570560 16069  2.053119869 16819  2.562915447 20995  3.072711026 25172
 */

/** Behind this zig-zag index lie the first coefficients outside the top left 4 × 4. */
const LAST_OF_CORNER: i32 = 9;

/**
 * Transforms one block into `side` × `side` samples (8, 4, 2 or 1).
 * @param block 64 × i16 in natural order @param extent zig-zag index behind which all coefficients are zero
 * @param scratch 128 bytes
 */
// @ts-ignore: decorator
@inline
export function inverseDct(
  block: usize,
  quant: usize,
  target: usize,
  stride: i32,
  side: i32,
  extent: i32,
  scratch: usize,
): void {
  if (extent == 0) fillFlat(block, quant, target, stride, side);
  else if (side == 8) {
    if (extent <= LAST_OF_CORNER) inverseDctCorner(block, quant, target, stride, scratch);
    else inverseDct8(block, quant, target, stride, scratch);
  } else if (side == 4) inverseDct4(block, quant, target, stride);
  else if (side == 2) inverseDct2(block, quant, target, stride);
  else fillFlat(block, quant, target, stride, side);
}

/** A block of which only DC counts: equal samples, the same for every size of transform. */
function fillFlat(block: usize, quant: usize, target: usize, stride: i32, side: i32): void {
  const dc = <i32>(<i16>(<i32>load<i16>(block) * <i32>load<i16>(quant)));
  const level = min(max(((dc + 4) >> 3) + 128, 0), 255);
  if (side == 8) {
    const row = <u64>level * 0x0101010101010101;
    for (let y = 0; y < 8; y++, target += stride) store<u64>(target, row);
  } else if (side == 4) {
    const row = <u32>level * 0x01010101;
    for (let y = 0; y < 4; y++, target += stride) store<u32>(target, row);
  } else if (side == 2) {
    store<u16>(target, level * 0x0101);
    store<u16>(target + stride, level * 0x0101);
  } else store<u8>(target, level);
}

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
function add(a: v128, b: v128): v128 {
  return i32x4.add(a, b);
}

// @ts-ignore: decorator
@inline
function sub(a: v128, b: v128): v128 {
  return i32x4.sub(a, b);
}

// @ts-ignore: decorator
@inline
function dot(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}

/** One pass over eight vectors; `results` gets eight. `rounding` is added before the shift. */
// @ts-ignore: decorator
@inline
function pass(
  c0: v128,
  c1: v128,
  c2: v128,
  c3: v128,
  c4: v128,
  c5: v128,
  c6: v128,
  c7: v128,
  rounding: v128,
  shift: i32,
  results: usize,
): void {
  const zero = i16x8.splat(0);
  const sum = i16x8.add(c0, c4);
  const difference = i16x8.sub(c0, c4);
  const z3 = i16x8.add(c7, c3);
  const z4 = i16x8.add(c5, c1);

  let c26 = low(c2, c6);
  let even2 = dot(c26, i16x8(4433, -10704, 4433, -10704, 4433, -10704, 4433, -10704));
  let even3 = dot(c26, i16x8(10703, 4433, 10703, 4433, 10703, 4433, 10703, 4433));
  let middle = add(i32x4.shr_s(low(zero, sum), 3), rounding);
  let other = add(i32x4.shr_s(low(zero, difference), 3), rounding);
  const e0 = add(middle, even3);
  const e3 = sub(middle, even3);
  const e1 = add(other, even2);
  const e2 = sub(other, even2);
  let z34 = low(z3, z4);
  let turn3 = dot(z34, i16x8(-6436, 9633, -6436, 9633, -6436, 9633, -6436, 9633));
  let turn4 = dot(z34, i16x8(9633, 6437, 9633, 6437, 9633, 6437, 9633, 6437));
  let c71 = low(c7, c1);
  let c53 = low(c5, c3);
  const o0 = add(dot(c71, i16x8(-4927, -7373, -4927, -7373, -4927, -7373, -4927, -7373)), turn3);
  const o3 = add(dot(c71, i16x8(-7373, 4926, -7373, 4926, -7373, 4926, -7373, 4926)), turn4);
  const o1 = add(dot(c53, i16x8(-4176, -20995, -4176, -20995, -4176, -20995, -4176, -20995)), turn4);
  const o2 = add(dot(c53, i16x8(-20995, 4177, -20995, 4177, -20995, 4177, -20995, 4177)), turn3);

  c26 = high(c2, c6);
  even2 = dot(c26, i16x8(4433, -10704, 4433, -10704, 4433, -10704, 4433, -10704));
  even3 = dot(c26, i16x8(10703, 4433, 10703, 4433, 10703, 4433, 10703, 4433));
  middle = add(i32x4.shr_s(high(zero, sum), 3), rounding);
  other = add(i32x4.shr_s(high(zero, difference), 3), rounding);
  const f0 = add(middle, even3);
  const f3 = sub(middle, even3);
  const f1 = add(other, even2);
  const f2 = sub(other, even2);
  z34 = high(z3, z4);
  turn3 = dot(z34, i16x8(-6436, 9633, -6436, 9633, -6436, 9633, -6436, 9633));
  turn4 = dot(z34, i16x8(9633, 6437, 9633, 6437, 9633, 6437, 9633, 6437));
  c71 = high(c7, c1);
  c53 = high(c5, c3);
  const p0 = add(dot(c71, i16x8(-4927, -7373, -4927, -7373, -4927, -7373, -4927, -7373)), turn3);
  const p3 = add(dot(c71, i16x8(-7373, 4926, -7373, 4926, -7373, 4926, -7373, 4926)), turn4);
  const p1 = add(dot(c53, i16x8(-4176, -20995, -4176, -20995, -4176, -20995, -4176, -20995)), turn4);
  const p2 = add(dot(c53, i16x8(-20995, 4177, -20995, 4177, -20995, 4177, -20995, 4177)), turn3);

  v128.store(results, narrow(add(e0, o3), add(f0, p3), shift));
  v128.store(results, narrow(sub(e0, o3), sub(f0, p3), shift), 112);
  v128.store(results, narrow(add(e1, o2), add(f1, p2), shift), 16);
  v128.store(results, narrow(sub(e1, o2), sub(f1, p2), shift), 96);
  v128.store(results, narrow(add(e2, o1), add(f2, p1), shift), 32);
  v128.store(results, narrow(sub(e2, o1), sub(f2, p1), shift), 80);
  v128.store(results, narrow(add(e3, o0), add(f3, p0), shift), 48);
  v128.store(results, narrow(sub(e3, o0), sub(f3, p0), shift), 64);
}

/** `pass` when c4 … c7 are zero. */
// @ts-ignore: decorator
@inline
function passOfFour(
  c0: v128,
  c1: v128,
  c2: v128,
  c3: v128,
  rounding: v128,
  shift: i32,
  results: usize,
): void {
  const zero = i16x8.splat(0);
  let even = low(c2, zero);
  let even2 = dot(even, i16x8(4433, 0, 4433, 0, 4433, 0, 4433, 0));
  let even3 = dot(even, i16x8(10703, 0, 10703, 0, 10703, 0, 10703, 0));
  let middle = add(i32x4.shr_s(low(zero, c0), 3), rounding);
  const e0 = add(middle, even3);
  const e3 = sub(middle, even3);
  const e1 = add(middle, even2);
  const e2 = sub(middle, even2);
  let c13 = low(c1, c3);
  const o0 = dot(c13, i16x8(2260, -6436, 2260, -6436, 2260, -6436, 2260, -6436));
  const o1 = dot(c13, i16x8(6437, -11362, 6437, -11362, 6437, -11362, 6437, -11362));
  const o2 = dot(c13, i16x8(9633, -2259, 9633, -2259, 9633, -2259, 9633, -2259));
  const o3 = dot(c13, i16x8(11363, 9633, 11363, 9633, 11363, 9633, 11363, 9633));

  even = high(c2, zero);
  even2 = dot(even, i16x8(4433, 0, 4433, 0, 4433, 0, 4433, 0));
  even3 = dot(even, i16x8(10703, 0, 10703, 0, 10703, 0, 10703, 0));
  middle = add(i32x4.shr_s(high(zero, c0), 3), rounding);
  const f0 = add(middle, even3);
  const f3 = sub(middle, even3);
  const f1 = add(middle, even2);
  const f2 = sub(middle, even2);
  c13 = high(c1, c3);
  const p0 = dot(c13, i16x8(2260, -6436, 2260, -6436, 2260, -6436, 2260, -6436));
  const p1 = dot(c13, i16x8(6437, -11362, 6437, -11362, 6437, -11362, 6437, -11362));
  const p2 = dot(c13, i16x8(9633, -2259, 9633, -2259, 9633, -2259, 9633, -2259));
  const p3 = dot(c13, i16x8(11363, 9633, 11363, 9633, 11363, 9633, 11363, 9633));

  v128.store(results, narrow(add(e0, o3), add(f0, p3), shift));
  v128.store(results, narrow(sub(e0, o3), sub(f0, p3), shift), 112);
  v128.store(results, narrow(add(e1, o2), add(f1, p2), shift), 16);
  v128.store(results, narrow(sub(e1, o2), sub(f1, p2), shift), 96);
  v128.store(results, narrow(add(e2, o1), add(f2, p1), shift), 32);
  v128.store(results, narrow(sub(e2, o1), sub(f2, p1), shift), 80);
  v128.store(results, narrow(add(e3, o0), add(f3, p0), shift), 48);
  v128.store(results, narrow(sub(e3, o0), sub(f3, p0), shift), 64);
}

// @ts-ignore: decorator
@inline
function narrow(a: v128, b: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(i32x4.shr_s(a, shift), i32x4.shr_s(b, shift));
}

/** 8 × 8 coefficients → 8 × 8 samples. */
function inverseDct8(block: usize, quant: usize, target: usize, stride: i32, scratch: usize): void {
  pass(
    dequantised(block, quant),
    dequantised(block + 16, quant + 16),
    dequantised(block + 32, quant + 32),
    dequantised(block + 48, quant + 48),
    dequantised(block + 64, quant + 64),
    dequantised(block + 80, quant + 80),
    dequantised(block + 96, quant + 96),
    dequantised(block + 112, quant + 112),
    i32x4.splat(1024),
    11,
    scratch,
  );
  const r0 = v128.load(scratch);
  const r1 = v128.load(scratch, 16);
  const r2 = v128.load(scratch, 32);
  const r3 = v128.load(scratch, 48);
  const r4 = v128.load(scratch, 64);
  const r5 = v128.load(scratch, 80);
  const r6 = v128.load(scratch, 96);
  const r7 = v128.load(scratch, 112);
  // Transposes: rows r0 … r7 become columns, in three rounds of interleaving.
  const a0 = low(r0, r4);
  const a1 = high(r0, r4);
  const a2 = low(r1, r5);
  const a3 = high(r1, r5);
  const a4 = low(r2, r6);
  const a5 = high(r2, r6);
  const a6 = low(r3, r7);
  const a7 = high(r3, r7);
  const b0 = low(a0, a4);
  const b1 = high(a0, a4);
  const b2 = low(a1, a5);
  const b3 = high(a1, a5);
  const b4 = low(a2, a6);
  const b5 = high(a2, a6);
  const b6 = low(a3, a7);
  const b7 = high(a3, a7);
  pass(
    low(b0, b4),
    high(b0, b4),
    low(b1, b5),
    high(b1, b5),
    low(b2, b6),
    high(b2, b6),
    low(b3, b7),
    high(b3, b7),
    i32x4.splat(1 << 17),
    18,
    scratch,
  );
  storeColumns(scratch, target, stride);
}

/** `inverseDct8` of a block with nothing outside its top left 4 × 4 coefficients. */
function inverseDctCorner(block: usize, quant: usize, target: usize, stride: i32, scratch: usize): void {
  const zero = i16x8.splat(0);
  const even = low(cornerRow(block + 32, quant + 32), zero);
  const even2 = dot(even, i16x8(4433, 0, 4433, 0, 4433, 0, 4433, 0));
  const even3 = dot(even, i16x8(10703, 0, 10703, 0, 10703, 0, 10703, 0));
  const middle = add(i32x4.shr_s(low(zero, cornerRow(block, quant)), 3), i32x4.splat(1024));
  const e0 = add(middle, even3);
  const e3 = sub(middle, even3);
  const e1 = add(middle, even2);
  const e2 = sub(middle, even2);
  const c13 = low(cornerRow(block + 16, quant + 16), cornerRow(block + 48, quant + 48));
  const o0 = dot(c13, i16x8(2260, -6436, 2260, -6436, 2260, -6436, 2260, -6436));
  const o1 = dot(c13, i16x8(6437, -11362, 6437, -11362, 6437, -11362, 6437, -11362));
  const o2 = dot(c13, i16x8(9633, -2259, 9633, -2259, 9633, -2259, 9633, -2259));
  const o3 = dot(c13, i16x8(11363, 9633, 11363, 9633, 11363, 9633, 11363, 9633));
  const rows04 = narrow(add(e0, o3), sub(e3, o0), 11);
  const rows15 = narrow(add(e1, o2), sub(e2, o1), 11);
  const rows26 = narrow(add(e2, o1), sub(e1, o2), 11);
  const rows37 = narrow(add(e3, o0), sub(e0, o3), 11);
  // Transposes four columns of eight.
  const top01 = low(rows04, rows15);
  const top23 = low(rows26, rows37);
  const bottom01 = high(rows04, rows15);
  const bottom23 = high(rows26, rows37);
  const topLeft = lowQuads(top01, top23);
  const topRight = highQuads(top01, top23);
  const bottomLeft = lowQuads(bottom01, bottom23);
  const bottomRight = highQuads(bottom01, bottom23);
  passOfFour(
    v128.shuffle<i64>(topLeft, bottomLeft, 0, 2),
    v128.shuffle<i64>(topLeft, bottomLeft, 1, 3),
    v128.shuffle<i64>(topRight, bottomRight, 0, 2),
    v128.shuffle<i64>(topRight, bottomRight, 1, 3),
    i32x4.splat(1 << 17),
    18,
    scratch,
  );
  storeColumns(scratch, target, stride);
}

/** Four dequantised coefficients of a row. */
// @ts-ignore: decorator
@inline
function cornerRow(block: usize, quant: usize): v128 {
  return i16x8.mul(v128.load64_zero(block), v128.load64_zero(quant));
}

/** Clamps eight columns of eight numbers around 0 to samples, and stores them as rows. */
// @ts-ignore: decorator
@inline
function storeColumns(columns: usize, target: usize, stride: i32): void {
  const centre = i8x16.splat(-128);
  // Byte pairs (0, 4), (1, 5) … of columns meet first, so that three rounds of interleaving leave rows of eight.
  const c04 = i8x16.narrow_i16x8_s(v128.load(columns), v128.load(columns, 64));
  const c15 = i8x16.narrow_i16x8_s(v128.load(columns, 16), v128.load(columns, 80));
  const c26 = i8x16.narrow_i16x8_s(v128.load(columns, 32), v128.load(columns, 96));
  const c37 = i8x16.narrow_i16x8_s(v128.load(columns, 48), v128.load(columns, 112));
  const d02 = v128.xor(lowBytes(c04, c26), centre);
  const d46 = v128.xor(highBytes(c04, c26), centre);
  const d13 = v128.xor(lowBytes(c15, c37), centre);
  const d57 = v128.xor(highBytes(c15, c37), centre);
  const left0 = lowBytes(d02, d13);
  const left1 = highBytes(d02, d13);
  const right0 = lowBytes(d46, d57);
  const right1 = highBytes(d46, d57);
  const rows01 = lowQuads(left0, right0);
  const rows23 = highQuads(left0, right0);
  const rows45 = lowQuads(left1, right1);
  const rows67 = highQuads(left1, right1);
  v128.store64_lane(target, rows01, 0);
  v128.store64_lane((target += stride), rows01, 1);
  v128.store64_lane((target += stride), rows23, 0);
  v128.store64_lane((target += stride), rows23, 1);
  v128.store64_lane((target += stride), rows45, 0);
  v128.store64_lane((target += stride), rows45, 1);
  v128.store64_lane((target += stride), rows67, 0);
  v128.store64_lane((target += stride), rows67, 1);
}

// @ts-ignore: decorator
@inline
function lowBytes(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

// @ts-ignore: decorator
@inline
function highBytes(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// @ts-ignore: decorator
@inline
function lowQuads(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5);
}

// @ts-ignore: decorator
@inline
function highQuads(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7);
}
