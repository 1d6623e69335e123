import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions } from '@jsquash/jpeg/meta.js';
import wasm from '../../../../build/jpeg-encode.wasm';
import type { Band, Frame } from '../../frame.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import { type ChromaSubsampling, chromaSubsampling } from '../chroma-subsampling.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { type Curve, interpolate } from '../interpolate.ts';
import { wholeFrame } from '../library-image.ts';

/** Bytes of the arena below mozjpeg's heap, its tables and row buffers. */
const STATIC_BYTES = 1_000_000;
/** Bytes of the arena a pixel, as measured: the input's copy, coefficients and trellis state. */
const BYTES_PER_PIXEL = { '4:2:0': 14.8, '4:4:4': 20.6 } as const;
/** Bytes of the arena for each byte of output, as measured: the buffer doubles as it grows and is copied. */
const BYTES_PER_OUTPUT_BYTE = 9.6;
/** Output bytes a pixel of noise, the worst case, by quality; between the measured ones the truth is convex. */
const OUTPUT_BYTES_PER_PIXEL: Readonly<Record<ChromaSubsampling, Curve>> = {
  '4:2:0': [
    [40, 0.25],
    [82, 0.62],
    [100, 1.5],
  ],
  '4:4:4': [
    [40, 0.56],
    [82, 1.32],
    [100, 3.05],
  ],
};

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array;
}

/** Plans an encode with mozjpeg: progressive, trellis quantisation, the whole frame. */
export function planJpegEncode(frame: Frame, { quality }: EncodeOptions): EncodePlan {
  const chroma = chromaOf(frame, quality);
  return {
    cost: { arena: 0, library: arenaBytes(frame, quality, chroma), buffers: outputBytes(frame, quality, chroma) },
    wholeFrame: true,
  };
}

/** The most bytes that the file can take. */
function outputBytes({ width, height }: Frame, quality: number, chroma: ChromaSubsampling): number {
  return Math.ceil(width * height * interpolate(OUTPUT_BYTES_PER_PIXEL[chroma], quality));
}

function arenaBytes(frame: Frame, quality: number, chroma: ChromaSubsampling): number {
  const { width, height } = frame;
  const output = outputBytes(frame, quality, chroma) * BYTES_PER_OUTPUT_BYTE;
  return Math.ceil(STATIC_BYTES + (width + height) * 128 + width * height * BYTES_PER_PIXEL[chroma] + output);
}

function chromaOf(frame: Frame, quality: number): ChromaSubsampling {
  return chromaSubsampling(quality, (chroma) => arenaBytes(frame, quality, chroma));
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
    chroma_subsample: chromaOf(frame, quality) === '4:4:4' ? 1 : 2,
  });
}
