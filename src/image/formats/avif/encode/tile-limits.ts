/** Limits of tiles in AV1 (specification §3): pixels, square pixels, tiles. */
export const MAX_TILE_WIDTH = 4096;
const MAX_TILE_AREA = 4096 * 2304;
export const MAX_TILES_ACROSS = 64;

/**
 * maxTileHeightSb of §5.9.15 for tiles of different sizes. All in superblocks.
 * @param widest the width of the widest tile
 * @param side pixels a side of a superblock
 */
export function maxTileHeight(columns: number, rows: number, widest: number, side: number): number {
  const area = columns * rows;
  const least = Math.max(log2(MAX_TILE_WIDTH / side, columns), log2(MAX_TILE_AREA / side ** 2, area));
  return Math.max(1, Math.floor((least > 0 ? area >> (least + 1) : area) / widest));
}

/** tile_log2() of §5.9.16: the smallest k for which `unit` · 2ᵏ is at least `target`. */
export function log2(unit: number, target: number): number {
  let k = 0;
  while (unit * 2 ** k < target) k++;
  return k;
}
