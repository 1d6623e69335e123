/**
 * Intra predictors (RFC 6386 §12). Predictions are stored as 4×4 blocks of 16 bytes. The picture's edges are part of the rows
 * under reconstruction (127 above, 129 to the left), so that only DC of whole macroblocks looks at where it is.
 */

/**
 * All four predictions of a square of `across`×`across` blocks: DC, V, H, TM.
 * @param picture its top-left sample; @param left scratch for 16 bytes
 */
@inline
export function predictSquare(
  picture: usize,
  stride: usize,
  across: i32,
  hasAbove: bool,
  hasLeft: bool,
  left: usize,
  out: usize,
): void {
  const side = across << 2;
  const above = picture - stride;
  let sumAbove = 0;
  let sumLeft = 0;
  let at = picture - 1;
  for (let i = 0; i < side; i++) {
    const sample = <i32>load<u8>(at);
    store<u8>(left + <usize>i, sample);
    sumLeft += sample;
    sumAbove += <i32>load<u8>(above + <usize>i);
    at += stride;
  }
  // side is 16 or 8: the mean of one edge shifts by 4 or 3.
  const shift = across == 4 ? 4 : 3;
  let dc = 128;
  if (hasAbove && hasLeft) dc = (sumAbove + sumLeft + side) >> (shift + 1);
  else if (hasAbove) dc = (sumAbove + (side >> 1)) >> shift;
  else if (hasLeft) dc = (sumLeft + (side >> 1)) >> shift;
  const flat = i8x16.splat(<i8>dc);
  const corner = i16x8.splat(<i16>load<u8>(above - 1));
  const ofMode = <usize>(across * across * 16);
  for (let y = 0; y < across; y++) {
    const column = v128.load32_zero(left + <usize>(y << 2));
    const horizontal = i8x16.shuffle(column, column, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const slope = i16x8.sub(i16x8.extend_low_i8x16_u(column), corner);
    const slopeLow = v128.shuffle<i16>(slope, slope, 0, 0, 0, 0, 1, 1, 1, 1);
    const slopeHigh = v128.shuffle<i16>(slope, slope, 2, 2, 2, 2, 3, 3, 3, 3);
    for (let x = 0; x < across; x++) {
      const vertical = i32x4.splat(load<i32>(above + <usize>(x << 2)));
      const wide = i16x8.extend_low_i8x16_u(vertical);
      v128.store(out, flat);
      v128.store(out + ofMode, vertical);
      v128.store(out + 2 * ofMode, horizontal);
      v128.store(
        out + 3 * ofMode,
        i8x16.narrow_i16x8_u(i16x8.add(wide, slopeLow), i16x8.add(wide, slopeHigh)),
      );
      out += 16;
    }
  }
}

/**
 * All ten predictions of a sub-block in the order of §8.1: DC, TM, VE, HE, LD, RD, VR, VL, HD, HU.
 * @param right the four samples above and to the right
 */
@inline
export function predictSubblock(picture: usize, stride: usize, right: usize, out: usize): void {
  const above = picture - stride;
  const l0 = <u64>load<u8>(picture - 1);
  const l1 = <u64>load<u8>(picture + stride - 1);
  const l2 = <u64>load<u8>(picture + 2 * stride - 1);
  const l3 = <u64>load<u8>(picture + 3 * stride - 1);
  const top = <u64>load<u32>(above) | (<u64>load<u32>(right) << 32);
  const corner = <u64>load<u8>(above - 1);
  // The edge from bottom left to top right, its ends doubled: L3 L3 L2 L1 L0 X T0 … T7 T7.
  const low = l3 | (l3 << 8) | (l2 << 16) | (l1 << 24) | (l0 << 32) | (corner << 40) | (top << 48);
  const high = (top >> 16) | ((top >> 56) << 48);
  const edge = i64x2.replace_lane(i64x2.splat(low), 1, high);
  const next = i8x16.shuffle(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  const afterNext = i8x16.shuffle(edge, edge, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15);
  const two = i8x16.avgr_u(edge, next);
  const floor = i8x16.sub(
    i8x16.avgr_u(edge, afterNext),
    v128.and(v128.xor(edge, afterNext), i8x16.splat(1)),
  );
  const three = i8x16.avgr_u(floor, next);

  const sum = l0 + l1 + l2 + l3 + (top & 255) + ((top >> 8) & 255) + ((top >> 16) & 255) + ((top >> 24) & 255);
  v128.store(out, i8x16.splat(<i8>((sum + 4) >> 3)));

  const wide = i16x8.extend_low_i8x16_u(i32x4.splat(<i32>top));
  const c = <i32>corner;
  const s0 = i16x8.splat(<i16>(<i32>l0 - c));
  const s1 = i16x8.splat(<i16>(<i32>l1 - c));
  const s2 = i16x8.splat(<i16>(<i32>l2 - c));
  const s3 = i16x8.splat(<i16>(<i32>l3 - c));
  v128.store(
    out,
    i8x16.narrow_i16x8_u(
      i16x8.add(wide, v128.shuffle<i64>(s0, s1, 0, 2)),
      i16x8.add(wide, v128.shuffle<i64>(s2, s3, 0, 2)),
    ),
    16,
  );
  v128.store(out, i8x16.shuffle(three, three, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8), 32);
  v128.store(out, i8x16.shuffle(three, three, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0), 48);
  v128.store(out, i8x16.shuffle(three, three, 6, 7, 8, 9, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12), 64);
  v128.store(out, i8x16.shuffle(three, three, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5, 1, 2, 3, 4), 80);
  v128.store(out, i8x16.shuffle(two, three, 5, 6, 7, 8, 20, 21, 22, 23, 19, 5, 6, 7, 18, 20, 21, 22), 96);
  v128.store(out, i8x16.shuffle(two, three, 6, 7, 8, 9, 22, 23, 24, 25, 7, 8, 9, 26, 23, 24, 25, 27), 112);
  v128.store(out, i8x16.shuffle(two, three, 4, 20, 21, 22, 3, 19, 4, 20, 2, 18, 3, 19, 1, 17, 2, 18), 128);
  v128.store(out, i8x16.shuffle(two, three, 3, 18, 2, 17, 2, 17, 1, 16, 1, 16, 0, 0, 0, 0, 0, 0), 144);
}
