import createEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import { defaultOptions } from '@jsquash/webp/meta.js';
import wasm from '../../../../build/webp-encode.wasm';
import { budget } from '../../budget.ts';
import type { Band, Frame } from '../../frame.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { wholeFrame } from '../library-image.ts';
import { vp8Quality, webpQuality } from '../quality.ts';
import { encodeLossy, lossyCost } from './encode/encode-frame.ts';

/** Bytes of the arena below libwebp's heap, its tables and its least working set. */
const STATIC_BYTES = 1_200_000;
/**
 * How the encoder may work, the best first, with its bytes of the arena a pixel as measured on noise, the worst case. Without
 * `tokens` libwebp codes the picture in two passes and keeps nothing between them. The alpha plane is compressed by its
 * lossless encoder, whose tables grow with the method.
 */
const modes = {
  opaque: [
    { method: 4, tokens: true, bytesPerPixel: 37 },
    { method: 4, tokens: false, bytesPerPixel: 13.7 },
  ],
  alpha: [
    { method: 4, tokens: true, bytesPerPixel: 50 },
    { method: 3, tokens: false, bytesPerPixel: 43.5 },
    { method: 0, tokens: false, bytesPerPixel: 35.2 },
  ],
} as const;
/** Bytes on the heap a pixel that the encoded file may take. */
const OUTPUT_BYTES_PER_PIXEL = { opaque: 1.2, alpha: 2.2 } as const;

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array | null;
}

/** Plans an encode with libwebp: lossy VP8 of the whole frame, alpha losslessly beside it. */
export function planWebpEncode(frame: Frame): EncodePlan {
  if (!frame.alpha) return { cost: lossyCost(frame), wholeFrame: false };
  const outputPerPixel = OUTPUT_BYTES_PER_PIXEL[frame.alpha ? 'alpha' : 'opaque'];
  return {
    cost: {
      arena: 0,
      library: arenaBytes(frame, bestMode(frame).bytesPerPixel),
      buffers: Math.ceil(frame.width * frame.height * outputPerPixel),
    },
    wholeFrame: true,
  };
}

function arenaBytes({ width, height }: Frame, bytesPerPixel: number): number {
  return Math.ceil(STATIC_BYTES + (width + height) * 64 + width * height * bytesPerPixel);
}

function bestMode(frame: Frame): (typeof modes)[keyof typeof modes][number] {
  const choices = modes[frame.alpha ? 'alpha' : 'opaque'];
  return choices.find(({ bytesPerPixel }) => arenaBytes(frame, bytesPerPixel) <= budget.arena) ?? choices.at(-1)!;
}

/** Encodes with libwebp. */
export async function* encodeWebp(
  bands: AsyncIterable<Band>,
  frame: Frame,
  { quality }: EncodeOptions,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  if (!frame.alpha) return yield* encodeLossy(bands, frame, vp8Quality(quality), workspace);
  const pixels = await wholeFrame(bands, frame);
  const encoder = await workspace.codec(createEncoder as CodecFactory<Encoder>, wasm);
  const { method, tokens } = bestMode(frame);
  const file = encoder.encode(pixels, frame.width, frame.height, {
    ...defaultOptions,
    quality: webpQuality(quality),
    method,
    low_memory: tokens ? 0 : 1,
  });
  if (file === null) throw new Error('libwebp refused a frame that its plan accepted');
  yield file;
}
