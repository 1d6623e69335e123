import createEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import { defaultOptions } from '@jsquash/webp/meta.js';
import wasm from '../../../../build/webp-encode.wasm';
import type { Band, Frame } from '../../frame.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { wholeFrame } from '../library-image.ts';
import { webpQuality } from '../quality.ts';

/** Bytes of the arena below libwebp's heap, its tables and its least working set. */
const STATIC_BYTES = 1_000_000;
/** Bytes of the arena a pixel, as measured: the input's copy, YUV planes, macroblock statistics, tokens and the output. */
const BYTES_PER_PIXEL = { opaque: 13.6, alpha: 24 } as const;
/** Bytes on the heap a pixel that the encoded file may take. */
const OUTPUT_BYTES_PER_PIXEL = 1.5;

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array | null;
}

/** Plans an encode with libwebp: lossy VP8 of the whole frame, alpha losslessly beside it. */
export function planWebpEncode(frame: Frame): EncodePlan {
  const pixels = frame.width * frame.height;
  const perPixel = frame.alpha ? BYTES_PER_PIXEL.alpha : BYTES_PER_PIXEL.opaque;
  return {
    cost: {
      arena: Math.ceil(STATIC_BYTES + (frame.width + frame.height) * 64 + pixels * perPixel),
      buffers: Math.ceil(pixels * OUTPUT_BYTES_PER_PIXEL),
    },
    wholeFrame: true,
  };
}

/** Encodes with libwebp. */
export async function* encodeWebp(
  bands: AsyncIterable<Band>,
  frame: Frame,
  { quality }: EncodeOptions,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const pixels = await wholeFrame(bands, frame);
  const encoder = await workspace.codec(createEncoder as CodecFactory<Encoder>, wasm);
  const file = encoder.encode(pixels, frame.width, frame.height, {
    ...defaultOptions,
    quality: webpQuality(quality, frame),
    method: 4,
  });
  if (file === null) throw new Error('libwebp refused a frame that its plan accepted');
  yield file;
}
