/**
 * Turning of RGBA rows into an upright picture, and the planar 4:2:0 form (full-range BT.601 YCbCr, ITU-T T.871) in which large
 * upright pictures are kept, with a plane of transparency where there is some.
 */

@inline
function evenPixels(left: v128, right: v128): v128 {
  return v128.shuffle<i32>(left, right, 0, 2, 4, 6);
}

@inline
function oddPixels(left: v128, right: v128): v128 {
  return v128.shuffle<i32>(left, right, 1, 3, 5, 7);
}

/** Moves one pixel at a time: what is left beside whole tiles. */
function turnPixels(
  source: usize,
  stride: usize,
  columns: i32,
  rows: i32,
  target: usize,
  across: isize,
  down: isize,
): void {
  for (let y = 0; y < rows; y++, source += stride, target += down) {
    let to = target;
    for (let x: usize = 0, end = <usize>columns << 2; x < end; x += 4, to += across) {
      store<u32>(to, load<u32>(source + x));
    }
  }
}

/**
 * Moves `rows` rows of `columns` pixels so that columns become rows, in tiles of 4 × 4.
 * @param target where the first pixel goes
 * @param across bytes from there to where its right neighbour goes
 * @param forward whether the pixel below goes to the right of it (else to the left)
 */
export function transpose(
  source: usize,
  stride: usize,
  columns: i32,
  rows: i32,
  target: usize,
  across: isize,
  forward: bool,
): void {
  const wide = columns & ~3;
  const high = rows & ~3;
  const step: isize = forward ? 16 : -16;
  // Reading the rows upwards puts pixels that go to the left in rising order.
  const rise: usize = forward ? stride : 0 - stride;
  const begin = forward ? source : source + stride * 3;
  const start = forward ? target : target - 12;
  for (let x = 0; x < wide; x += 4) {
    let from = begin + (<usize>x << 2);
    let to = start + <usize>(<isize>x * across);
    for (let y = 0; y < high; y += 4, from += stride << 2, to += step) {
      const a = v128.load(from);
      const b = v128.load(from + rise);
      const c = v128.load(from + (rise << 1));
      const d = v128.load(from + rise * 3);
      const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
      const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
      const ef = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
      const gh = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
      v128.store(to, v128.shuffle<i64>(ab, cd, 0, 2));
      v128.store(to + across, v128.shuffle<i64>(ab, cd, 1, 3));
      v128.store(to + (across << 1), v128.shuffle<i64>(ef, gh, 0, 2));
      v128.store(to + across * 3, v128.shuffle<i64>(ef, gh, 1, 3));
    }
  }
  const down: isize = forward ? 4 : -4;
  const right = source + (<usize>wide << 2);
  turnPixels(right, stride, columns - wide, high, target + <usize>(<isize>wide * across), across, down);
  const below = source + stride * <usize>high;
  turnPixels(below, stride, columns, rows - high, target + <usize>(<isize>high * down), across, down);
}

/** Writes one row of `columns` pixels from right to left; `target` is where the row starts. */
export function mirror(source: usize, columns: i32, target: usize): void {
  let to = target + (<usize>columns << 2);
  const end = source + (<usize>columns << 2);
  for (; source + 16 <= end; source += 16) {
    to -= 16;
    const pixels = v128.load(source);
    v128.store(to, v128.shuffle<i32>(pixels, pixels, 3, 2, 1, 0));
  }
  for (; source < end; source += 4) {
    to -= 4;
    store<u32>(to, load<u32>(source));
  }
}

/** Repeats the last pixel of each row and the last row, so that there are whole blocks of 4 × 2. */
function fillUp(pixels: usize, stride: usize, columns: i32, rows: i32): void {
  const wide = (columns + 3) & ~3;
  for (let y = 0, row = pixels; y < rows; y++, row += stride) {
    const last = load<u32>(row + (<usize>(columns - 1) << 2));
    for (let x = columns; x < wide; x++) store<u32>(row + (<usize>x << 2), last);
  }
  const end = pixels + stride * <usize>rows;
  if (rows & 1) memory.copy(end, end - stride, <usize>wide << 2);
}

/** One weighted sum a pixel from those of its two halves. */
@inline
function joinHalves(left: v128, right: v128): v128 {
  return i32x4.add(evenPixels(left, right), oddPixels(left, right));
}

/** The luma of four pixels as 32-bit lanes; `weights` are R, G, B, 0 twice, × 2¹⁵. */
@inline
function lumaOf(left: v128, right: v128, weights: v128): v128 {
  const sums = joinHalves(i32x4.dot_i16x8_s(left, weights), i32x4.dot_i16x8_s(right, weights));
  return i32x4.shr_u(i32x4.add(sums, i32x4.splat(1 << 14)), 15);
}

/** The sum of two neighbouring pixels, twice: in the low and in the high half. */
@inline
function neighbours(pixels: v128): v128 {
  return i16x8.add(pixels, v128.shuffle<i64>(pixels, pixels, 1, 0));
}

/**
 * Turns RGBA into planes: Y a pixel, Cb and Cr a block of 2 × 2 (its mean). Writes whole blocks of 4 × 2 pixels: where `columns` or `rows`
 * end within one, the last column and row are repeated, in `pixels` too, which has room for them.
 * @param chroma distance of two chroma rows; luma rows are twice as far apart
 */
export function packPlanes(
  pixels: usize,
  stride: usize,
  columns: i32,
  rows: i32,
  luma: usize,
  blue: usize,
  red: usize,
  chroma: usize,
): void {
  fillUp(pixels, stride, columns, rows);
  const lumaWeights = i16x8(9798, 19235, 3735, 0, 9798, 19235, 3735, 0);
  const blueWeights = i16x8(-5529, -10855, 16384, 0, -5529, -10855, 16384, 0);
  const redWeights = i16x8(16384, -13720, -2664, 0, 16384, -13720, -2664, 0);
  // Four pixels are summed: two bits more than the weights have. 128 is the neutral value.
  const neutral = i32x4.splat((128 << 17) + (1 << 16));
  for (let y = 0; y < rows; y += 2) {
    let from = pixels + stride * <usize>y;
    let upper = luma + chroma * <usize>(y << 1);
    let cb = blue + chroma * <usize>(y >> 1);
    let cr = red + chroma * <usize>(y >> 1);
    const lower = chroma << 1;
    for (let x = 0; x < columns; x += 4, from += 16, upper += 4, cb += 2, cr += 2) {
      const above = v128.load(from);
      const below = v128.load(from + stride);
      const a = i16x8.extend_low_i8x16_u(above);
      const b = i16x8.extend_high_i8x16_u(above);
      const c = i16x8.extend_low_i8x16_u(below);
      const d = i16x8.extend_high_i8x16_u(below);
      const rowsOfY = i16x8.narrow_i32x4_s(lumaOf(a, b, lumaWeights), lumaOf(c, d, lumaWeights));
      const bytes = i8x16.narrow_i16x8_u(rowsOfY, rowsOfY);
      v128.store32_lane(upper, bytes, 0);
      v128.store32_lane(upper + lower, bytes, 1);
      const left = neighbours(i16x8.add(a, c));
      const right = neighbours(i16x8.add(b, d));
      const cells = v128.shuffle<i64>(left, right, 0, 2);
      const blues = i32x4.dot_i16x8_s(cells, blueWeights);
      const reds = i32x4.dot_i16x8_s(cells, redWeights);
      const both = i32x4.shr_s(i32x4.add(joinHalves(blues, reds), neutral), 17);
      const narrow = i16x8.narrow_i32x4_s(both, both);
      const chromas = i8x16.narrow_i16x8_u(narrow, narrow);
      v128.store16_lane(cb, chromas, 0);
      v128.store16_lane(cr, chromas, 1);
    }
  }
}

/** Four bytes a pixel from eight samples a channel. */
@inline
function storePixels(out: usize, red: v128, green: v128, blue: v128): void {
  const rg = v128.shuffle<u8>(red, green, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ba = v128.shuffle<u8>(blue, i8x16.splat(-1), 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  v128.store(out, v128.shuffle<i16>(rg, ba, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(out, v128.shuffle<i16>(rg, ba, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}

/**
 * Turns one row of planes back into opaque RGBA; each chroma sample serves its two pixels. Works on eight pixels at a time, so all rows need
 * room for a multiple of eight.
 */
export function unpackRow(luma: usize, blue: usize, red: usize, columns: i32, out: usize): void {
  const greenWeights = i16x8(-11277, -23401, -11277, -23401, -11277, -23401, -11277, -23401);
  const half = i32x4.splat(1 << 14);
  for (let x = 0; x < columns; x += 8, luma += 8, blue += 4, red += 4, out += 32) {
    const y = i16x8.extend_low_i8x16_u(v128.load64_zero(luma));
    const blues = i16x8.extend_low_i8x16_u(v128.load32_zero(blue));
    const reds = i16x8.extend_low_i8x16_u(v128.load32_zero(red));
    const cb = i16x8.sub(v128.shuffle<i16>(blues, blues, 0, 0, 1, 1, 2, 2, 3, 3), i16x8.splat(128));
    const cr = i16x8.sub(v128.shuffle<i16>(reds, reds, 0, 0, 1, 1, 2, 2, 3, 3), i16x8.splat(128));
    // 1.402 = 1 + 0.402 and 1.772 = 2 − 0.228
    const r = i16x8.add(i16x8.add(y, cr), i16x8.q15mulr_sat_s(cr, i16x8.splat(13173)));
    const b = i16x8.sub(i16x8.add(y, i16x8.shl(cb, 1)), i16x8.q15mulr_sat_s(cb, i16x8.splat(7471)));
    const low = i32x4.dot_i16x8_s(v128.shuffle<i16>(cb, cr, 0, 8, 1, 9, 2, 10, 3, 11), greenWeights);
    const high = i32x4.dot_i16x8_s(v128.shuffle<i16>(cb, cr, 4, 12, 5, 13, 6, 14, 7, 15), greenWeights);
    const lowGreen = i32x4.shr_s(i32x4.add(low, half), 15);
    const highGreen = i32x4.shr_s(i32x4.add(high, half), 15);
    const g = i16x8.add(y, i16x8.narrow_i32x4_s(lowGreen, highGreen));
    storePixels(out, i8x16.narrow_i16x8_u(r, r), i8x16.narrow_i16x8_u(g, g), i8x16.narrow_i16x8_u(b, b));
  }
}

/** The mean of those of two by two pixels that are not wholly transparent; 0 where all of them are. */
function meanSeen(above: usize, below: usize, count: usize): u32 {
  let red: u32 = 0;
  let green: u32 = 0;
  let blue: u32 = 0;
  let seen: u32 = 0;
  for (let x: usize = 0; x < count << 2; x += 4) {
    for (let row = above; ; row = below) {
      if (load<u8>(row + x, 3) > 0) {
        red += load<u8>(row + x);
        green += load<u8>(row + x, 1);
        blue += load<u8>(row + x, 2);
        seen++;
      }
      if (row == below) break;
    }
  }
  if (seen == 0) return 0;
  return red / seen | (green / seen) << 8 | (blue / seen) << 16;
}

/** Gives wholly transparent pixels the mean colour of what is seen of their block of 2 × 2, so that it leaves no trace in its chroma. */
export function fillHidden(pixels: usize, stride: usize, columns: i32, rows: i32): void {
  for (let y = 0; y < rows; y += 2) {
    const above = pixels + stride * <usize>y;
    const below = y + 1 < rows ? above + stride : above;
    for (let x = 0; x < columns; x += 2) {
      const at = <usize>x << 2;
      const count: usize = x + 1 < columns ? 2 : 1;
      let hidden = false;
      for (let i: usize = 0; i < count << 2; i += 4) {
        if (load<u8>(above + at + i, 3) == 0 || load<u8>(below + at + i, 3) == 0) hidden = true;
      }
      if (!hidden) continue;
      const colour = meanSeen(above + at, below + at, count);
      for (let i: usize = at; i < at + (count << 2); i += 4) {
        if (load<u8>(above + i, 3) == 0) store<u32>(above + i, colour);
        if (load<u8>(below + i, 3) == 0) store<u32>(below + i, colour);
      }
    }
  }
}

/** Writes the opacity of pixels as a plane, four at a time. @param across distance of two rows of the plane */
export function packAlpha(pixels: usize, stride: usize, columns: i32, rows: i32, alpha: usize, across: usize): void {
  for (let y = 0; y < rows; y++, pixels += stride, alpha += across) {
    for (let x: usize = 0; x < <usize>columns; x += 4) {
      const opacities = i32x4.shr_u(v128.load(pixels + (x << 2)), 24);
      const narrow = i16x8.narrow_i32x4_u(opacities, opacities);
      v128.store32_lane(alpha + x, i8x16.narrow_i16x8_u(narrow, narrow), 0);
    }
  }
}

/** Gives a row of opaque RGBA the opacity of a row of such a plane, four at a time. */
export function unpackAlpha(alpha: usize, columns: i32, out: usize): void {
  const colours = i32x4.splat(0x00ffffff);
  for (let x = 0; x < columns; x += 4, alpha += 4, out += 16) {
    const opacities = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(alpha)));
    v128.store(out, v128.or(v128.and(v128.load(out), colours), i32x4.shl(opacities, 24)));
  }
}
