import type { Band } from '../../../frame.ts';
import { sum, type TileGrid } from './tile-grid.ts';

/** A tile's pixels: RGBA, height × width × 4, contiguous. */
export interface Rectangle {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Bytes of a window of so many rows of tiles. */
export function windowBytes({ widths, heights }: TileGrid, tileRows: number): number {
  let most = 0;
  for (let row = 0; row < heights.length; row += tileRows)
    most = Math.max(most, sum(heights.slice(row, row + tileRows)));
  return sum(widths) * most * 4;
}

/**
 * Cuts a picture into its tiles, from left to right and from top to bottom. Yields all tiles of `tileRows` rows of tiles at
 * once; they lie in `window` and are valid until the next are asked for.
 * @param window as large as `windowBytes` says
 */
export async function* gatherTiles(
  bands: AsyncIterable<Band>,
  grid: TileGrid,
  tileRows: number,
  window: Uint8Array,
): AsyncGenerator<readonly Rectangle[]> {
  const pending = windows(grid, tileRows, window);
  let current = pending.next().value;
  let filled = 0;
  for await (const { rows, pixels } of bands) {
    for (let row = 0; row < rows; ) {
      if (current === undefined) throw new RangeError('more rows than the picture has');
      const count = Math.min(rows - row, current.rows - filled);
      copyRows(pixels, row, count, current, filled, grid.widths);
      row += count;
      filled += count;
      if (filled < current.rows) continue;
      yield current.tiles;
      current = pending.next().value;
      filled = 0;
    }
  }
  if (current !== undefined) throw new RangeError('fewer rows than the picture has');
}

interface Window {
  readonly rows: number;
  readonly tiles: readonly Rectangle[];
}

function* windows({ widths, heights }: TileGrid, tileRows: number, memory: Uint8Array): Generator<Window, undefined> {
  for (let first = 0; first < heights.length; first += tileRows) {
    const inWindow = heights.slice(first, first + tileRows);
    const tiles: Rectangle[] = [];
    let at = 0;
    for (const height of inWindow) {
      for (const width of widths) {
        tiles.push({ width, height, pixels: memory.subarray(at, at + width * height * 4) });
        at += width * height * 4;
      }
    }
    yield { rows: sum(inWindow), tiles };
  }
}

/** Copies `count` rows of a band, from its row `from`, to the rows from `to` of a window. */
function copyRows(
  pixels: Uint8Array,
  from: number,
  count: number,
  { tiles }: Window,
  to: number,
  widths: readonly number[],
): void {
  const rowBytes = sum(widths) * 4;
  let top = 0;
  for (let first = 0; first < tiles.length; first += widths.length) {
    const { height } = tiles[first]!;
    const start = Math.max(to, top);
    const end = Math.min(to + count, top + height);
    for (let row = start; row < end; row++) {
      let at = (from + row - to) * rowBytes;
      for (let column = 0; column < widths.length; column++) {
        const tile = tiles[first + column]!;
        tile.pixels.set(pixels.subarray(at, at + tile.width * 4), (row - top) * tile.width * 4);
        at += tile.width * 4;
      }
    }
    top += height;
  }
}
