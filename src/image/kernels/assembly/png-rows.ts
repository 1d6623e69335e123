import { paethPredictor } from './png-filter/paeth';

/*
 * Undoing of the filters of PNG (third edition, clause 9) from one place to another, since the filtered bytes are what later copies of the
 * compressed data refer to. Pixels of 3, 4, 6 and 8 bytes are done as vectors, which read up to 8 bytes behind a row and write as
 * many behind `out`.
 */

@inline
function loadPixel(at: usize, distance: usize): v128 {
  return distance <= 4 ? v128.load32_zero(at) : v128.load64_zero(at);
}

@inline
function storePixel(at: usize, pixel: v128, distance: usize): void {
  if (distance <= 4) v128.store32_lane(at, pixel, 0);
  else v128.store64_lane(at, pixel, 0);
}

@inline
function undoSub(source: usize, out: usize, bytes: usize, distance: usize): void {
  let left = i32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += distance) {
    left = i8x16.add(left, loadPixel(source + at, distance));
    storePixel(out + at, left, distance);
  }
}

@inline
function undoAverage(source: usize, above: usize, out: usize, bytes: usize, distance: usize): void {
  const one = i8x16.splat(1);
  let left = i32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += distance) {
    const up = loadPixel(above + at, distance);
    // The instruction rounds up, the filter down.
    const odd = v128.and(v128.xor(left, up), one);
    const mean = i8x16.sub(i8x16.avgr_u(left, up), odd);
    left = i8x16.add(mean, loadPixel(source + at, distance));
    storePixel(out + at, left, distance);
  }
}

@inline
function undoPaeth(source: usize, above: usize, out: usize, bytes: usize, distance: usize): void {
  let left = i32x4.splat(0);
  let corner = i32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += distance) {
    const up = i16x8.extend_low_i8x16_u(loadPixel(above + at, distance));
    const x = i16x8.extend_low_i8x16_u(loadPixel(source + at, distance));
    const nearest = paethPredictor(left, up, corner);
    left = i8x16.add(nearest, x);
    corner = up;
    storePixel(out + at, i8x16.narrow_i16x8_u(left, left), distance);
  }
}

function undoUp(source: usize, above: usize, out: usize, bytes: usize): void {
  const whole = bytes & ~15;
  let at: usize = 0;
  for (; at < whole; at += 16) v128.store(out + at, i8x16.add(v128.load(source + at), v128.load(above + at)));
  for (; at < bytes; at++) store<u8>(out + at, load<u8>(source + at) + load<u8>(above + at));
}

@inline
function paeth(left: i32, up: i32, corner: i32): i32 {
  const toLeft = abs(up - corner);
  const toUp = abs(left - corner);
  const toCorner = abs(left + up - corner - corner);
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

/** Sub, Average or Paeth for pixels of one or two bytes, a channel after the other. */
function undoSmall(filter: i32, source: usize, above: usize, out: usize, bytes: usize, distance: usize): void {
  for (let channel: usize = 0; channel < distance; channel++) {
    let left = 0;
    let corner = 0;
    for (let at = channel; at < bytes; at += distance) {
      const up = <i32>load<u8>(above + at);
      const guess = filter == 1 ? left : filter == 3 ? (left + up) >> 1 : paeth(left, up, corner);
      left = (guess + load<u8>(source + at)) & 255;
      store<u8>(out + at, left);
      corner = up;
    }
  }
}

@inline
function undoWide(filter: i32, source: usize, above: usize, out: usize, bytes: usize, distance: usize): void {
  if (filter == 1) undoSub(source, out, bytes, distance);
  else if (filter == 3) undoAverage(source, above, out, bytes, distance);
  else undoPaeth(source, above, out, bytes, distance);
}

/**
 * Undoes the filter of one row.
 * @param source the filter's type, then the row
 * @param above the row above it, undone; zeros above the first
 * @param distance bytes of a pixel: 1, 2, 3, 4, 6 or 8
 * @returns whether there is such a filter
 */
export function unfilter(source: usize, above: usize, out: usize, bytes: usize, distance: usize): bool {
  const filter = <i32>load<u8>(source++);
  if (filter > 4) return false;
  if (filter == 0) memory.copy(out, source, bytes);
  else if (filter == 2) undoUp(source, above, out, bytes);
  else if (distance == 3) undoWide(filter, source, above, out, bytes, 3);
  else if (distance == 4) undoWide(filter, source, above, out, bytes, 4);
  else if (distance == 6) undoWide(filter, source, above, out, bytes, 6);
  else if (distance == 8) undoWide(filter, source, above, out, bytes, 8);
  else undoSmall(filter, source, above, out, bytes, distance);
  return true;
}

/** Expands opaque RGB of 8 bits to RGBA; reads up to 4 bytes behind the row. */
export function expandRgb(row: usize, out: usize, width: usize): void {
  const end = out + (width << 2);
  const opaque = i32x4.splat(0xff000000);
  for (; out + 16 <= end; out += 16, row += 12) {
    const pixels = v128.swizzle(v128.load(row), i8x16(0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11, 16));
    v128.store(out, v128.or(pixels, opaque));
  }
  for (; out < end; out += 4, row += 3) {
    store<u32>(out, <u32>load<u16>(row) | (<u32>load<u8>(row, 2) << 16) | 0xff000000);
  }
}

/** Expands opaque RGB of 16 bits to RGBA of 8: the upper bytes. */
export function expandDeepRgb(row: usize, out: usize, width: usize): void {
  const end = out + (width << 2);
  const opaque = i32x4.splat(0xff000000);
  for (; out + 16 <= end; out += 16, row += 24) {
    const pixels = i8x16.shuffle(v128.load(row), v128.load(row, 8), 0, 2, 4, 4, 6, 8, 10, 10, 12, 14, 24, 24, 26, 28, 30, 30);
    v128.store(out, v128.or(pixels, opaque));
  }
  for (; out < end; out += 4, row += 6) {
    store<u32>(out, <u32>load<u8>(row) | (<u32>load<u8>(row, 2) << 8) | (<u32>load<u8>(row, 4) << 16) | 0xff000000);
  }
}

/** The upper bytes of samples of 16 bits. */
export function upperBytes(row: usize, out: usize, samples: usize): void {
  const end = out + samples;
  for (; out + 16 <= end; out += 16, row += 32) {
    const bytes = i8x16.shuffle(v128.load(row), v128.load(row, 16), 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    v128.store(out, bytes);
  }
  for (; out < end; out++, row += 2) store<u8>(out, load<u8>(row));
}
