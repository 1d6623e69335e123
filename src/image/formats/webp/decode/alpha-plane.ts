import type { FileError } from '../../../../errors.ts';
import { FileWindow } from '../../../file-window.ts';
import { aligned } from '../../../kernels/aligned.ts';
import type { SourceFile } from '../../../source-file.ts';
import type { Workspace } from '../../../workspace.ts';
import { brokenWebp, type Chunk } from '../chunks.ts';
import { type AlphaRows, BAND_ROWS } from './decode-vp8.ts';
import { decodeVp8lRows, startVp8l, vp8lKernel } from './decode-vp8l.ts';
import { loadMore } from './load-more.ts';
import { vp8lWorkBytes } from './vp8l-work.ts';

/** What the first byte of an ALPH chunk says (RFC 9649 §2.7.1.2). */
interface AlphaHeader {
  readonly lossless: boolean;
  /** 0 none, 1 horizontal, 2 vertical, 3 gradient */
  readonly filter: number;
}

/** Bytes in front of the plane itself: the header. */
const FLAGS_BYTES = 1;

/** Bytes from one row of alpha to the next: kernels read and change whole vectors. */
function strideOf(width: number): number {
  return aligned(width) + 16;
}

/** Bytes of the arena that an alpha plane takes beside its picture and a window of its file. */
export function alphaArenaBytes(width: number, height: number): number {
  // Whether it is compressed stands in the chunk, not in the header: the plan assumes so.
  return strideOf(width) * (BAND_ROWS + 1) + 16 + vp8lWorkBytes(width, height, 'alpha') + 16;
}

/** The first byte of an ALPH chunk. @throws FileError broken_image on values that the specification does not have */
function readAlphaHeader(flags: number): AlphaHeader {
  const method = flags & 3;
  const preprocessing = (flags >> 4) & 3;
  // Two reserved bits, of which decoders in use refuse the upper.
  if (method > 1 || preprocessing > 1 || flags >> 7 !== 0) throw brokenAlpha();
  return { lossless: method === 1, filter: (flags >> 2) & 3 };
}

function brokenAlpha(): FileError {
  return brokenWebp('its transparency is wrong or cut short');
}

/**
 * Decodes an ALPH chunk by rows.
 * @param most bytes of the window of the file
 * @throws FileError broken_image; also from `next`
 */
export async function openAlphaPlane(
  file: SourceFile,
  { dataStart, end }: Chunk,
  size: { readonly width: number; readonly height: number },
  most: number,
  workspace: Workspace,
): Promise<AlphaRows> {
  const { width, height } = size;
  if (end - dataStart < 2) throw brokenAlpha();
  const window = await FileWindow.open(file, { start: dataStart, end }, most, workspace);
  const { lossless, filter } = readAlphaHeader(window.bytes[0]!);
  if (!lossless && end - dataStart - 1 < width * height) throw brokenAlpha();
  const stride = strideOf(width);
  const read = lossless ? await compressedRows(window, size, stride, workspace) : rawRows(window, width, stride);
  const kernel = vp8lKernel(workspace);
  const region = workspace.arena(stride * (BAND_ROWS + 1));
  const first = region.byteOffset + stride;
  let done = 0;
  let before = 0;
  return {
    stride,
    async next(rows) {
      // The last row of those before stays in front: filters predict from it.
      region.copyWithin(0, before * stride, (before + 1) * stride);
      await read(region.subarray(stride), rows);
      kernel.unfilter(filter, first, rows, stride, done > 0 ? region.byteOffset : 0, width);
      done += rows;
      before = rows;
      return first;
    },
  };
}

/** Puts the next rows, filtered as they are stored, into a region of the arena. @throws FileError broken_image */
type ReadRows = (into: Uint8Array, rows: number) => Promise<void>;

async function compressedRows(
  window: FileWindow,
  size: { readonly width: number; readonly height: number },
  stride: number,
  workspace: Workspace,
): Promise<ReadRows> {
  const decoder = await startVp8l(window, FLAGS_BYTES, size, 'alpha', workspace);
  return async ({ byteOffset }, rows) => {
    const decode = (count: number, done: number) =>
      decoder.kernel.decodeAlpha(decoder.work, count, stride, byteOffset + done * stride);
    if (!(await decodeVp8lRows(decoder, rows, decode))) throw brokenAlpha();
  };
}

/** Rows that are not compressed. The chunk has been found to have them all. */
function rawRows(window: FileWindow, width: number, stride: number): ReadRows {
  let used = FLAGS_BYTES;
  return async (into, rows) => {
    for (let row = 0; row < rows; row++) {
      if (window.bytes.length - used < width) {
        await loadMore(window, window.bytes.byteOffset + used);
        used = 0;
      }
      into.set(window.bytes.subarray(used, used + width), row * stride);
      used += width;
    }
  };
}
