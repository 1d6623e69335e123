import wasm from '../../../../../build/vp8l-decode.wasm';
import { FileError } from '../../../../errors.ts';
import { type FileRange, FileWindow } from '../../../file-window.ts';
import { type Band, bandRows } from '../../../frame.ts';
import type { SourceFile } from '../../../source-file.ts';
import type { Workspace } from '../../../workspace.ts';
import { VP8L_HEADER_BYTES } from '../bitstream.ts';
import { brokenWebp } from '../chunks.ts';
import { distanceMap } from './distance-map.ts';
import { loadMore } from './load-more.ts';
import { type Vp8lUse, vp8lRingPixels, vp8lWorkBytes } from './vp8l-work.ts';

/** Exports of `assembly/vp8l-decode.ts`; pointers are offsets in the arena. */
interface Vp8lKernel {
  start(work: number, workEnd: number, width: number, height: number, ringPixels: number): number;
  feed(work: number, at: number, end: number, more: boolean): void;
  unused(work: number): number;
  readHeader(work: number): number;
  decodeRows(work: number, rows: number, or: number, out: number): number;
  decodeAlpha(work: number, rows: number, stride: number, out: number): number;
  unfilter(filter: number, row: number, rows: number, stride: number, above: number, width: number): number;
}

/** What the kernel returns when the file's own tables do not fit. */
const NO_MEMORY = -2;
/** What it returns when it must be fed. */
const STARVED = -3;
const OPAQUE = 0xff000000;

/** Bytes of the region for bands: the kernel writes whole groups of four pixels, also at the end of the last row. */
function bandBytes(width: number): number {
  return width * bandRows(width) * 4 + 16;
}

/** Bytes of the arena that a VP8L picture takes beside a window of its file. */
export function vp8lArenaBytes(width: number, height: number): number {
  return vp8lWorkBytes(width, height, 'picture') + 16 + bandBytes(width) + 16;
}

/** A VP8L bitstream whose header was read: the kernel, its state and the file's bytes. */
export interface Vp8lDecoder {
  readonly kernel: Vp8lKernel;
  readonly work: number;
  readonly window: FileWindow;
}

/** The kernel for lossless pictures and for what alpha planes need of it. */
export function vp8lKernel(workspace: Workspace): Vp8lKernel {
  return workspace.kernel<Vp8lKernel>(wasm);
}

/**
 * Reads what stands in front of the pixels.
 * @param window the bitstream behind the picture's sides, behind `skipped` bytes
 * @throws FileError broken_image; image_too_large where the file's own tables take more than any encoder's
 */
export async function startVp8l(
  window: FileWindow,
  skipped: number,
  size: { readonly width: number; readonly height: number },
  use: Vp8lUse,
  workspace: Workspace,
): Promise<Vp8lDecoder> {
  const { width, height } = size;
  const kernel = vp8lKernel(workspace);
  const region = workspace.arena(vp8lWorkBytes(width, height, use));
  region.set(distanceMap);
  const decoder = { kernel, work: region.byteOffset, window };
  const { work } = decoder;
  if (kernel.start(work, work + region.length, width, height, vp8lRingPixels(width, height)) < 0)
    throw tablesTooLarge();
  feed(decoder, skipped);
  let result = kernel.readHeader(work);
  for (; result === STARVED; result = kernel.readHeader(work)) await feedMore(decoder);
  if (result === NO_MEMORY) throw tablesTooLarge();
  if (result < 0) throw brokenWebp('the header of its picture data is wrong');
  return decoder;
}

function tablesTooLarge(): FileError {
  return new FileError(
    'image_too_large',
    'This lossless WebP has more coding tables than there is memory for. Save it anew with another program, or send it as PNG.',
  );
}

function feed({ kernel, work, window: { bytes, whole } }: Vp8lDecoder, skipped: number): void {
  kernel.feed(work, bytes.byteOffset + skipped, bytes.byteOffset + bytes.length, !whole);
}

async function feedMore(decoder: Vp8lDecoder): Promise<void> {
  await loadMore(decoder.window, decoder.kernel.unused(decoder.work));
  feed(decoder, 0);
}

/**
 * Decodes rows.
 * @param decode has the kernel decode `count` rows behind the first `done`; as the kernel does, it returns how many it were, or a
 * negative number
 * @returns whether the data is good
 */
export async function decodeVp8lRows(
  decoder: Vp8lDecoder,
  rows: number,
  decode: (count: number, done: number) => number,
): Promise<boolean> {
  for (let done = 0; done < rows; ) {
    const count = decode(rows - done, done);
    if (count < 0) return false;
    done += count;
    if (done < rows) await feedMore(decoder);
  }
  return true;
}

/**
 * Decodes the payload of a `VP8L` chunk (RFC 9649 §3) as RGBA.
 * @param most bytes of the window of the file
 * @param opaque the picture says that it has no transparency: whatever its pixels say
 * @throws FileError broken_image, also where the data ends early; image_too_large
 */
export async function* decodeVp8l(
  file: SourceFile,
  picture: FileRange & { readonly width: number; readonly height: number },
  most: number,
  opaque: boolean,
  workspace: Workspace,
): AsyncGenerator<Band> {
  const { width, height } = picture;
  const window = await FileWindow.open(file, vp8lRange(picture), most, workspace);
  const decoder = await startVp8l(window, 0, picture, 'picture', workspace);
  const { kernel, work } = decoder;
  const bands = workspace.arena(bandBytes(width));
  const decode = (count: number, done: number) =>
    kernel.decodeRows(work, count, opaque ? OPAQUE : 0, bands.byteOffset + done * width * 4);
  for (let top = 0; top < height; ) {
    const rows = Math.min(bandRows(width), height - top);
    if (!(await decodeVp8lRows(decoder, rows, decode))) throw brokenWebp('its picture data is wrong or cut short');
    yield { top, rows, pixels: bands.subarray(0, rows * width * 4) };
    top += rows;
  }
}

/** What of a `VP8L` chunk's payload is behind signature and sides. */
export function vp8lRange({ start, end }: FileRange): FileRange {
  return { start: start + VP8L_HEADER_BYTES, end };
}
