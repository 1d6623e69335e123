import wasm from '../../../../../build/vp8-decode.wasm';
import { FileWindow } from '../../../file-window.ts';
import type { Band } from '../../../frame.ts';
import type { SourceFile } from '../../../source-file.ts';
import type { Workspace } from '../../../workspace.ts';
import { brokenWebp } from '../chunks.ts';
import { loadMore } from './load-more.ts';
import { brokenVp8Header, firstPartitionRange, tokenPartitions, tokenWindow, type Vp8Frame } from './vp8-partitions.ts';
import { vp8WorkBytes, writeVp8Tables } from './vp8-work.ts';

/** Exports of `assembly/vp8-decode.ts`; pointers are offsets in the arena. */
interface Vp8Kernel {
  start(work: number, workEnd: number, first: number, firstEnd: number, width: number, height: number): number;
  feed(work: number, partition: number, at: number, end: number, more: boolean): void;
  unused(work: number, partition: number): number;
  decodeRow(work: number): number;
  writeRows(work: number, from: number, rows: number, alpha: number, alphaStride: number, out: number): void;
}

/** What the kernel returns when it must be fed. */
const STARVED = -16;

/** Rows of alpha from top to bottom, in the arena; each row may be read 16 bytes past its end. */
export interface AlphaRows {
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** Decodes the next rows, at most 16, and says where the first one is. @throws FileError broken_image */
  next(rows: number): Promise<number>;
}

/** Rows of one band: what one row of macroblocks gives. */
export const BAND_ROWS = 16;

/** Bytes of the region for bands: the kernel writes whole groups of 16 pixels, also at the end of the last row. */
export function vp8BandBytes(width: number): number {
  return width * BAND_ROWS * 4 + 64;
}

/** Bytes of the arena that a VP8 picture takes, whatever its height, beside windows of its file. */
export function vp8ArenaBytes(width: number): number {
  return vp8WorkBytes(width) + 16 + vp8BandBytes(width) + 16;
}

/** A VP8 picture as its header has it. */
export interface Vp8Picture extends Vp8Frame {
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes the payload of a `VP8 ` chunk (RFC 6386, a key frame whose header was read) as RGBA.
 * @param window bytes of a window of the file
 * @throws FileError broken_image, also where the data ends early
 */
export async function* decodeVp8(
  file: SourceFile,
  picture: Vp8Picture,
  window: number,
  alpha: AlphaRows | undefined,
  workspace: Workspace,
): AsyncGenerator<Band> {
  const { width, height } = picture;
  const rowsOfBlocks = await startVp8(file, picture, window, workspace);
  const bands = workspace.arena(vp8BandBytes(width));
  for (let top = 0; top < height; ) {
    const final = await rowsOfBlocks.next();
    while (top < final) {
      const rows = Math.min(BAND_ROWS, final - top);
      const alphaAt = (await alpha?.next(rows)) ?? 0;
      rowsOfBlocks.write(top, rows, alphaAt, alpha?.stride ?? 0, bands.byteOffset);
      yield { top, rows, pixels: bands.subarray(0, rows * width * 4) };
      top += rows;
    }
  }
}

/** Rows of macroblocks from top to bottom. */
interface MacroblockRows {
  /** Decodes the next one; gives the number of rows of pixels that are final. @throws FileError broken_image */
  next(): Promise<number>;
  /** Writes final rows as RGBA; alpha and out are pointers. */
  write(from: number, rows: number, alpha: number, alphaStride: number, out: number): void;
}

/** Reads the frame's header and opens its partitions. @throws FileError broken_image */
async function startVp8(
  file: SourceFile,
  picture: Vp8Picture,
  window: number,
  workspace: Workspace,
): Promise<MacroblockRows> {
  const { width, height, firstPartition } = picture;
  const kernel = workspace.kernel<Vp8Kernel>(wasm);
  const region = workspace.arena(vp8WorkBytes(width));
  writeVp8Tables(region);
  const work = region.byteOffset;
  const firstRange = firstPartitionRange(picture);
  const { bytes } = await FileWindow.open(file, firstRange, firstRange.end - firstRange.start, workspace);
  const first = bytes.byteOffset;
  const count = kernel.start(work, work + region.length, first, first + firstPartition, width, height);
  if (count < 0) throw brokenVp8Header();
  const tokens: FileWindow[] = [];
  const feed = (index: number) => {
    const { bytes, whole } = tokens[index]!;
    kernel.feed(work, index, bytes.byteOffset, bytes.byteOffset + bytes.length, !whole);
  };
  for (const range of tokenPartitions(picture, count, bytes.subarray(firstPartition))) {
    tokens.push(await FileWindow.open(file, range, tokenWindow(window, count), workspace));
    feed(tokens.length - 1);
  }
  let row = 0;
  return {
    async next() {
      let final = kernel.decodeRow(work);
      for (const index = row++ % count; final === STARVED; final = kernel.decodeRow(work)) {
        await loadMore(tokens[index]!, kernel.unused(work, index));
        feed(index);
      }
      if (final < 0) throw brokenWebp('its picture data is wrong or cut short');
      return final;
    },
    write: (from, rows, alpha, alphaStride, out) => kernel.writeRows(work, from, rows, alpha, alphaStride, out),
  };
}
