import createDecoder from '@jsquash/avif/codec/dec/avif_dec.js';
import wasm from '../../../../build/avif-decode.wasm';
import { FileError } from '../../../errors.ts';
import { type Band, bandRows, frameBytes } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import type { DecodePlan } from '../format.ts';
import { decodeWithLibrary, type LibraryImage, provideImageData } from '../library-image.ts';
import type { CropRectangle } from './clean-aperture.ts';
import { avifDecodeSeconds } from './decode-cpu.ts';
import { showAsStill } from './file-type.ts';
import type { AvifDetail } from './header.ts';

/** Bytes of the arena below libavif's heap (a stack of 5 MiB and static data) and the decoder's contexts. */
const STATIC_BYTES = 9_500_000;
/** The decoder keeps a border around its frames, in pixels of each side. */
const BORDER = 64;
/** Bytes of the arena a pixel of such a frame, as measured: the AV1 frame, the picture, the RGBA output. */
const BYTES_PER_PIXEL = { narrow: 20, narrowAlpha: 38, wide: 28, wideAlpha: 46 } as const;
/** Samples a pixel of the colour planes. */
const SAMPLES_PER_PIXEL = { 400: 1, 420: 1.5, 422: 2, 444: 3 } as const;

interface Decoder {
  decode(file: Uint8Array, bitDepth: 8): LibraryImage | null;
}

/** Plans a decode with libavif: the whole frame, at full size. */
export function planAvifDecode(header: ImageHeader, fileBytes: number): DecodePlan {
  const { width, height, alpha } = header;
  const { coded, crop } = header.detail as AvifDetail;
  const croppedBand = crop ? frameBytes({ width, height: Math.min(height, bandRows(width)) }) : 0;
  return {
    frame: { width, height, alpha, model: 'rgb' },
    cost: { arena: 0, library: arenaBytes(header, fileBytes), buffers: frameBytes(coded) + croppedBand },
    cpu: avifDecodeSeconds(header, fileBytes),
    fileIn: 'heap',
    delivers: crop ? 'bands' : 'frame',
    scale: 1,
  };
}

function arenaBytes({ alpha, bitDepth, detail }: ImageHeader, fileBytes: number): number {
  const { coded, subsampling, alphaBytes = 0 } = detail as AvifDetail;
  const kind = bitDepth > 8 ? 'wide' : 'narrow';
  const perPixel = BYTES_PER_PIXEL[alpha ? (`${kind}Alpha` as const) : kind];
  const pixels = coded.width * coded.height;
  const frame = (coded.width + BORDER) * (coded.height + BORDER) * perPixel;
  const colour = symbolBytes(fileBytes - alphaBytes, pixels * SAMPLES_PER_PIXEL[subsampling]);
  return Math.ceil(STATIC_BYTES + frame + colour + symbolBytes(alphaBytes, pixels));
}

/**
 * Bytes of the arena for what was parsed of a plane's tiles, by the bytes of file a sample: hardly anything for photographs; the
 * buffers double where noise (0.9) or a lossless picture (1.4) is split into the smallest blocks. An upper bound of what was measured.
 */
function symbolBytes(bytes: number, samples: number): number {
  return Math.max(20 * bytes, 126 * (bytes - 0.42 * samples));
}

/** Decodes with libavif, to 8 bits a sample. The file, a copy in memory, is changed. @throws FileError broken_image */
export async function* decodeAvif(file: Uint8Array, header: ImageHeader, workspace: Workspace): AsyncGenerator<Band> {
  provideImageData();
  showAsStill(file);
  const { coded, crop } = header.detail as AvifDetail;
  const decoder = await workspace.codec(createDecoder as CodecFactory<Decoder>, wasm);
  const pixels = decodeWithLibrary(() => decoder.decode(file, 8), coded);
  if (pixels === undefined) {
    throw new FileError(
      'broken_image',
      'The AVIF data is damaged or cut off: it cannot be decoded. Save the picture anew.',
    );
  }
  workspace.adopt(pixels);
  try {
    if (crop === undefined) yield { top: 0, rows: coded.height, pixels };
    else yield* cropBands(pixels, coded.width, crop, workspace);
  } finally {
    workspace.release(pixels);
  }
}

/** The rows of the clean aperture (ISO/IEC 14496-12, 12.1.4). */
function* cropBands(pixels: Uint8Array, stride: number, crop: CropRectangle, workspace: Workspace): Generator<Band> {
  const perBand = Math.min(crop.height, bandRows(crop.width));
  const band = workspace.buffer(perBand * crop.width * 4);
  for (let top = 0; top < crop.height; top += perBand) {
    const rows = Math.min(perBand, crop.height - top);
    for (let row = 0; row < rows; row++) {
      const start = ((crop.top + top + row) * stride + crop.left) * 4;
      band.set(pixels.subarray(start, start + crop.width * 4), row * crop.width * 4);
    }
    yield { top, rows, pixels: band };
  }
  workspace.release(band);
}
