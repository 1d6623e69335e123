import type { FileError } from '../../../../errors.ts';
import { aligned } from '../../../kernels/aligned.ts';
import type { Workspace } from '../../../workspace.ts';
import { brokenWebp, type Chunk } from '../chunks.ts';
import { type AlphaRows, BAND_ROWS } from './decode-vp8.ts';
import { startVp8l, vp8lKernel } from './decode-vp8l.ts';
import { vp8lWorkBytes } from './vp8l-work.ts';

/** What the first byte of an ALPH chunk says (RFC 9649 §2.7.1.2). */
interface AlphaHeader {
  readonly lossless: boolean;
  /** 0 none, 1 horizontal, 2 vertical, 3 gradient */
  readonly filter: number;
}

/** Bytes from one row of alpha to the next: kernels read and change whole vectors. */
function strideOf(width: number): number {
  return aligned(width) + 16;
}

/** Bytes of the arena that an alpha plane takes beside its picture. */
export function alphaArenaBytes(width: number, height: number): number {
  // Whether it is compressed stands in the chunk, not in the header: the plan assumes so.
  return strideOf(width) * (BAND_ROWS + 1) + 16 + vp8lWorkBytes(width, height, 'alpha') + 16;
}

/** The first byte of an ALPH chunk. @throws FileError broken_image on values that the specification does not have */
function readAlphaHeader(file: Uint8Array, { dataStart, end }: Chunk): AlphaHeader {
  if (end - dataStart < 2) throw brokenAlpha();
  const flags = file[dataStart]!;
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
 * @param file in the arena
 * @throws FileError broken_image; also from `next`
 */
export function openAlphaPlane(
  file: Uint8Array,
  chunk: Chunk,
  size: { readonly width: number; readonly height: number },
  workspace: Workspace,
): AlphaRows {
  const { width, height } = size;
  const data = file.subarray(chunk.dataStart + 1, chunk.end);
  const { lossless, filter } = readAlphaHeader(file, chunk);
  if (!lossless && data.length < width * height) throw brokenAlpha();
  const decoder = lossless ? startVp8l(data, size, 'alpha', workspace) : undefined;
  const kernel = decoder?.kernel ?? vp8lKernel(workspace);
  const stride = strideOf(width);
  const region = workspace.arena(stride * (BAND_ROWS + 1));
  const first = region.byteOffset + stride;
  let done = 0;
  let before = 0;
  return {
    stride,
    next(rows) {
      // The last row of those before stays in front: filters predict from it.
      region.copyWithin(0, before * stride, (before + 1) * stride);
      if (decoder === undefined) copyRows(data.subarray(done * width), region, width, stride, rows);
      else if (kernel.decodeAlpha(decoder.work, rows, stride, first) < 0) throw brokenAlpha();
      kernel.unfilter(filter, first, rows, stride, done > 0 ? region.byteOffset : 0, width);
      done += rows;
      before = rows;
      return first;
    },
  };
}

/** Rows that are not compressed, to behind the row that is kept. */
function copyRows(from: Uint8Array, to: Uint8Array, width: number, stride: number, rows: number): void {
  for (let i = 0; i < rows; i++) to.set(from.subarray(i * width, (i + 1) * width), (i + 1) * stride);
}
