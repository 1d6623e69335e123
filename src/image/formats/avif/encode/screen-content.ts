import type { Rectangle } from './tile-window.ts';

/** Pixels a side of the blocks that are judged. */
const BLOCK = 16;
/** Up to so many shades, of which two differ by at least so much, a block is flat graphics: an interface, a diagram, text. */
const FEW_SHADES = 4;
const LEAST_CONTRAST = 16;
/** Graphics: at least this share of all blocks is flat graphics … */
const LEAST_SHARE = 0.1;
/** … and there are at most so many times as many with more shades, as photographs have them. */
const MOST_SHADED = 1.5;

/**
 * Whether palettes pay off. For flat graphics they save a quarter of the bytes; a photograph grows by half. libaom counts blocks of
 * few shades as well; here the contrast in them counts too, since a clear sky has few, and what is not flat counts against it.
 */
export function isScreenContent(tiles: readonly Rectangle[]): boolean {
  const counts = { all: 0, graphics: 0, shaded: 0 };
  for (const tile of tiles) countBlocks(tile, counts);
  return counts.graphics > counts.all * LEAST_SHARE && counts.shaded <= counts.graphics * MOST_SHADED;
}

function countBlocks(
  { width, height, pixels }: Rectangle,
  counts: { all: number; graphics: number; shaded: number },
): void {
  const shades: number[] = [];
  for (let top = 0; top + BLOCK <= height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= width; left += BLOCK) {
      collectShades(pixels, (top * width + left) * 4, width * 4, shades);
      counts.all++;
      if (shades.length > FEW_SHADES) counts.shaded++;
      else if (Math.max(...shades) - Math.min(...shades) >= LEAST_CONTRAST) counts.graphics++;
    }
  }
}

/** Different values of BT.601 luma in a block, up to the first that is too many. */
function collectShades(pixels: Uint8Array, start: number, rowBytes: number, shades: number[]): void {
  shades.length = 0;
  for (let row = 0; row < BLOCK; row++) {
    for (let at = start + row * rowBytes, end = at + BLOCK * 4; at < end; at += 4) {
      const luma = ((pixels[at]! * 299 + pixels[at + 1]! * 587 + pixels[at + 2]! * 114 + 500) / 1000) | 0;
      if (shades.includes(luma)) continue;
      shades.push(luma);
      if (shades.length > FEW_SHADES) return;
    }
  }
}
