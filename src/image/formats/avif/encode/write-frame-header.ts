import { BitWriter } from './bit-writer.ts';
import type { FrameParameters } from './frame-parameters.ts';
import { inSuperblocks, sum, type TileGrid, tileCount } from './tile-grid.ts';
import { log2, MAX_TILE_WIDTH, maxTileHeight } from './tile-limits.ts';

/**
 * The frame header of a still picture whose tiles were encoded apart: their common parameters around a tile info of its own
 * (AV1 specification §5.9.2, §5.9.15), without the bits that fill up the last byte.
 * @param sizeBytes bytes of the size in front of each tile's data, 1–4
 */
export function writeFrameHeader({ start, end }: FrameParameters, grid: TileGrid, sizeBytes: number): BitWriter {
  const writer = new BitWriter();
  writeBits(writer, start);
  writeTileInfo(writer, grid, sizeBytes);
  writeBits(writer, end);
  return writer;
}

/** TileColsLog2 + TileRowsLog2 of §5.9.15: bits of a tile's number. */
export function tileNumberBits({ widths, heights }: TileGrid): number {
  return log2(1, widths.length) + log2(1, heights.length);
}

function writeTileInfo(writer: BitWriter, grid: TileGrid, sizeBytes: number): void {
  const widths = inSuperblocks(grid.widths, grid);
  const heights = inSuperblocks(grid.heights, grid);
  const highest = maxTileHeight(sum(widths), sum(heights), Math.max(...widths), grid.superblock);
  writer.flag(false); // uniform_tile_spacing_flag
  writeSides(writer, widths, MAX_TILE_WIDTH / grid.superblock);
  writeSides(writer, heights, highest);
  if (tileCount(grid) === 1) return;
  writer.bits(0, tileNumberBits(grid)); // context_update_tile_id: unused in a still picture
  writer.bits(sizeBytes - 1, 2);
}

/** width_in_sbs_minus_1 or height_in_sbs_minus_1 of all tiles. */
function writeSides(writer: BitWriter, sides: readonly number[], most: number): void {
  let left = sum(sides);
  for (const side of sides) {
    writer.nonSymmetric(side - 1, Math.min(left, most));
    left -= side;
  }
}

function writeBits(writer: BitWriter, bits: string): void {
  for (const bit of bits) writer.flag(bit === '1');
}
