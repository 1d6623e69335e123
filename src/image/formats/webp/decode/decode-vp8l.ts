import wasm from '../../../../../build/vp8l-decode.wasm';
import { FileError } from '../../../../errors.ts';
import { type Band, bandRows } from '../../../frame.ts';
import type { Workspace } from '../../../workspace.ts';
import { brokenWebp } from '../chunks.ts';
import { distanceMap } from './distance-map.ts';
import { type Vp8lUse, vp8lRingPixels, vp8lWorkBytes } from './vp8l-work.ts';

/** Exports of `assembly/vp8l-decode.ts`; pointers are offsets in the arena. */
interface Vp8lKernel {
  start(
    work: number,
    workEnd: number,
    data: number,
    dataEnd: number,
    width: number,
    height: number,
    ringPixels: number,
  ): number;
  decodeRows(work: number, rows: number, or: number, out: number): number;
  decodeAlpha(work: number, rows: number, stride: number, out: number): number;
  unfilter(filter: number, row: number, rows: number, stride: number, above: number, width: number): number;
}

/** What the kernel returns when the file's own tables do not fit. */
const NO_MEMORY = -2;
const OPAQUE = 0xff000000;

/** Bytes of the region for bands: the kernel writes whole groups of four pixels, also at the end of the last row. */
function bandBytes(width: number): number {
  return width * bandRows(width) * 4 + 16;
}

/** Bytes of the arena that a VP8L picture takes. */
export function vp8lArenaBytes(width: number, height: number): number {
  return vp8lWorkBytes(width, height, 'picture') + 16 + bandBytes(width) + 16;
}

/** A VP8L bitstream whose header was read: the kernel and its state. */
export interface Vp8lDecoder {
  readonly kernel: Vp8lKernel;
  readonly work: number;
}

/** The kernel for lossless pictures and for what alpha planes need of it. */
export function vp8lKernel(workspace: Workspace): Vp8lKernel {
  return workspace.kernel<Vp8lKernel>(wasm);
}

/**
 * Reads what stands in front of the pixels.
 * @param data the bitstream behind the picture's sides, in the arena
 * @throws FileError broken_image; image_too_large where the file's own tables take more than any encoder's
 */
export function startVp8l(
  data: Uint8Array,
  size: { readonly width: number; readonly height: number },
  use: Vp8lUse,
  workspace: Workspace,
): Vp8lDecoder {
  const { width, height } = size;
  const kernel = vp8lKernel(workspace);
  const region = workspace.arena(vp8lWorkBytes(width, height, use));
  region.set(distanceMap);
  const work = region.byteOffset;
  const [from, to] = [data.byteOffset, data.byteOffset + data.length];
  const ringPixels = vp8lRingPixels(width, height);
  const result = kernel.start(work, work + region.length, from, to, width, height, ringPixels);
  if (result === NO_MEMORY) throw tablesTooLarge();
  if (result < 0) throw brokenWebp('the header of its picture data is wrong');
  return { kernel, work };
}

function tablesTooLarge(): FileError {
  return new FileError(
    'image_too_large',
    'This lossless WebP has more coding tables than there is memory for. Save it anew with another program, or send it as PNG.',
  );
}

/**
 * Decodes the payload of a `VP8L` chunk (RFC 9649 §3) as RGBA.
 * @param data lies in the arena
 * @param opaque the picture says that it has no transparency: whatever its pixels say
 * @throws FileError broken_image, also where the data ends early; image_too_large
 */
export function* decodeVp8l(
  data: Uint8Array,
  size: { readonly width: number; readonly height: number },
  opaque: boolean,
  workspace: Workspace,
): Generator<Band> {
  const { width, height } = size;
  // Signature and sides.
  const { kernel, work } = startVp8l(data.subarray(5), size, 'picture', workspace);
  const bands = workspace.arena(bandBytes(width));
  for (let top = 0; top < height; ) {
    const rows = Math.min(bandRows(width), height - top);
    if (kernel.decodeRows(work, rows, opaque ? OPAQUE : 0, bands.byteOffset) < 0) {
      throw brokenWebp('its picture data is wrong or cut short');
    }
    yield { top, rows, pixels: bands.subarray(0, rows * width * 4) };
    top += rows;
  }
}
