/*
 * From the components of a file to RGBA, or to C, M, Y, K with 255 = full ink. Four-component files store 255 − ink: Adobe's
 * do by definition, and libvips and browsers read those without an Adobe marker in the same way. Sixteen pixels at a time:
 * up to 15 pixels behind the last are written.
 */

/** T.871 §7 as libjpeg rounds it. Y, Cb, Cr and the fourth component (or its complement) → four bytes a pixel. */
export function convertYcbcr(luma: usize, blue: usize, red: usize, key: usize, width: i32, pixels: usize): void {
  const centre = i16x8.splat(128);
  const toRed = i16x8.splat(13172);
  const toBlue = i16x8.splat(-7471);
  const toGreen = i16x8(-22554, 18734, -22554, 18734, -22554, 18734, -22554, 18734);
  const half = i32x4.splat(1 << 15);
  let fourth = i8x16.splat(-1);
  for (let x = 0; x < width; x += 16, pixels += 64) {
    const y = v128.load(luma + x);
    const cb = v128.load(blue + x);
    const cr = v128.load(red + x);
    const y0 = i16x8.extend_low_i8x16_u(y);
    const y1 = i16x8.extend_high_i8x16_u(y);
    const cb0 = i16x8.sub(i16x8.extend_low_i8x16_u(cb), centre);
    const cb1 = i16x8.sub(i16x8.extend_high_i8x16_u(cb), centre);
    const cr0 = i16x8.sub(i16x8.extend_low_i8x16_u(cr), centre);
    const cr1 = i16x8.sub(i16x8.extend_high_i8x16_u(cr), centre);
    // 1.402 = 1 + 0.402, 1.772 = 2 − 0.228: with these factors the 15-bit products round to libjpeg's tables exactly.
    const r = i8x16.narrow_i16x8_u(
      i16x8.add(i16x8.add(y0, cr0), i16x8.q15mulr_sat_s(cr0, toRed)),
      i16x8.add(i16x8.add(y1, cr1), i16x8.q15mulr_sat_s(cr1, toRed)),
    );
    const b = i8x16.narrow_i16x8_u(
      i16x8.add(i16x8.add(y0, i16x8.add(cb0, cb0)), i16x8.q15mulr_sat_s(cb0, toBlue)),
      i16x8.add(i16x8.add(y1, i16x8.add(cb1, cb1)), i16x8.q15mulr_sat_s(cb1, toBlue)),
    );
    // −0.34414 Cb − 0.71414 Cr, as −Cr + (−0.34414 Cb + 0.28586 Cr): factors of 16 bits.
    const g = i8x16.narrow_i16x8_u(
      i16x8.add(i16x8.sub(y0, cr0), greenOf(cb0, cr0, toGreen, half)),
      i16x8.add(i16x8.sub(y1, cr1), greenOf(cb1, cr1, toGreen, half)),
    );
    if (key != 0) fourth = v128.not(v128.load(key + x));
    storePixels(r, g, b, fourth, pixels);
  }
}

// @ts-ignore: decorator
@inline
function greenOf(cb: v128, cr: v128, factors: v128, half: v128): v128 {
  const low = v128.shuffle<i16>(cb, cr, 0, 8, 1, 9, 2, 10, 3, 11);
  const high = v128.shuffle<i16>(cb, cr, 4, 12, 5, 13, 6, 14, 7, 15);
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, factors), half), 16),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, factors), half), 16),
  );
}

/** Interleaves four components. */
// @ts-ignore: decorator
@inline
function storePixels(a: v128, b: v128, c: v128, d: v128, pixels: usize): void {
  const ab0 = v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ab1 = v128.shuffle<i8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const cd0 = v128.shuffle<i8>(c, d, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const cd1 = v128.shuffle<i8>(c, d, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  v128.store(pixels, v128.shuffle<i16>(ab0, cd0, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(pixels, v128.shuffle<i16>(ab0, cd0, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  v128.store(pixels, v128.shuffle<i16>(ab1, cd1, 0, 8, 1, 9, 2, 10, 3, 11), 32);
  v128.store(pixels, v128.shuffle<i16>(ab1, cd1, 4, 12, 5, 13, 6, 14, 7, 15), 48);
}

/** R, G, B as they are; grey is the same row three times. */
export function convertRgb(red: usize, green: usize, blue: usize, width: i32, pixels: usize): void {
  const opaque = i8x16.splat(-1);
  for (let x = 0; x < width; x += 16, pixels += 64) {
    storePixels(v128.load(red + x), v128.load(green + x), v128.load(blue + x), opaque, pixels);
  }
}

/** C, M, Y, K as their complements. */
export function convertCmyk(cyan: usize, magenta: usize, yellow: usize, key: usize, width: i32, pixels: usize): void {
  for (let x = 0; x < width; x += 16, pixels += 64) {
    storePixels(
      v128.not(v128.load(cyan + x)),
      v128.not(v128.load(magenta + x)),
      v128.not(v128.load(yellow + x)),
      v128.not(v128.load(key + x)),
      pixels,
    );
  }
}
