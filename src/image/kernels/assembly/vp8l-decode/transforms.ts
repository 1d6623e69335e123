import { Transform } from './state';

/** Adds green to red and blue: RFC 9649 §4.3. Pixels are B, G, R, A in memory; up to three behind the row are changed too. */
export function addGreen(row: usize, width: i32): void {
  const end = row + (<usize>width << 2);
  for (let at = row; at < end; at += 16) {
    const pixels = v128.load(at);
    const green = v128.and(i16x8.shr_u(pixels, 8), i32x4.splat(0xff));
    v128.store(at, i8x16.add(pixels, v128.or(green, i32x4.shl(green, 16))));
  }
}

/** Undoes the colour transform of one row: §4.2. */
export function addColour(transform: Transform, row: usize, y: i32): void {
  const bits = transform.bits;
  const width = transform.width;
  const columns = (width + (1 << bits) - 1) >> bits;
  let data = transform.data + <usize>((y >> bits) * columns) * 3;
  const side = 1 << bits;
  for (let x = 0; x < width; x += side) {
    const greenToRed = <i32>load<i8>(data);
    const greenToBlue = <i32>load<i8>(data, 1);
    const redToBlue = <i32>load<i8>(data, 2);
    data += 3;
    const byGreen = i32x4.splat((greenToBlue & 0xffff) | (greenToRed << 16));
    const byRed = i32x4.splat(redToBlue & 0xffff);
    const end = row + (<usize>min(x + side, width) << 2);
    // Blocks are whole vectors but for the last, where up to three pixels behind the row are changed too.
    for (let at = row + (<usize>x << 2); at < end; at += 16) {
      const pixels = v128.load(at);
      const green = i16x8.shr_s(v128.shuffle<u8>(pixels, pixels, 0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13), 8);
      const first = v128.and(i16x8.shr_s(i16x8.mul(green, byGreen), 5), i32x4.splat(0x00ff00ff));
      const half = i8x16.add(pixels, first);
      const red = i32x4.shr_s(i32x4.shl(half, 8), 24);
      const second = v128.and(i16x8.shr_s(i16x8.mul(red, byRed), 5), i32x4.splat(0xff));
      v128.store(at, i8x16.add(half, second));
    }
  }
}

/** Replaces indexes (in green, several to a pixel where there are few colours) by colours: §4.4. */
export function addPalette(transform: Transform, row: usize, out: usize): void {
  const bits = transform.bits;
  const palette = transform.data;
  const perPixel = 1 << bits;
  const width = 8 >> bits;
  const mask: u32 = (1 << width) - 1;
  let packed: u32 = 0;
  for (let x = 0; x < transform.width; x++) {
    if ((x & (perPixel - 1)) == 0) {
      packed = load<u8>(row, 1);
      row += 4;
    }
    store<u32>(out, load<u32>(palette + (<usize>(packed & mask) << 2)));
    packed >>= width;
    out += 4;
  }
}

/** The mean of each byte, rounded down. */
@inline
function mean(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), i8x16.splat(1)));
}

/** Adds the predictions of one row: §4.1. `above` is the row before (with one pixel of room behind it), `out` this one. */
export function addPrediction(transform: Transform, residuals: usize, above: usize, out: usize, y: i32): void {
  const width = transform.width;
  if (y == 0) {
    const first = i8x16.add(v128.load32_zero(residuals), i32x4.splat(0xff000000));
    v128.store32_lane(out, first, 0);
    addLeft(residuals + 4, out + 4, width - 1);
    return;
  }
  v128.store32_lane(out, i8x16.add(v128.load32_zero(residuals), v128.load32_zero(above)), 0);
  // Right of the row above follows the first pixel of this one.
  store<u32>(above + (<usize>width << 2), load<u32>(out));
  const bits = transform.bits;
  const side = 1 << bits;
  const columns = (width + side - 1) >> bits;
  const modes = transform.data + <usize>((y >> bits) * columns);
  for (let x = 1; x < width; ) {
    const end = min((x | (side - 1)) + 1, width);
    const at = <usize>x << 2;
    addBlock(load<u8>(modes + <usize>(x >> bits)), residuals + at, above + at, out + at, end - x);
    x = end;
  }
}

function addLeft(residuals: usize, out: usize, count: i32): void {
  let left = v128.load32_zero(out - 4);
  for (const end = residuals + (<usize>count << 2); residuals < end; residuals += 4) {
    left = i8x16.add(left, v128.load32_zero(residuals));
    v128.store32_lane(out, left, 0);
    out += 4;
  }
}

/** One block's part of a row. */
function addBlock(mode: i32, residuals: usize, above: usize, out: usize, count: i32): void {
  switch (mode) {
    case 1: return addLeft(residuals, out, count);
    case 2: return addFour(residuals, above, above, out, count);
    case 3: return addFour(residuals, above + 4, above + 4, out, count);
    case 4: return addFour(residuals, above - 4, above - 4, out, count);
    case 5: return addMeanOfMean(residuals, above, out, count);
    case 6: return addMeanWithLeft(residuals, above - 4, out, count);
    case 7: return addMeanWithLeft(residuals, above, out, count);
    case 8: return addFour(residuals, above - 4, above, out, count);
    case 9: return addFour(residuals, above, above + 4, out, count);
    case 10: return addMeanOfFour(residuals, above, out, count);
    case 11: return addSelected(residuals, above, out, count);
    case 12: return addGradient(residuals, above, out, count);
    case 13: return addHalfGradient(residuals, above, out, count);
    default: return addBlack(residuals, out, count);
  }
}

function addBlack(residuals: usize, out: usize, count: i32): void {
  for (const end = out + (<usize>count << 2); out < end; out += 4) {
    store<u32>(out, load<u32>(residuals) + 0xff000000);
    residuals += 4;
  }
}

/** The mean of two pixels above (of one with itself: the pixel), four at a time. */
@inline
function addFour(residuals: usize, first: usize, second: usize, out: usize, count: i32): void {
  let left = count;
  for (; left >= 4; left -= 4) {
    v128.store(out, i8x16.add(v128.load(residuals), mean(v128.load(first), v128.load(second))));
    residuals += 16;
    first += 16;
    second += 16;
    out += 16;
  }
  for (; left > 0; left--) {
    const prediction = mean(v128.load32_zero(first), v128.load32_zero(second));
    v128.store32_lane(out, i8x16.add(v128.load32_zero(residuals), prediction), 0);
    residuals += 4;
    first += 4;
    second += 4;
    out += 4;
  }
}

@inline
function addMeanWithLeft(residuals: usize, other: usize, out: usize, count: i32): void {
  let left = v128.load32_zero(out - 4);
  for (const end = out + (<usize>count << 2); out < end; out += 4) {
    left = i8x16.add(v128.load32_zero(residuals), mean(left, v128.load32_zero(other)));
    v128.store32_lane(out, left, 0);
    residuals += 4;
    other += 4;
  }
}

function addMeanOfMean(residuals: usize, above: usize, out: usize, count: i32): void {
  let left = v128.load32_zero(out - 4);
  for (const end = out + (<usize>count << 2); out < end; out += 4) {
    const prediction = mean(mean(left, v128.load32_zero(above, 4)), v128.load32_zero(above));
    left = i8x16.add(v128.load32_zero(residuals), prediction);
    v128.store32_lane(out, left, 0);
    residuals += 4;
    above += 4;
  }
}

function addMeanOfFour(residuals: usize, above: usize, out: usize, count: i32): void {
  let left = v128.load32_zero(out - 4);
  for (const end = out + (<usize>count << 2); out < end; out += 4) {
    const upper = mean(v128.load32_zero(above), v128.load32_zero(above, 4));
    left = i8x16.add(v128.load32_zero(residuals), mean(mean(left, v128.load32_zero(above - 4)), upper));
    v128.store32_lane(out, left, 0);
    residuals += 4;
    above += 4;
  }
}

/** Left or above, whichever is nearer to left + above − corner. */
function addSelected(residuals: usize, above: usize, out: usize, count: i32): void {
  let left = v128.load32_zero(out - 4);
  let corner = v128.load32_zero(above - 4);
  for (const end = out + (<usize>count << 2); out < end; out += 4) {
    const top = v128.load32_zero(above);
    // How far the sum of left, above and corner is from each: the other one's distance from the corner.
    const fromLeft = sumOfDifferences(top, corner);
    const fromTop = sumOfDifferences(left, corner);
    left = i8x16.add(v128.load32_zero(residuals), fromLeft < fromTop ? left : top);
    v128.store32_lane(out, left, 0);
    corner = top;
    residuals += 4;
    above += 4;
  }
}

@inline
function sumOfDifferences(a: v128, b: v128): i32 {
  const difference = v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
  const pairs = i16x8.extadd_pairwise_i8x16_u(difference);
  return i32x4.extract_lane(i32x4.extadd_pairwise_i16x8_u(pairs), 0);
}

/** Left + above − corner, clamped. */
function addGradient(residuals: usize, above: usize, out: usize, count: i32): void {
  let left = v128.load32_zero(out - 4);
  let corner = i16x8.extend_low_i8x16_u(v128.load32_zero(above - 4));
  for (const end = out + (<usize>count << 2); out < end; out += 4) {
    const top = i16x8.extend_low_i8x16_u(v128.load32_zero(above));
    const sum = i16x8.add(i16x8.extend_low_i8x16_u(left), i16x8.sub(top, corner));
    left = i8x16.add(v128.load32_zero(residuals), i8x16.narrow_i16x8_u(sum, sum));
    v128.store32_lane(out, left, 0);
    corner = top;
    residuals += 4;
    above += 4;
  }
}

/** The mean of left and above, and half of its distance from the corner added to it, clamped. */
function addHalfGradient(residuals: usize, above: usize, out: usize, count: i32): void {
  let left = v128.load32_zero(out - 4);
  for (const end = out + (<usize>count << 2); out < end; out += 4) {
    const middle = i16x8.extend_low_i8x16_u(mean(left, v128.load32_zero(above)));
    const difference = i16x8.sub(middle, i16x8.extend_low_i8x16_u(v128.load32_zero(above - 4)));
    // Halved towards zero.
    const half = i16x8.shr_s(i16x8.add(difference, i16x8.shr_u(difference, 15)), 1);
    const sum = i16x8.add(middle, half);
    left = i8x16.add(v128.load32_zero(residuals), i8x16.narrow_i16x8_u(sum, sum));
    v128.store32_lane(out, left, 0);
    residuals += 4;
    above += 4;
  }
}
