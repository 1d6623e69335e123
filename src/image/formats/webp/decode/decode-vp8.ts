import wasm from '../../../../../build/vp8-decode.wasm';
import type { Band } from '../../../frame.ts';
import type { Workspace } from '../../../workspace.ts';
import { brokenWebp } from '../chunks.ts';
import { vp8WorkBytes, writeVp8Tables } from './vp8-work.ts';

/** Exports of `assembly/vp8-decode.ts`; pointers are offsets in the arena. */
interface Vp8Kernel {
  start(work: number, workEnd: number, data: number, dataEnd: number, width: number, height: number): number;
  decodeRow(work: number): number;
  writeRows(work: number, from: number, rows: number, alpha: number, alphaStride: number, out: number): void;
}

/** Rows of alpha from top to bottom, in the arena; each row may be read 16 bytes past its end. */
export interface AlphaRows {
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** Decodes the next rows, at most 16, and says where the first one is. @throws FileError broken_image */
  next(rows: number): number;
}

/** Rows of one band: what one row of macroblocks gives. */
export const BAND_ROWS = 16;

/** Bytes of the region for bands: the kernel writes whole groups of 16 pixels, also at the end of the last row. */
export function vp8BandBytes(width: number): number {
  return width * BAND_ROWS * 4 + 64;
}

/** Bytes of the arena that a VP8 picture takes, whatever its height. */
export function vp8ArenaBytes(width: number): number {
  return vp8WorkBytes(width) + 16 + vp8BandBytes(width) + 16;
}

/**
 * Decodes the payload of a `VP8 ` chunk (RFC 6386, a key frame whose header was read) as RGBA.
 * @param data lies in the arena
 * @throws FileError broken_image, also where the data ends early
 */
export function* decodeVp8(
  data: Uint8Array,
  size: { readonly width: number; readonly height: number },
  alpha: AlphaRows | undefined,
  workspace: Workspace,
): Generator<Band> {
  const { width, height } = size;
  const kernel = workspace.kernel<Vp8Kernel>(wasm);
  const region = workspace.arena(vp8WorkBytes(width));
  const bands = workspace.arena(vp8BandBytes(width));
  writeVp8Tables(region);
  const work = region.byteOffset;
  const end = data.byteOffset + data.length;
  if (kernel.start(work, work + region.length, data.byteOffset, end, width, height) < 0) {
    throw brokenWebp('the header of its picture data is wrong');
  }
  for (let top = 0; top < height; ) {
    const final = kernel.decodeRow(work);
    if (final < 0) throw brokenWebp('its picture data is wrong or cut short');
    while (top < final) {
      const rows = Math.min(BAND_ROWS, final - top);
      kernel.writeRows(work, top, rows, alpha?.next(rows) ?? 0, alpha?.stride ?? 0, bands.byteOffset);
      yield { top, rows, pixels: bands.subarray(0, rows * width * 4) };
      top += rows;
    }
  }
}
