import { bandRows } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import { aligned } from '../../kernels/aligned.ts';
import { HELD_BYTES } from '../../source-file.ts';
import type { DecodePlan } from '../format.ts';
import { jpegCoefficients, jpegDecodeSeconds } from './decode-cpu.ts';
import { decoderBytes } from './decoder-memory.ts';
import type { JpegDetail } from './header.ts';
import { type DecodeLayout, layoutDecode } from './layout.ts';
import { scanWindow, scanWindowsBytes } from './scan-windows.ts';

/**
 * Plans how a JPEG is decoded. Rule for the scale: half size as soon as that covers `least`, since its transform is as good
 * as the resampler (45–54 dB and the same sharpness against resampling the full picture); 1/4 and 1/8, which leave out more
 * than they should, only where at least twice of what is needed remains, so that the resize that follows decides the
 * quality. Memory never forces a smaller one: a few rows are held whatever the size, progressive or not. A file whose scans
 * are in the header is read in a window for each, unless there are too many.
 * @param least sides in pixels that the next step needs, in the stored (not upright) orientation
 */
export function planJpegDecode(header: ImageHeader, fileBytes: number, least: Sides): DecodePlan {
  const detail = header.detail as JpegDetail;
  const scale = chooseScale(header, least);
  const layout = layoutDecode(header.width, header.height, detail, scale);
  const cmyk = detail.colour === 'cmyk' || detail.colour === 'ycck';
  const window = fileBytes > HELD_BYTES && detail.scans ? scanWindow(detail.scans) : undefined;
  const windows = window === undefined ? 0 : scanWindowsBytes(detail.scans!, window);
  return {
    frame: {
      ...{ width: layout.width, height: layout.height, alpha: false, model: cmyk ? 'cmyk' : 'rgb' },
      ...(rounded(header, scale) ? { extent: { width: header.width / scale, height: header.height / scale } } : {}),
    },
    cost: { arena: windows + decoderBytes(layout, detail) + aligned(bandBytes(layout)), buffers: 0 },
    cpu: jpegDecodeSeconds(header, fileBytes),
    coefficients: jpegCoefficients(fileBytes),
    ...(window === undefined ? { fileIn: 'arena' } : { fileIn: 'windows', window }),
    delivers: 'bands',
    scale,
  };
}

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** Whether a side is not a whole number of samples at this scale. */
function rounded({ width, height }: Sides, scale: number): boolean {
  return width % scale > 0 || height % scale > 0;
}

function chooseScale(stored: Sides, least: Sides): DecodePlan['scale'] {
  // A picture one pixel wide is as wide at half size: where all of it is wanted, nothing is averaged.
  if (least.width >= stored.width && least.height >= stored.height) return 1;
  const leaves = (divisor: number, times: number) =>
    Math.ceil(stored.width / divisor) >= times * least.width &&
    Math.ceil(stored.height / divisor) >= times * least.height;
  if (leaves(8, 2)) return 8;
  if (leaves(4, 2)) return 4;
  return leaves(2, 1) ? 2 : 1;
}

/** Bytes of the region for one band: whole vectors are written at the end of a row. */
export function bandBytes({ width }: DecodeLayout): number {
  return bandRows(width) * width * 4 + 64;
}
