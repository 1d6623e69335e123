/** What happens to each pixel by itself: conversions of colour and compositing, in place on four-byte pixels. */

/** floor(value / 255) of 16-bit lanes below 65,535. */
@inline
function by255(values: v128): v128 {
  const next = i16x8.add(values, i16x8.splat(1));
  return i16x8.shr_u(i16x8.add(next, i16x8.shr_u(next, 8)), 8);
}

/** What a pixel's three values add up to: red, green and blue light in 32-bit lanes. */
@inline
function lightOf(pixel: u32, columns: usize): v128 {
  const red = v128.load(columns + ((pixel & 255) << 4));
  const green = v128.load(columns + (((pixel >> 8) & 255) << 4), 4096);
  const blue = v128.load(columns + (((pixel >> 16) & 255) << 4), 8192);
  return i32x4.add(i32x4.add(red, green), blue);
}

/** A pixel's alpha with the values of three lights. */
@inline
function encode(pixel: u32, red: u32, green: u32, blue: u32, encoded: usize): u32 {
  const colours = <u32>load<u8>(encoded + red) | (<u32>load<u8>(encoded + green) << 8);
  return (pixel & 0xff000000) | colours | (<u32>load<u8>(encoded + blue) << 16);
}

/**
 * Converts RGB by three curves, a matrix and one curve for all channels. Alpha stays.
 * @param columns for each of the 3 × 256 channel values what it adds to the red, green and blue light: four 32-bit integers
 * @param encoded 65,536 bytes: the value of each light; light outside 0 … 65,535 is clipped
 */
export function convertMatrix(pixels: usize, count: i32, columns: usize, encoded: usize): void {
  const end = pixels + (<usize>count << 2);
  for (; pixels + 8 <= end; pixels += 8) {
    const left = load<u32>(pixels);
    const right = load<u32>(pixels, 4);
    const light = i16x8.narrow_i32x4_u(lightOf(left, columns), lightOf(right, columns));
    const red = i16x8.extract_lane_u(light, 0);
    const green = i16x8.extract_lane_u(light, 1);
    store<u32>(pixels, encode(left, red, green, i16x8.extract_lane_u(light, 2), encoded));
    const otherRed = i16x8.extract_lane_u(light, 4);
    const otherGreen = i16x8.extract_lane_u(light, 5);
    store<u32>(pixels, encode(right, otherRed, otherGreen, i16x8.extract_lane_u(light, 6), encoded), 4);
  }
  if (pixels < end) {
    const last = load<u32>(pixels);
    const sum = lightOf(last, columns);
    const light = i16x8.narrow_i32x4_u(sum, sum);
    const red = i16x8.extract_lane_u(light, 0);
    const green = i16x8.extract_lane_u(light, 1);
    store<u32>(pixels, encode(last, red, green, i16x8.extract_lane_u(light, 2), encoded));
  }
}

/** Gives all three channels what a table of 256 bytes says of the first. Alpha stays. */
export function convertGrey(pixels: usize, count: i32, table: usize): void {
  for (const end = pixels + (<usize>count << 2); pixels < end; pixels += 4) {
    const pixel = load<u32>(pixels);
    store<u32>(pixels, (pixel & 0xff000000) | (<u32>load<u8>(table + (pixel & 255)) * 0x010101));
  }
}

/** Four CMYK pixels (255 = full ink) as opaque RGBA. */
@inline
function plainCmyk(pixels: v128): v128 {
  const light = v128.not(pixels);
  const black = v128.shuffle<u8>(light, light, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
  const half = i16x8.splat(127);
  const low = i16x8.add(i16x8.extmul_low_i8x16_u(light, black), half);
  const high = i16x8.add(i16x8.extmul_high_i8x16_u(light, black), half);
  return v128.or(i8x16.narrow_i16x8_u(by255(low), by255(high)), i32x4.splat(0xff000000));
}

/** Each ink takes its share of the complementary light: (255 − ink)(255 − black) ∕ 255, rounded. */
export function convertPlainCmyk(pixels: usize, count: i32): void {
  const end = pixels + (<usize>count << 2);
  for (; pixels + 16 <= end; pixels += 16) v128.store(pixels, plainCmyk(v128.load(pixels)));
  for (; pixels < end; pixels += 4) v128.store32_lane(pixels, plainCmyk(v128.load32_zero(pixels)), 0);
}

/** Four straight-alpha RGBA pixels composited on white: 255 − alpha × (255 − colour) ∕ 255, rounded. */
@inline
function onWhite(pixels: v128): v128 {
  const alpha = v128.shuffle<u8>(pixels, pixels, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
  const dark = v128.not(pixels);
  const white = i16x8.splat(<i16>(255 * 255 + 127));
  const low = i16x8.sub(white, i16x8.extmul_low_i8x16_u(alpha, dark));
  const high = i16x8.sub(white, i16x8.extmul_high_i8x16_u(alpha, dark));
  return v128.or(i8x16.narrow_i16x8_u(by255(low), by255(high)), i32x4.splat(0xff000000));
}

/** Composites straight-alpha RGBA on white: round((alpha × colour + (255 − alpha) × 255) ∕ 255). */
export function flatten(pixels: usize, count: i32): void {
  const end = pixels + (<usize>count << 2);
  const opaque = i32x4.splat(0xff000000);
  for (; pixels + 16 <= end; pixels += 16) {
    const four = v128.load(pixels);
    if (i32x4.all_true(i32x4.eq(v128.and(four, opaque), opaque))) continue;
    v128.store(pixels, onWhite(four));
  }
  for (; pixels < end; pixels += 4) v128.store32_lane(pixels, onWhite(v128.load32_zero(pixels)), 0);
}
