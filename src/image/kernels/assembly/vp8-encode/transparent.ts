import { Encoder } from './encoder';

/**
 * Gives pixels that nobody sees the mean colour of what is seen of their macroblock, or that of the macroblock to the left
 * where nothing is: what costs the least and colours no edge.
 */
export function fillTransparent(e: Encoder): void {
  const stride = <usize>(e.mbWidth << 6);
  let colour: u32 = 0;
  for (let mbX = 0; mbX < e.mbWidth; mbX++) {
    const at = e.rgba + <usize>(mbX << 6);
    if (!hasHidden(at, stride)) {
      colour = load<u32>(at + 15 * stride, 60) & 0xffffff;
      continue;
    }
    colour = meanSeen(at, stride, colour);
    for (let y = 0; y < 16; y++) {
      const row = at + <usize>y * stride;
      for (let x: usize = 0; x < 64; x += 4) if (load<u8>(row + x, 3) == 0) store<u32>(row + x, colour);
    }
  }
}

/** Whether any of 16×16 pixels has no opacity at all. */
@inline
function hasHidden(at: usize, stride: usize): bool {
  const mask = i32x4.splat(-16777216);
  let hidden = i32x4.splat(0);
  for (let y = 0; y < 16; y++) {
    const row = at + <usize>y * stride;
    for (let x: usize = 0; x < 64; x += 16) {
      hidden = v128.or(hidden, i32x4.eq(v128.and(v128.load(row + x), mask), i32x4.splat(0)));
    }
  }
  return v128.any_true(hidden);
}

/** Mean colour, weighted by opacity. */
function meanSeen(at: usize, stride: usize, otherwise: u32): u32 {
  let red: u32 = 0;
  let green: u32 = 0;
  let blue: u32 = 0;
  let weight: u32 = 0;
  for (let y = 0; y < 16; y++) {
    const row = at + <usize>y * stride;
    for (let x: usize = 0; x < 64; x += 4) {
      const opacity = <u32>load<u8>(row + x, 3);
      red += opacity * <u32>load<u8>(row + x);
      green += opacity * <u32>load<u8>(row + x, 1);
      blue += opacity * <u32>load<u8>(row + x, 2);
      weight += opacity;
    }
  }
  if (weight == 0) return otherwise;
  return red / weight | (green / weight) << 8 | (blue / weight) << 16;
}
