import type { Speed } from './encode-rectangle.ts';
import { MAX_TILES_ACROSS, maxTileHeight } from './tile-limits.ts';

/** The sides of the tiles of a frame, in pixels, from left to right and from top to bottom; they add up to the frame's. */
export interface TileGrid {
  readonly widths: readonly number[];
  readonly heights: readonly number[];
  /** Pixels a side of the superblocks that the encoder takes for every one of these tiles. */
  readonly superblock: 64 | 128;
}

/** libaom takes superblocks of 64 pixels where the shorter side of a picture is not longer than this, otherwise of 128. */
const SMALL_SIDE = 480;
/** From this speed on it takes superblocks of 64 pixels for all pictures. */
const SMALL_FROM_SPEED = 9;
/** libaom cuts wider pictures into two tiles by itself. */
const MAX_WIDTH = 4032;

/** What a tile costs beside its edges, where nothing can be predicted, counted in pixels of edge: it learns its contents anew. */
const TILE_COST = 500;

/**
 * The rectangles that cost least and that `fits` accepts, for which the rules for tiles of one AV1 frame hold: whole superblocks
 * except at the right and bottom edges, all encoded with superblocks of the same size, large ones if possible. Undefined:
 * there are none.
 */
export function chooseTileGrid(frame: Sides, speed: Speed, fits: (grid: TileGrid) => boolean): TileGrid | undefined {
  const codable = (grid: TileGrid) => isCodable(grid, speed) && fits(grid);
  const large = speed < SMALL_FROM_SPEED ? cheapestGrid(frame, 128, codable) : undefined;
  return large ?? cheapestGrid(frame, 64, codable);
}

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** More rows or columns only cost more, so the search in one direction stops at the first grid that is no cheaper. */
function cheapestGrid(
  frame: Sides,
  superblock: TileGrid['superblock'],
  fits: (grid: TileGrid) => boolean,
): TileGrid | undefined {
  const splits = Array.from({ length: MAX_TILES_ACROSS }, (_, index) => split(frame.height, index + 1, superblock));
  let best: TileGrid | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let columns = 1; columns <= MAX_TILES_ACROSS && cost(frame, columns, 1) < least; columns++) {
    const widths = split(frame.width, columns, superblock);
    for (let rows = 1; rows <= MAX_TILES_ACROSS && cost(frame, columns, rows) < least; rows++) {
      const heights = splits[rows - 1];
      if (widths === undefined || heights === undefined) break;
      const grid = { widths, heights, superblock };
      if (!fits(grid)) continue;
      best = grid;
      least = cost(frame, columns, rows);
    }
  }
  return best;
}

function cost({ width, height }: Sides, columns: number, rows: number): number {
  return (columns - 1) * height + (rows - 1) * width + columns * rows * TILE_COST;
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

function isCodable(grid: TileGrid, speed: Speed): boolean {
  return hasEncodersSuperblocks(grid, speed) && isAllowed(grid);
}

function hasEncodersSuperblocks({ widths, heights, superblock }: TileGrid, speed: Speed): boolean {
  if (speed >= SMALL_FROM_SPEED) return true;
  if (superblock === 128) return Math.min(...widths, ...heights) > SMALL_SIDE;
  return Math.min(Math.max(...widths), Math.max(...heights)) <= SMALL_SIDE;
}

function isAllowed(grid: TileGrid): boolean {
  const widths = inSuperblocks(grid.widths, grid);
  const heights = inSuperblocks(grid.heights, grid);
  const widest = Math.max(...widths);
  return (
    Math.max(...grid.widths) <= MAX_WIDTH &&
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
