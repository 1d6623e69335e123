import { MAX_TILE_WIDTH, MAX_TILES_ACROSS, maxTileHeight } from './tile-limits.ts';

/** The sides of the tiles of a frame, in pixels, from left to right and from top to bottom; they add up to the frame's. */
export interface TileGrid {
  readonly widths: readonly number[];
  readonly heights: readonly number[];
  /** Pixels a side of the superblocks that the encoder takes for every one of these tiles. */
  readonly superblock: 64 | 128;
}

/** libaom takes superblocks of 64 pixels where the shorter side of a picture is not longer than this, otherwise of 128. */
const SMALL_SIDE = 480;

/**
 * The fewest rectangles, and of those the squarest, that `fits` accepts and that the tiles of one AV1 frame may be: whole
 * superblocks except at the right and bottom edges, all encoded with superblocks of the same size. Undefined: there are none.
 */
export function chooseTileGrid(
  frame: { readonly width: number; readonly height: number },
  fits: (grid: TileGrid) => boolean,
): TileGrid | undefined {
  let best: TileGrid | undefined;
  for (const superblock of [128, 64] as const) {
    for (let columns = 1; columns <= MAX_TILES_ACROSS; columns++) {
      const widths = split(frame.width, columns, superblock);
      if (widths === undefined || (best !== undefined && columns > tileCount(best))) break;
      for (let rows = 1; rows <= MAX_TILES_ACROSS; rows++) {
        const heights = split(frame.height, rows, superblock);
        const grid = { widths, heights: heights ?? [], superblock };
        if (heights === undefined || (best !== undefined && !isBetter(grid, best))) break;
        if (isCodable(grid) && fits(grid)) best = grid;
      }
    }
  }
  return best;
}

export function tileCount({ widths, heights }: TileGrid): number {
  return widths.length * heights.length;
}

/** Balanced parts of whole superblocks, the last one cut at the edge; undefined when there are fewer superblocks than parts. */
function split(side: number, parts: number, superblock: number): number[] | undefined {
  const blocks = Math.ceil(side / superblock);
  if (blocks < parts) return undefined;
  const edge = (index: number) => Math.min(side, Math.floor((index * blocks) / parts) * superblock);
  return Array.from({ length: parts }, (_, index) => edge(index + 1) - edge(index));
}

/** Adding rows only makes a grid worse, so the search for rows may stop at the first that is no better. */
function isBetter(grid: TileGrid, than: TileGrid): boolean {
  const difference = tileCount(grid) - tileCount(than);
  return difference < 0 || (difference === 0 && longestSide(grid) < longestSide(than));
}

function longestSide({ widths, heights }: TileGrid): number {
  return Math.max(...widths, ...heights);
}

function isCodable({ widths, heights, superblock }: TileGrid): boolean {
  const rightSuperblocks =
    superblock === 64
      ? Math.min(Math.max(...widths), Math.max(...heights)) <= SMALL_SIDE
      : Math.min(...widths, ...heights) > SMALL_SIDE;
  return rightSuperblocks && isAllowed({ widths, heights, superblock });
}

function isAllowed(grid: TileGrid): boolean {
  const widths = inSuperblocks(grid.widths, grid);
  const heights = inSuperblocks(grid.heights, grid);
  const widest = Math.max(...widths);
  return (
    widest * grid.superblock <= MAX_TILE_WIDTH &&
    Math.max(...heights) <= maxTileHeight(sum(widths), sum(heights), widest, grid.superblock)
  );
}

/** Sides of tiles in superblocks. */
export function inSuperblocks(sides: readonly number[], { superblock }: TileGrid): number[] {
  return sides.map((side) => Math.ceil(side / superblock));
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
