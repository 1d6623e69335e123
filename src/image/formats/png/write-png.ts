import { constants, createDeflate } from 'node:zlib';
import type { Workspace } from '../../workspace.ts';
import type { Compression, PixelSize } from './choose-compression.ts';
import { PNG_SIGNATURE, writeChunk } from './chunks.ts';
import { RowFilter } from './filter.ts';
import { DEFLATER_BYTES } from './image-data.ts';
import { bytesPerPixel, rowBytes } from './layout.ts';
import { rowPacker } from './pack-row.ts';
import type { PixelEncoding } from './pixel-encoding.ts';
import { runTransform } from './run-transform.ts';

/** Bytes of picture data in one IDAT chunk. */
const IDAT_BYTES = 64 * 1024;

/** Bytes of filtered rows given to the deflater at once, at the least one row. */
const BLOCK_BYTES = 64 * 1024;

/** Peak bytes that writing takes. */
export function writePngBytes(rgbaRowBytes: number): number {
  return DEFLATER_BYTES + IDAT_BYTES + 3 * rgbaRowBytes + Math.max(BLOCK_BYTES, rgbaRowBytes + 1);
}

/** Writes a whole PNG from RGBA rows, in pieces. */
export async function* writePng(
  rows: AsyncIterable<Uint8Array>,
  size: PixelSize,
  compression: Compression,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const { encoding, level, strategy } = compression;
  yield PNG_SIGNATURE.slice();
  yield ihdr(size, encoding);
  yield* paletteChunks(encoding);
  const deflater = createDeflate({ level, strategy, memLevel: constants.Z_MAX_MEMLEVEL, chunkSize: IDAT_BYTES });
  const blocks = filteredBlocks(rows, size, compression, workspace);
  yield* idatChunks(runTransform(blocks, deflater), workspace);
  yield writeChunk('IEND');
}

function ihdr({ width, height }: PixelSize, { layout }: PixelEncoding): Uint8Array {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  view.setUint8(8, layout.bitDepth);
  view.setUint8(9, layout.colourType);
  return writeChunk('IHDR', data);
}

/** PLTE and tRNS (third edition, 11.2.2 and 11.3.1.1), as far as the encoding needs them. */
function* paletteChunks({ palette, key }: PixelEncoding): Generator<Uint8Array> {
  if (key) yield writeChunk('tRNS', Uint8Array.from(key.flatMap((sample) => [sample >> 8, sample & 255])));
  if (!palette) return;
  const entries = Array.from({ length: palette.length / 4 }, (_, index) => palette.subarray(index * 4, index * 4 + 4));
  yield writeChunk('PLTE', Uint8Array.from(entries.flatMap((entry) => [...entry.subarray(0, 3)])));
  const lastTransparent = entries.findLastIndex((entry) => entry[3] !== 255);
  if (lastTransparent < 0) return;
  yield writeChunk(
    'tRNS',
    Uint8Array.from(entries.slice(0, lastTransparent + 1), (entry) => entry[3]!),
  );
}

/** Packed and filtered rows, many at a time. A block is valid until the next one is asked for. */
async function* filteredBlocks(
  rows: AsyncIterable<Uint8Array>,
  { width, bitsPerSample }: PixelSize,
  { encoding, filter }: Compression,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const bytes = rowBytes(encoding.layout, width);
  const perBlock = Math.max(1, Math.floor(BLOCK_BYTES / (bytes + 1)));
  const block = workspace.buffer(perBlock * (bytes + 1));
  const scratch = workspace.buffer(3 * bytes);
  const packed = scratch.subarray(2 * bytes);
  const pack = rowPacker(encoding, bitsPerSample);
  const filters = new RowFilter(filter, bytesPerPixel(encoding.layout), scratch.subarray(0, 2 * bytes));
  let filled = 0;
  try {
    for await (const row of rows) {
      pack(row, packed, width);
      filters.apply(packed, block.subarray(filled, filled + bytes + 1));
      filled += bytes + 1;
      if (filled < block.length) continue;
      yield block;
      filled = 0;
    }
    if (filled > 0) yield block.subarray(0, filled);
  } finally {
    workspace.release(block);
    workspace.release(scratch);
  }
}

/** Gathers deflated bytes into IDAT chunks of an even size. */
async function* idatChunks(data: AsyncIterable<Uint8Array>, workspace: Workspace): AsyncGenerator<Uint8Array> {
  const gathered = workspace.buffer(IDAT_BYTES);
  let filled = 0;
  try {
    for await (const piece of data) {
      for (let at = 0; at < piece.length; ) {
        const taken = Math.min(IDAT_BYTES - filled, piece.length - at);
        gathered.set(piece.subarray(at, at + taken), filled);
        filled += taken;
        at += taken;
        if (filled < IDAT_BYTES) continue;
        yield writeChunk('IDAT', gathered);
        filled = 0;
      }
    }
    if (filled > 0) yield writeChunk('IDAT', gathered.subarray(0, filled));
  } finally {
    workspace.release(gathered);
  }
}
