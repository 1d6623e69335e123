import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions } from '@jsquash/jpeg/meta.js';
import wasm from '../../../../build/jpeg-encode.wasm';
import { budget } from '../../budget.ts';
import type { Band, Frame } from '../../frame.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { wholeFrame } from '../library-image.ts';

/** Bytes of the arena below mozjpeg's heap, its tables and row buffers. */
const STATIC_BYTES = 1_000_000;
/** Bytes of the arena a pixel, as measured: the input's copy, coefficients and trellis state. */
const BYTES_PER_PIXEL = { '4:2:0': 14.8, '4:4:4': 20.6 } as const;
/** Bytes of the arena for each byte of output, as measured: the buffer doubles as it grows and is copied. */
const BYTES_PER_OUTPUT_BYTE = 9.6;
/** Output bytes a pixel of noise, the worst case, at qualities 40, 82 and 100. */
const OUTPUT_BYTES_PER_PIXEL = { '4:2:0': [0.25, 0.62, 1.5], '4:4:4': [0.56, 1.32, 3.05] } as const;
/** From this quality on chroma is kept at full resolution, as cjpeg and libvips do. */
const FULL_CHROMA_QUALITY = 90;

type ChromaSubsampling = keyof typeof BYTES_PER_PIXEL;

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array;
}

/** Plans an encode with mozjpeg: progressive, trellis quantisation, the whole frame. */
export function planJpegEncode(frame: Frame, { quality }: EncodeOptions): EncodePlan {
  const chroma = chromaSubsampling(frame, quality);
  return {
    cost: { arena: arenaBytes(frame, quality, chroma), buffers: outputBytes(frame, quality, chroma) },
    wholeFrame: true,
  };
}

/** The most bytes that the file can take, by linear interpolation over the measured qualities (the truth is convex). */
function outputBytes({ width, height }: Frame, quality: number, chroma: ChromaSubsampling): number {
  const [low, middle, high] = OUTPUT_BYTES_PER_PIXEL[chroma];
  const perPixel =
    quality <= 82 ? low + ((middle - low) * (quality - 40)) / 42 : middle + ((high - middle) * (quality - 82)) / 18;
  return Math.ceil(width * height * perPixel);
}

function arenaBytes(frame: Frame, quality: number, chroma: ChromaSubsampling): number {
  const { width, height } = frame;
  const output = outputBytes(frame, quality, chroma) * BYTES_PER_OUTPUT_BYTE;
  return Math.ceil(STATIC_BYTES + (width + height) * 128 + width * height * BYTES_PER_PIXEL[chroma] + output);
}

/** Full chroma at high quality, unless only subsampled chroma fits the arena: a slightly softer picture beats a refusal. */
function chromaSubsampling(frame: Frame, quality: number): ChromaSubsampling {
  return quality >= FULL_CHROMA_QUALITY && arenaBytes(frame, quality, '4:4:4') <= budget.arena ? '4:4:4' : '4:2:0';
}

/** Encodes with mozjpeg. The frame must be opaque. */
export async function* encodeJpeg(
  bands: AsyncIterable<Band>,
  frame: Frame,
  { quality }: EncodeOptions,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const pixels = await wholeFrame(bands, frame);
  const encoder = await workspace.codec(createEncoder as CodecFactory<Encoder>, wasm);
  yield encoder.encode(pixels, frame.width, frame.height, {
    ...defaultOptions,
    quality,
    auto_subsample: false,
    chroma_subsample: chromaSubsampling(frame, quality) === '4:4:4' ? 1 : 2,
  });
}
