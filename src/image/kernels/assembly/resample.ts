/**
 * Lanczos resampling of RGBA rows: horizontal pass of one row, vertical pass over a ring of such rows.
 *
 * Opaque pictures are computed in fixed point: 8-bit samples × 16-bit weights, rows between the passes as 16-bit samples with six
 * fractional bits, both rounded half up. Pictures with alpha are computed in 32-bit floats on colours multiplied by their alpha.
 */

/** Fractional bits of a sample between the passes. */
const FRACTION: i32 = 6;

/** Interleaves the samples of four RGBA pixels for a dot product of neighbours: R0 R1 G0 G1 B0 B1 A0 A1 R2 R3 … */
@inline
function pairUp(pixels: v128): v128 {
  return v128.shuffle<u8>(pixels, pixels, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
}

/** The weighted sum of four pixels, one 32-bit lane a channel, added to `sum`. */
@inline
function addFour(sum: v128, pixels: usize, weights: usize): v128 {
  const samples = pairUp(v128.load(pixels));
  const near = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(samples), v128.load32_splat(weights));
  const far = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(samples), v128.load32_splat(weights, 4));
  return i32x4.add(sum, i32x4.add(near, far));
}

/**
 * Filters one row of RGBA bytes to `width` pixels of four 16-bit samples.
 * @param windows for each output pixel the byte offset of its first input pixel, 32 bits each
 * @param weights for each output pixel `taps` 16-bit weights with the sum 1 << `bits`
 * @param taps a multiple of 4; every window lies inside the row
 */
export function filterOpaque(
  row: usize,
  windows: usize,
  weights: usize,
  taps: i32,
  bits: i32,
  width: i32,
  out: usize,
): void {
  const shift = bits - FRACTION;
  const half = i32x4.splat((1 << shift) >> 1);
  const end = windows + (<usize>width << 2);
  const span = <usize>taps << 1;
  if (taps == 8) {
    for (; windows < end; windows += 4, weights += 16, out += 8) {
      const from = row + load<u32>(windows);
      const sum = addFour(addFour(half, from, weights), from + 16, weights + 8);
      const samples = i32x4.shr_s(sum, shift);
      v128.store64_lane(out, i16x8.narrow_i32x4_s(samples, samples), 0);
    }
    return;
  }
  for (; windows < end; windows += 4, out += 8) {
    let from = row + load<u32>(windows);
    let sum = half;
    for (const stop = weights + span; weights < stop; weights += 8, from += 16) sum = addFour(sum, from, weights);
    const samples = i32x4.shr_s(sum, shift);
    v128.store64_lane(out, i16x8.narrow_i32x4_s(samples, samples), 0);
  }
}

/** Interleaves the low halves of two vectors of 16-bit samples. */
@inline
function lowPairs(above: v128, below: v128): v128 {
  return v128.shuffle<i16>(above, below, 0, 8, 1, 9, 2, 10, 3, 11);
}

/** Interleaves the high halves of two vectors of 16-bit samples. */
@inline
function highPairs(above: v128, below: v128): v128 {
  return v128.shuffle<i16>(above, below, 4, 12, 5, 13, 6, 14, 7, 15);
}

/**
 * Sums rows of 16-bit samples to one row of opaque RGBA bytes. Works on four pixels at a time, so rows and `out` need room
 * for a multiple of four.
 * @param rows pointers to the rows, 32 bits each
 * @param weights 2 × `pairs` 16-bit weights with the sum 1 << `bits`
 */
export function sumOpaque(rows: usize, weights: usize, pairs: i32, bits: i32, width: i32, out: usize): void {
  const shift = bits + FRACTION;
  const half = i32x4.splat((1 << shift) >> 1);
  const opaque = i32x4.splat(0xff000000);
  const bytes = <usize>width << 3;
  const stop = weights + (<usize>pairs << 2);
  for (let at: usize = 0; at < bytes; at += 32, out += 16) {
    let first = half;
    let second = half;
    let third = half;
    let fourth = half;
    for (let pair = weights, row = rows; pair < stop; pair += 4, row += 8) {
      const above = at + load<u32>(row);
      const below = at + load<u32>(row, 4);
      const both = v128.load32_splat(pair);
      const a = v128.load(above);
      const b = v128.load(below);
      first = i32x4.add(first, i32x4.dot_i16x8_s(lowPairs(a, b), both));
      second = i32x4.add(second, i32x4.dot_i16x8_s(highPairs(a, b), both));
      const c = v128.load(above, 16);
      const d = v128.load(below, 16);
      third = i32x4.add(third, i32x4.dot_i16x8_s(lowPairs(c, d), both));
      fourth = i32x4.add(fourth, i32x4.dot_i16x8_s(highPairs(c, d), both));
    }
    const left = i16x8.narrow_i32x4_s(i32x4.shr_s(first, shift), i32x4.shr_s(second, shift));
    const right = i16x8.narrow_i32x4_s(i32x4.shr_s(third, shift), i32x4.shr_s(fourth, shift));
    v128.store(out, v128.or(i8x16.narrow_i16x8_u(left, right), opaque));
  }
}

/** Turns straight-alpha RGBA bytes into four floats a pixel: R × A, G × A, B × A (0 … 255²), A (0 … 255). */
export function premultiply(row: usize, width: i32, out: usize): void {
  for (const end = row + (<usize>width << 2); row < end; row += 4, out += 16) {
    const samples = f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(row))));
    const alpha = f32x4.splat(f32x4.extract_lane(samples, 3));
    v128.store(out, f32x4.mul(samples, f32x4.replace_lane(alpha, 3, 1)));
  }
}

/**
 * Filters one row of premultiplied pixels to `width` of them. The even and the odd taps are summed apart.
 * @param windows for each output pixel the byte offset of its first input pixel, 32 bits each
 * @param weights for each output pixel `taps` floats
 * @param taps even; every window lies inside the row
 */
export function filterAlpha(row: usize, windows: usize, weights: usize, taps: i32, width: i32, out: usize): void {
  const span = <usize>taps << 2;
  for (const end = windows + (<usize>width << 2); windows < end; windows += 4, out += 16) {
    let from = row + load<u32>(windows);
    let even = f32x4.splat(0);
    let odd = even;
    for (const stop = weights + span; weights < stop; weights += 8, from += 32) {
      even = f32x4.add(even, f32x4.mul(v128.load(from), v128.load32_splat(weights)));
      odd = f32x4.add(odd, f32x4.mul(v128.load(from, 16), v128.load32_splat(weights, 4)));
    }
    v128.store(out, f32x4.add(even, odd));
  }
}

/** Straight-alpha bytes of one premultiplied pixel, in the lowest lane; below half a step alpha is 0 and so is the colour. */
@inline
function straighten(sum: v128): v128 {
  const alpha = f32x4.extract_lane(sum, 3);
  const scale: f32 = alpha < 0.5 ? 0 : <f32>1 / alpha;
  const straight = f32x4.mul(sum, f32x4.replace_lane(f32x4.splat(scale), 3, 1));
  const samples = i32x4.trunc_sat_f32x4_s(f32x4.nearest(straight));
  const narrow = i16x8.narrow_i32x4_s(samples, samples);
  return i8x16.narrow_i16x8_u(narrow, narrow);
}

/**
 * Sums rows of premultiplied pixels to one row of straight-alpha RGBA bytes. Works on two pixels at a time, so rows and `out`
 * need room for an even number.
 * @param rows pointers to the rows, 32 bits each
 * @param weights `taps` floats
 */
export function sumAlpha(rows: usize, weights: usize, taps: i32, width: i32, out: usize): void {
  const bytes = <usize>width << 4;
  const stop = weights + (<usize>taps << 2);
  for (let at: usize = 0; at < bytes; at += 32, out += 8) {
    let left = f32x4.splat(0);
    let right = left;
    for (let tap = weights, row = rows; tap < stop; tap += 4, row += 4) {
      const from = at + load<u32>(row);
      const weight = v128.load32_splat(tap);
      left = f32x4.add(left, f32x4.mul(v128.load(from), weight));
      right = f32x4.add(right, f32x4.mul(v128.load(from, 16), weight));
    }
    v128.store32_lane(out, straighten(left), 0);
    v128.store32_lane(out, straighten(right), 0, 4);
  }
}
