import { Encoder } from './encoder';

/**
 * Turns the 16 rows of RGBA into luma and 4:2:0 chroma: BT.601, 16–235 and 16–240, chroma from the mean of 2×2 pixels.
 * Widths are whole macroblocks.
 */
export function convertRow(e: Encoder): void {
  const width = e.mbWidth << 4;
  for (let y = 0; y < 16; y++) lumaRow(e.rgba + <usize>(y * width * 4), e.sourceY + <usize>(y * width), width);
  for (let y = 0; y < 8; y++) {
    const row = e.rgba + <usize>(y * 2 * width * 4);
    const at = <usize>(y * (width >> 1));
    chromaRow(row, row + <usize>(width * 4), e.sourceU + at, e.sourceV + at, width);
  }
}

/** 4 pixels to 4 luma samples. The weight of green is split over both products since it needs 17 bits with its sign. */
@inline
function luma4(pixels: v128): v128 {
  const zero = i32x4.splat(0);
  const rg = i8x16.shuffle(pixels, zero, 0, 16, 1, 16, 4, 16, 5, 16, 8, 16, 9, 16, 12, 16, 13, 16);
  const bg = i8x16.shuffle(pixels, zero, 2, 16, 1, 16, 6, 16, 5, 16, 10, 16, 9, 16, 14, 16, 13, 16);
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(rg, i16x8(16839, 16675, 16839, 16675, 16839, 16675, 16839, 16675)),
    i32x4.dot_i16x8_s(bg, i16x8(6420, 16384, 6420, 16384, 6420, 16384, 6420, 16384)),
  );
  return i32x4.shr_u(i32x4.add(sum, i32x4.splat((16 << 16) + 32768)), 16);
}

function lumaRow(rgba: usize, out: usize, width: i32): void {
  for (let x = 0; x < width; x += 16) {
    const low = i16x8.narrow_i32x4_u(luma4(v128.load(rgba)), luma4(v128.load(rgba, 16)));
    const high = i16x8.narrow_i32x4_u(luma4(v128.load(rgba, 32)), luma4(v128.load(rgba, 48)));
    v128.store(out, i8x16.narrow_i16x8_u(low, high));
    rgba += 64;
    out += 16;
  }
}

/** Sums of 2×2 pixels for two chroma samples: RGBA, RGBA. */
@inline
function sums(top: v128, bottom: v128): v128 {
  const low = i16x8.add(i16x8.extend_low_i8x16_u(top), i16x8.extend_low_i8x16_u(bottom));
  const high = i16x8.add(i16x8.extend_high_i8x16_u(top), i16x8.extend_high_i8x16_u(bottom));
  return i16x8.add(v128.shuffle<i64>(low, high, 0, 2), v128.shuffle<i64>(low, high, 1, 3));
}

@inline
function weigh(first: v128, second: v128, weights: v128): v128 {
  const a = i32x4.dot_i16x8_s(first, weights);
  const b = i32x4.dot_i16x8_s(second, weights);
  const sum = i32x4.add(v128.shuffle<i32>(a, b, 0, 2, 4, 6), v128.shuffle<i32>(a, b, 1, 3, 5, 7));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat((128 << 18) + (1 << 17))), 18);
}

function chromaRow(top: usize, bottom: usize, u: usize, v: usize, width: i32): void {
  const uWeights = i16x8(-9719, -19081, 28800, 0, -9719, -19081, 28800, 0);
  const vWeights = i16x8(28800, -24116, -4684, 0, 28800, -24116, -4684, 0);
  for (let x = 0; x < width; x += 16) {
    const s0 = sums(v128.load(top), v128.load(bottom));
    const s1 = sums(v128.load(top, 16), v128.load(bottom, 16));
    const s2 = sums(v128.load(top, 32), v128.load(bottom, 32));
    const s3 = sums(v128.load(top, 48), v128.load(bottom, 48));
    const uWide = i16x8.narrow_i32x4_s(weigh(s0, s1, uWeights), weigh(s2, s3, uWeights));
    const vWide = i16x8.narrow_i32x4_s(weigh(s0, s1, vWeights), weigh(s2, s3, vWeights));
    v128.store64_lane(u, i8x16.narrow_i16x8_u(uWide, uWide), 0);
    v128.store64_lane(v, i8x16.narrow_i16x8_u(vWide, vWide), 0);
    top += 64;
    bottom += 64;
    u += 8;
    v += 8;
  }
}
