import { Mode, Submode } from './modes';

/**
 * Predicts `size`×`size` pixels (16 or 8) from the unfiltered row above and the pixels to the left: RFC 6386 §12.2–12.3. What
 * lies outside the picture has been filled in by the caller, except for DC, which needs to know what is there.
 */
@inline
export function predictWhole(mode: i32, at: usize, stride: usize, above: usize, size: i32, up: bool, left: bool): void {
  if (mode == Mode.vertical) {
    const row = size == 16 ? v128.load(above) : v128.load64_zero(above);
    for (let y = 0; y < size; y++) storeRow(at + <usize>y * stride, row, size);
  } else if (mode == Mode.horizontal) {
    for (let y = 0; y < size; y++) {
      const row = at + <usize>y * stride;
      storeRow(row, i8x16.splat(load<u8>(row - 1)), size);
    }
  } else if (mode == Mode.tm) {
    predictTrueMotion(at, stride, above, size);
  } else {
    const row = i8x16.splat(<u8>dcValue(at, stride, above, size, up, left));
    for (let y = 0; y < size; y++) storeRow(at + <usize>y * stride, row, size);
  }
}

@inline
function storeRow(at: usize, row: v128, size: i32): void {
  if (size == 16) v128.store(at, row);
  else v128.store64_lane(at, row, 0);
}

@inline
function predictTrueMotion(at: usize, stride: usize, above: usize, size: i32): void {
  const row = size == 16 ? v128.load(above) : v128.load64_zero(above);
  const corner = i16x8.splat(load<u8>(above - 1));
  const low = i16x8.sub(i16x8.extend_low_i8x16_u(row), corner);
  const high = i16x8.sub(i16x8.extend_high_i8x16_u(row), corner);
  for (let y = 0; y < size; y++) {
    const out = at + <usize>y * stride;
    const left = i16x8.splat(load<u8>(out - 1));
    storeRow(out, i8x16.narrow_i16x8_u(i16x8.add(low, left), i16x8.add(high, left)), size);
  }
}

@inline
function dcValue(at: usize, stride: usize, above: usize, size: i32, up: bool, left: bool): i32 {
  if (!up && !left) return 128;
  let sum = 0;
  if (up) for (let x = 0; x < size; x++) sum += load<u8>(above + x);
  if (left) for (let y = 0; y < size; y++) sum += load<u8>(at + <usize>y * stride - 1);
  const count = up && left ? 2 * size : size;
  return (sum + (count >> 1)) / count;
}

/** Stores bytes 0–3, 4–7 … as rows. */
@inline
function storeSubblock(at: usize, stride: usize, pixels: v128): void {
  v128.store32_lane(at, pixels, 0);
  v128.store32_lane(at + stride, pixels, 1);
  v128.store32_lane(at + 2 * stride, pixels, 2);
  v128.store32_lane(at + 3 * stride, pixels, 3);
}

/**
 * Predicts 4×4 pixels (§12.3). All directional modes are smoothed pixels of the edge, which runs from the lowest pixel to
 * the left, over the corner, to the eighth above: they are made at once and then laid out.
 * @param above the four pixels above and in the upper half the four right of them
 */
export function predictSubblock(mode: i32, at: usize, stride: usize, above: u64, corner: u32): void {
  const left =
    (<u32>load<u8>(at - 1) << 24) |
    (<u32>load<u8>(at + stride - 1) << 16) |
    (<u32>load<u8>(at + 2 * stride - 1) << 8) |
    <u32>load<u8>(at + 3 * stride - 1);
  if (mode == Submode.dc) {
    const low = <u32>above;
    const sum =
      (low & 255) + ((low >> 8) & 255) + ((low >> 16) & 255) + (low >> 24) +
      (left & 255) + ((left >> 8) & 255) + ((left >> 16) & 255) + (left >> 24);
    storeSubblock(at, stride, i8x16.splat(<u8>((sum + 4) >> 3)));
    return;
  }
  if (mode == Submode.tm) {
    predictSubblockTrueMotion(at, stride, above, left, corner);
    return;
  }
  const lower = <u64>left | (<u64>corner << 32) | (above << 40);
  const upper = (above >> 24) | (above >> 56 << 40);
  const edge = i64x2.replace_lane(i64x2.splat(lower), 1, upper);
  const before = v128.shuffle<u8>(edge, edge, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
  const after = v128.shuffle<u8>(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  const rounded = i8x16.avgr_u(before, after);
  const outer = i8x16.sub(rounded, v128.and(v128.xor(before, after), i8x16.splat(1)));
  const three = i8x16.avgr_u(edge, outer);
  // The last lane of the averages of two is free: the lowest pixel as it is.
  const two = i8x16.replace_lane(i8x16.avgr_u(edge, after), 15, <u8>left);
  storeSubblock(at, stride, directional(mode, three, two));
}

/** Lays out the averages of three (indexes 0–15) and of two neighbours (16–31). */
@inline
function directional(mode: i32, three: v128, two: v128): v128 {
  switch (mode) {
    case Submode.vertical:
      return v128.shuffle<u8>(three, two, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8);
    case Submode.horizontal:
      return v128.shuffle<u8>(three, two, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
    case Submode.leftDown:
      return v128.shuffle<u8>(three, two, 6, 7, 8, 9, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12);
    case Submode.rightDown:
      return v128.shuffle<u8>(three, two, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5, 1, 2, 3, 4);
    case Submode.verticalRight:
      return v128.shuffle<u8>(three, two, 20, 21, 22, 23, 4, 5, 6, 7, 3, 20, 21, 22, 2, 4, 5, 6);
    case Submode.verticalLeft:
      return v128.shuffle<u8>(three, two, 21, 22, 23, 24, 6, 7, 8, 9, 22, 23, 24, 10, 7, 8, 9, 11);
    case Submode.horizontalDown:
      return v128.shuffle<u8>(three, two, 19, 4, 5, 6, 18, 3, 19, 4, 17, 2, 18, 3, 16, 1, 17, 2);
    default:
      return v128.shuffle<u8>(three, two, 18, 2, 17, 1, 17, 1, 16, 0, 16, 0, 31, 31, 31, 31, 31, 31);
  }
}

@inline
function predictSubblockTrueMotion(at: usize, stride: usize, above: u64, left: u32, corner: u32): void {
  const row = i16x8.sub(i16x8.extend_low_i8x16_u(i64x2.splat(above & 0xffffffff)), i16x8.splat(<i16>corner));
  for (let y: u32 = 0; y < 4; y++) {
    const sum = i16x8.add(row, i16x8.splat(<i16>((left >> (24 - 8 * y)) & 255)));
    v128.store32_lane(at + <usize>y * stride, i8x16.narrow_i16x8_u(sum, sum), 0);
  }
}
