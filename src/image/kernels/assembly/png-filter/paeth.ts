/** Of the three neighbours, the one nearest to left + up − corner (PNG, third edition, 9.4), for eight samples of 16 bits. */
@inline
export function paethPredictor(left: v128, up: v128, corner: v128): v128 {
  const fromLeft = i16x8.sub(up, corner);
  const fromUp = i16x8.sub(left, corner);
  const toLeft = i16x8.abs(fromLeft);
  const toUp = i16x8.abs(fromUp);
  const toCorner = i16x8.abs(i16x8.add(fromLeft, fromUp));
  const least = i16x8.min_s(toCorner, i16x8.min_s(toLeft, toUp));
  const other = v128.bitselect(up, corner, i16x8.eq(least, toUp));
  return v128.bitselect(left, other, i16x8.eq(least, toLeft));
}
