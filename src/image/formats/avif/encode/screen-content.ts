import type { Rectangle } from './tile-window.ts';

/** Pixels a side of the blocks that are judged. */
const BLOCK = 16;
/** Up to so many shades a block is flat graphics: an interface, a diagram, text. */
const FEW_SHADES = 4;
/** Graphics: at least this share of all blocks has few shades and is not plain … */
const LEAST_SHARE = 0.1;
/** … and there are at most so many times as many with more shades, as photographs have them. */
const MOST_SHADED = 1.5;

/**
 * Whether palettes pay off. For flat graphics they save a third of the bytes; a photograph grows by half. Blocks are counted as libaom
 * counts them for a whole picture, but what is not flat counts against it.
 */
export function isScreenContent(tiles: readonly Rectangle[]): boolean {
  const counts = { plain: 0, few: 0, many: 0 };
  for (const tile of tiles) countBlocks(tile, counts);
  const all = counts.plain + counts.few + counts.many;
  return counts.few > all * LEAST_SHARE && counts.many <= counts.few * MOST_SHADED;
}

function countBlocks({ width, height, pixels }: Rectangle, counts: { plain: number; few: number; many: number }): void {
  const seen = new Int32Array(256);
  for (let top = 0, mark = 0; top + BLOCK <= height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= width; left += BLOCK) {
      const shades = countShades(pixels, (top * width + left) * 4, width * 4, seen, ++mark);
      if (shades === 1) counts.plain++;
      else if (shades <= FEW_SHADES) counts.few++;
      else counts.many++;
    }
  }
}

/** Different values of BT.601 luma in a block; counting stops behind the first that is too many. */
function countShades(pixels: Uint8Array, start: number, rowBytes: number, seen: Int32Array, mark: number): number {
  let shades = 0;
  for (let row = 0; row < BLOCK; row++) {
    for (let at = start + row * rowBytes, end = at + BLOCK * 4; at < end; at += 4) {
      const luma = ((pixels[at]! * 299 + pixels[at + 1]! * 587 + pixels[at + 2]! * 114 + 500) / 1000) | 0;
      if (seen[luma] === mark) continue;
      seen[luma] = mark;
      if (++shades > FEW_SHADES) return shades;
    }
  }
  return shades;
}
