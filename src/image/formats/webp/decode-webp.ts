import { fileWindowBytes } from '../../file-window.ts';
import type { Band } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import { HELD_BYTES, type SourceFile } from '../../source-file.ts';
import type { Workspace } from '../../workspace.ts';
import type { DecodePlan } from '../format.ts';
import { alphaArenaBytes, openAlphaPlane } from './decode/alpha-plane.ts';
import { decodeVp8, vp8ArenaBytes } from './decode/decode-vp8.ts';
import { decodeVp8l, vp8lArenaBytes, vp8lRange } from './decode/decode-vp8l.ts';
import { type Vp8Frame, vp8WindowBytes } from './decode/vp8-partitions.ts';
import { webpDecodeSeconds } from './decode-cpu.ts';
import type { WebpDetail, WebpHeader } from './header.ts';

/**
 * Bytes of a window: of a lossless picture's data, of an alpha plane, of all of a lossy picture's coefficients. Much more than
 * must be there at once (the most is a row of 16,383 lossless pixels), so that even a file that is read for many passes takes
 * few requests.
 */
const WINDOW = 2 * 1024 * 1024;

/** Plans a decode in bands at full size: some rows of a lossy picture, a window of 2^20 pixels of a lossless one. */
export function planWebpDecode(header: ImageHeader, fileBytes: number): DecodePlan {
  const { width, height, alpha, detail } = header as WebpHeader;
  const frame = { width, height, alpha, model: 'rgb' } as const;
  const cpu = webpDecodeSeconds(header as WebpHeader, fileBytes);
  const plan = { frame, cpu, delivers: 'bands', scale: 1 } as const;
  const arena = arenaBytes(header as WebpHeader);
  if (fileBytes <= HELD_BYTES) return { ...plan, cost: { arena, buffers: 0 }, fileIn: 'arena' };
  const cost = { arena: arena + windowBytes(detail, WINDOW), buffers: 0 };
  return { ...plan, cost, fileIn: 'windows', window: WINDOW };
}

function arenaBytes({ detail, width, height }: WebpHeader): number {
  if (detail.lossless) return vp8lArenaBytes(width, height);
  return vp8ArenaBytes(width) + (detail.alphaPlane === undefined ? 0 : alphaArenaBytes(width, height));
}

/** Bytes of the arena that windows of `window` bytes take. */
export function windowBytes(detail: WebpDetail, window: number): number {
  const { lossless, image, alphaPlane } = detail;
  if (lossless) return fileWindowBytes(vp8lRange({ start: image.dataStart, end: image.end }), window);
  const alpha = alphaPlane ? fileWindowBytes({ start: alphaPlane.dataStart, end: alphaPlane.end }, window) : 0;
  return vp8WindowBytes(frameOf(detail), window) + alpha;
}

function frameOf({ image, firstPartition }: WebpDetail): Vp8Frame {
  return { start: image.dataStart, end: image.end, firstPartition };
}

/**
 * Decodes a still WebP in bands: straight alpha, exactly the pixels that libwebp gives.
 * @throws FileError broken_image; image_too_large where a lossless file's own tables take more than any encoder's
 */
export async function* decodeWebp(
  file: SourceFile,
  header: ImageHeader,
  plan: DecodePlan,
  workspace: Workspace,
): AsyncGenerator<Band> {
  const { detail, width, height, alpha } = header as WebpHeader;
  const size = { width, height };
  const { window = file.size } = plan;
  if (detail.lossless) {
    const range = { start: detail.image.dataStart, end: detail.image.end };
    yield* decodeVp8l(file, { ...size, ...range }, window, !alpha, workspace);
    return;
  }
  const plane = detail.alphaPlane && (await openAlphaPlane(file, detail.alphaPlane, size, window, workspace));
  yield* decodeVp8(file, { ...size, ...frameOf(detail) }, window, plane, workspace);
}
