import createEncoder from '@jsquash/avif/codec/enc/avif_enc.js';
import { defaultOptions } from '@jsquash/avif/meta.js';
import wasm from '../../../../build/avif-encode.wasm';
import { budget } from '../../budget.ts';
import type { Band, Frame } from '../../frame.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { wholeFrame } from '../library-image.ts';
import { avifQuality } from '../quality.ts';

/** Bytes of the arena below libavif's heap: a stack of 5 MiB and static data. */
const STATIC_BYTES = 6_225_920;
/** Bytes of the arena whatever the size: the encoder's contexts and tables. */
const TABLE_BYTES = 2_800_000;
/** Bytes of the arena a pixel, as measured, by libaom's speed and the chroma subsampling. */
const BYTES_PER_PIXEL = { 6: { '4:2:0': 43, '4:4:4': 62 }, 8: { '4:2:0': 32, '4:4:4': 48.5 } } as const;
/** Bytes on the heap a pixel that the encoded file may take. */
const OUTPUT_BYTES_PER_PIXEL = 1;
/** From this quality on chroma is kept at full resolution, as JPEG encoders do. */
const FULL_CHROMA_QUALITY = 90;
/** Pixels up to which the slower speed still answers at once. */
const SMALL_PICTURE = 300_000;

type ChromaSubsampling = keyof (typeof BYTES_PER_PIXEL)[6];

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array | null;
}

/** Plans an encode with libaom: one AV1 frame, alpha as a second item. */
export function planAvifEncode(frame: Frame, { quality }: EncodeOptions): EncodePlan {
  return {
    cost: {
      arena: arenaBytes(frame, chromaSubsampling(frame, quality)),
      buffers: Math.ceil(frame.width * frame.height * OUTPUT_BYTES_PER_PIXEL),
    },
    wholeFrame: true,
  };
}

function speed({ width, height }: Frame): 6 | 8 {
  return width * height <= SMALL_PICTURE ? 6 : 8;
}

function arenaBytes(frame: Frame, chroma: ChromaSubsampling): number {
  return Math.ceil(STATIC_BYTES + TABLE_BYTES + frame.width * frame.height * BYTES_PER_PIXEL[speed(frame)][chroma]);
}

/** Full chroma at high quality, unless only subsampled chroma fits the arena: a slightly softer picture beats a refusal. */
function chromaSubsampling(frame: Frame, quality: number): ChromaSubsampling {
  return quality >= FULL_CHROMA_QUALITY && arenaBytes(frame, '4:4:4') <= budget.arena ? '4:4:4' : '4:2:0';
}

/** Encodes with libaom. */
export async function* encodeAvif(
  bands: AsyncIterable<Band>,
  frame: Frame,
  { quality }: EncodeOptions,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const pixels = await wholeFrame(bands, frame);
  const encoder = await workspace.codec(createEncoder as CodecFactory<Encoder>, wasm);
  const file = encoder.encode(pixels, frame.width, frame.height, {
    ...defaultOptions,
    quality: avifQuality(quality),
    subsample: chromaSubsampling(frame, quality) === '4:4:4' ? 3 : 1,
    speed: speed(frame),
  });
  if (file === null) throw new Error('libavif refused a frame that its plan accepted');
  yield file;
}
