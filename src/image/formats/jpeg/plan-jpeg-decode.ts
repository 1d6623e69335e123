import { bandRows } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import type { DecodePlan } from '../format.ts';
import { decoderBytes } from './decoder-memory.ts';
import type { JpegDetail } from './header.ts';
import { type DecodeLayout, layoutDecode } from './layout.ts';

/**
 * Plans how a JPEG is decoded. Rule for the scale: the largest of 1/8, 1/4, 1/2 whose frame is still at least twice
 * `least` in both sides, so that the resize that follows decides the quality and not the decoder's averaging; otherwise
 * full size. Memory never forces a smaller one: a few rows are held whatever the size, progressive or not.
 * @param least sides in pixels that the next step needs, in the stored (not upright) orientation
 */
export function planJpegDecode(
  header: ImageHeader,
  _fileBytes: number,
  least: { readonly width: number; readonly height: number },
): DecodePlan {
  const detail = header.detail as JpegDetail;
  const scale = ([8, 4, 2] as const).find(
    (divisor) =>
      Math.ceil(header.width / divisor) >= 2 * least.width && Math.ceil(header.height / divisor) >= 2 * least.height,
  );
  const layout = layoutDecode(header.width, header.height, detail, scale ?? 1);
  const cmyk = detail.colour === 'cmyk' || detail.colour === 'ycck';
  return {
    frame: { width: layout.width, height: layout.height, alpha: false, model: cmyk ? 'cmyk' : 'rgb' },
    cost: { arena: decoderBytes(layout, detail) + aligned(bandBytes(layout)), buffers: 0 },
    fileIn: 'arena',
    delivers: 'bands',
    scale: scale ?? 1,
  };
}

/** Bytes of the region for one band: whole vectors are written at the end of a row. */
export function bandBytes({ width }: DecodeLayout): number {
  return bandRows(width) * width * 4 + 64;
}

function aligned(bytes: number): number {
  return (bytes + 15) & ~15;
}
