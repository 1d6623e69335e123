import type { Band } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import type { Workspace } from '../../workspace.ts';
import type { DecodePlan } from '../format.ts';
import { alphaArenaBytes, openAlphaPlane } from './decode/alpha-plane.ts';
import { decodeVp8, vp8ArenaBytes } from './decode/decode-vp8.ts';
import { decodeVp8l, vp8lArenaBytes } from './decode/decode-vp8l.ts';
import type { WebpHeader } from './header.ts';

/** Plans a decode in bands at full size: some rows of a lossy picture, a window of 2^20 pixels of a lossless one. */
export function planWebpDecode(header: ImageHeader): DecodePlan {
  const { width, height, alpha } = header;
  return {
    frame: { width, height, alpha, model: 'rgb' },
    cost: { arena: arenaBytes(header as WebpHeader), buffers: 0 },
    fileIn: 'arena',
    delivers: 'bands',
    scale: 1,
  };
}

function arenaBytes({ detail, width, height }: WebpHeader): number {
  if (detail.lossless) return vp8lArenaBytes(width, height);
  return vp8ArenaBytes(width) + (detail.alphaPlane === undefined ? 0 : alphaArenaBytes(width, height));
}

/**
 * Decodes a still WebP in bands: straight alpha, exactly the pixels that libwebp gives.
 * @param file lies in the arena
 * @throws FileError broken_image; image_too_large where a lossless file's own tables take more than any encoder's
 */
export async function* decodeWebp(file: Uint8Array, header: ImageHeader, workspace: Workspace): AsyncGenerator<Band> {
  const { detail, width, height, alpha } = header as WebpHeader;
  const data = file.subarray(detail.image.dataStart, detail.image.end);
  if (detail.lossless) {
    yield* decodeVp8l(data, { width, height }, !alpha, workspace);
    return;
  }
  const plane = detail.alphaPlane && openAlphaPlane(file, detail.alphaPlane, { width, height }, workspace);
  yield* decodeVp8(data, { width, height }, plane, workspace);
}
