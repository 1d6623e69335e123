import createEncoder from '@jsquash/avif/codec/enc/avif_enc.js';
import { defaultOptions } from '@jsquash/avif/meta.js';
import wasm from '../../../../build/avif-encode.wasm';
import { budget } from '../../budget.ts';
import type { Band, Frame } from '../../frame.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { wholeFrame } from '../library-image.ts';
import { avifQuality } from '../quality.ts';

/** Bytes of the arena whatever the size: a stack of 5 MiB, static data, the encoder's contexts and tables. */
const STATIC_BYTES = 8_000_000;
/** libaom keeps its frames in whole superblocks, with a border around them. */
const SUPERBLOCK = 64;
const BORDER = 24;
/** Bytes of the arena a pixel of such a frame, as measured, by libaom's speed and the chroma subsampling. */
const BYTES_PER_PIXEL = { 6: { '4:2:0': 42, '4:4:4': 61 }, 8: { '4:2:0': 27.8, '4:4:4': 43.5 } } as const;
/** Bytes of the arena for each byte of output, as measured: the buffer is copied as it grows. */
const BYTES_PER_OUTPUT_BYTE = 1.9;
/** Output bytes a pixel of noise, the worst case as measured, at libavif's qualities 60 (and below), 95 and 100. */
const OUTPUT_BYTES_PER_PIXEL = {
  '4:2:0': [0.7, 1.3, 1.75],
  '4:4:4': [1.5, 2.7, 4.3],
  alpha: [0.6, 1.1, 1.45],
} as const;
/** Bytes of the file's boxes and headers. */
const CONTAINER_BYTES = 1000;
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
  const chroma = chromaSubsampling(frame, quality);
  return {
    cost: { arena: arenaBytes(frame, quality, chroma), buffers: outputBytes(frame, quality, chroma) },
    wholeFrame: true,
  };
}

function speed({ width, height }: Frame): 6 | 8 {
  return width * height <= SMALL_PICTURE ? 6 : 8;
}

function arenaBytes(frame: Frame, quality: number, chroma: ChromaSubsampling): number {
  const pixels = codedSide(frame.width) * codedSide(frame.height);
  const output = outputBytes(frame, quality, chroma) * BYTES_PER_OUTPUT_BYTE;
  return Math.ceil(STATIC_BYTES + pixels * BYTES_PER_PIXEL[speed(frame)][chroma] + output);
}

function codedSide(side: number): number {
  return Math.ceil(side / SUPERBLOCK) * SUPERBLOCK + BORDER;
}

/** The most bytes that the file can take. */
function outputBytes({ width, height, alpha }: Frame, quality: number, chroma: ChromaSubsampling): number {
  const setting = avifQuality(quality);
  const planes = [OUTPUT_BYTES_PER_PIXEL[chroma], ...(alpha ? [OUTPUT_BYTES_PER_PIXEL.alpha] : [])];
  const perPixel = planes.reduce((sum, measured) => sum + outputAt(setting, measured), 0);
  return Math.ceil(CONTAINER_BYTES + width * height * perPixel);
}

/** Linear between the measured qualities: the truth is convex. */
function outputAt(setting: number, [low, middle, high]: readonly [number, number, number]): number {
  return setting <= 95
    ? low + ((middle - low) * (Math.max(60, setting) - 60)) / 35
    : middle + ((high - middle) * (setting - 95)) / 5;
}

/** Full chroma at high quality, unless only subsampled chroma fits the arena: a slightly softer picture beats a refusal. */
function chromaSubsampling(frame: Frame, quality: number): ChromaSubsampling {
  return quality >= FULL_CHROMA_QUALITY && arenaBytes(frame, quality, '4:4:4') <= budget.arena ? '4:4:4' : '4:2:0';
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
