import createDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import wasm from '../../../../build/webp-decode.wasm';
import { FileError } from '../../../errors.ts';
import { type Band, frameBytes } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import type { DecodePlan } from '../format.ts';
import { decodeWithLibrary, type LibraryImage, provideImageData } from '../library-image.ts';

/** Bytes of the arena below libwebp's heap. */
const STATIC_BYTES = 131_072;
/** Bytes of the arena a pixel, as measured: the RGBA output and, for VP8L and alpha planes, one ARGB frame beside it. */
const BYTES_PER_PIXEL = { lossy: 4.5, lossless: 11.4 } as const;
/** Bytes of the arena whatever the size: tables and row caches. */
const TABLE_BYTES = 1_000_000;

interface Decoder {
  decode(file: Uint8Array): LibraryImage | null;
}

/** Plans a decode with libwebp: the whole frame, at full size. */
export function planWebpDecode(header: ImageHeader, fileBytes: number): DecodePlan {
  const { width, height, alpha } = header;
  const pixels = width * height;
  const perPixel = alpha || isLossless(header) ? BYTES_PER_PIXEL.lossless : BYTES_PER_PIXEL.lossy;
  return {
    frame: { width, height, alpha, model: 'rgb' },
    cost: {
      arena: 0,
      library: Math.ceil(STATIC_BYTES + TABLE_BYTES + fileBytes * 1.2 + width * 128 + pixels * perPixel),
      buffers: frameBytes(header),
    },
    fileIn: 'heap',
    delivers: 'frame',
    scale: 1,
  };
}

function isLossless({ detail }: ImageHeader): boolean {
  return typeof detail === 'object' && detail !== null && 'lossless' in detail && detail.lossless === true;
}

/** Decodes with libwebp; one band, the whole picture. @throws FileError broken_image */
export async function* decodeWebp(file: Uint8Array, header: ImageHeader, workspace: Workspace): AsyncGenerator<Band> {
  provideImageData();
  const decoder = await workspace.codec(createDecoder as CodecFactory<Decoder>, wasm);
  const pixels = decodeWithLibrary(() => decoder.decode(file), header);
  if (pixels === undefined) {
    throw new FileError(
      'broken_image',
      'The WebP data is damaged or cut off: no decoder can read it. Send it again, or save it anew.',
    );
  }
  workspace.adopt(pixels);
  yield { top: 0, rows: header.height, pixels };
  workspace.release(pixels);
}
