import { Decoder, LUMA_BEFORE } from './state';

/**
 * One row of chroma between two rows, at the place of eight pixels: 9, 3, 3 and 1 sixteenths of the four samples around, rounded
 * as libwebp does. `a` is the nearest sample, `b` its neighbour in the row, `c` and `d` those in the other row.
 */
@inline
function between(a: v128, b: v128, c: v128, d: v128): v128 {
  const middle = i16x8.add(b, c);
  const sum = i16x8.add(i16x8.add(i16x8.add(a, d), i16x8.add(middle, i16x8.shl(middle, 1))), i16x8.splat(8));
  return i16x8.shr_u(i16x8.add(i16x8.shr_u(sum, 3), a), 1);
}

/** `value` × (`whole` + `part` / 256), rounded down, in 16 bits. */
@inline
function times(value: v128, whole: i16, part: i16): v128 {
  return i16x8.add(i16x8.mul(value, i16x8.splat(whole)), i16x8.shr_u(i16x8.mul(value, i16x8.splat(part)), 8));
}

@inline
function red(y: v128, v: v128): v128 {
  return i16x8.shr_u(i16x8.sub_sat_u(i16x8.add(y, times(v, 102, 37)), i16x8.splat(14234)), 6);
}

@inline
function green(y: v128, u: v128, v: v128): v128 {
  const chroma = i16x8.add(times(u, 25, 19), i16x8.add(i16x8.mul(v, i16x8.splat(52)), i16x8.shr_u(v, 5)));
  return i16x8.shr_s(i16x8.sub(i16x8.add(y, i16x8.splat(8708)), chroma), 6);
}

@inline
function blue(y: v128, u: v128): v128 {
  return i16x8.shr_u(i16x8.sub_sat_u(i16x8.add(y, times(u, 129, 26)), i16x8.splat(17685)), 6);
}

/**
 * Makes rows of RGBA of what is final: chroma between its samples ("fancy"), BT.601 in libwebp's fixed point.
 * @param from the first row of the picture that is wanted; it must be within what `decodeRow` said
 * @param alpha rows of `alphaStride` bytes, readable for 16 bytes behind their end; 0: opaque
 * @param out rows without gaps; up to 60 bytes behind the last one are written
 */
export function writePixels(decoder: Decoder, from: i32, rows: i32, alpha: usize, alphaStride: usize, out: usize): void {
  const firstRow = (decoder.row - 1) * 16 - LUMA_BEFORE;
  const lastChroma = (decoder.height + 1) / 2 - 1;
  const samples = <usize>(decoder.width + 1) / 2;
  const outStride = <usize>decoder.width * 4;
  for (let y = from; y < from + rows; y++) {
    const near = y >> 1;
    const far = min(max(near + (y & 1 ? 1 : -1), 0), lastChroma);
    const nearAt = <usize>(near - (firstRow >> 1)) * decoder.strideUv;
    const farAt = <usize>(far - (firstRow >> 1)) * decoder.strideUv;
    const luma = decoder.planeY + <usize>(y - firstRow) * decoder.strideY;
    extend(decoder.planeU + nearAt, samples);
    extend(decoder.planeU + farAt, samples);
    extend(decoder.planeV + nearAt, samples);
    extend(decoder.planeV + farAt, samples);
    const u = decoder.planeU;
    const v = decoder.planeV;
    writeRow(decoder.width, luma, u + nearAt, u + farAt, v + nearAt, v + farAt, alpha, out);
    if (alpha) alpha += alphaStride;
    out += outStride;
  }
}

/** Repeats the first and the last sample outside. What it overwrites lies outside the picture and is not read again. */
@inline
function extend(row: usize, samples: usize): void {
  store<u8>(row - 1, load<u8>(row));
  store<u8>(row + samples, load<u8>(row + samples - 1));
}

function writeRow(width: usize, y: usize, u: usize, farU: usize, v: usize, farV: usize, alpha: usize, out: usize): void {
  for (let x: usize = 0; x < width; x += 16) {
    const half = x >> 1;
    const nearU = v128.load_ext<u8>(u + half);
    const otherU = v128.load_ext<u8>(farU + half);
    const nearV = v128.load_ext<u8>(v + half);
    const otherV = v128.load_ext<u8>(farV + half);
    const evenU = between(nearU, v128.load_ext<u8>(u + half - 1), otherU, v128.load_ext<u8>(farU + half - 1));
    const oddU = between(nearU, v128.load_ext<u8>(u + half + 1), otherU, v128.load_ext<u8>(farU + half + 1));
    const evenV = between(nearV, v128.load_ext<u8>(v + half - 1), otherV, v128.load_ext<u8>(farV + half - 1));
    const oddV = between(nearV, v128.load_ext<u8>(v + half + 1), otherV, v128.load_ext<u8>(farV + half + 1));
    const luma = v128.load(y + x);
    const evenY = times(v128.and(luma, i16x8.splat(255)), 74, 133);
    const oddY = times(i16x8.shr_u(luma, 8), 74, 133);
    // Even pixels in the lower half, odd ones in the upper.
    const r = i8x16.narrow_i16x8_u(red(evenY, evenV), red(oddY, oddV));
    const g = i8x16.narrow_i16x8_u(green(evenY, evenU, evenV), green(oddY, oddU, oddV));
    const b = i8x16.narrow_i16x8_u(blue(evenY, evenU), blue(oddY, oddU));
    let a = i8x16.splat(-1);
    if (alpha) {
      const straight = v128.load(alpha + x);
      a = v128.shuffle<u8>(straight, straight, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    }
    const evenRg = v128.shuffle<u8>(r, g, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const oddRg = v128.shuffle<u8>(r, g, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const evenBa = v128.shuffle<u8>(b, a, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const oddBa = v128.shuffle<u8>(b, a, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const even03 = v128.shuffle<u16>(evenRg, evenBa, 0, 8, 1, 9, 2, 10, 3, 11);
    const even47 = v128.shuffle<u16>(evenRg, evenBa, 4, 12, 5, 13, 6, 14, 7, 15);
    const odd03 = v128.shuffle<u16>(oddRg, oddBa, 0, 8, 1, 9, 2, 10, 3, 11);
    const odd47 = v128.shuffle<u16>(oddRg, oddBa, 4, 12, 5, 13, 6, 14, 7, 15);
    const to = out + (x << 2);
    v128.store(to, v128.shuffle<u32>(even03, odd03, 0, 4, 1, 5));
    v128.store(to, v128.shuffle<u32>(even03, odd03, 2, 6, 3, 7), 16);
    v128.store(to, v128.shuffle<u32>(even47, odd47, 0, 4, 1, 5), 32);
    v128.store(to, v128.shuffle<u32>(even47, odd47, 2, 6, 3, 7), 48);
  }
}
