import createEncoder from '@jsquash/avif/codec/enc/avif_enc.js';
import { defaultOptions } from '@jsquash/avif/meta.js';
import wasm from '../../../../build/avif-encode.wasm';
import type { Band, Frame } from '../../frame.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import { type ChromaSubsampling, chromaSubsampling } from '../chroma-subsampling.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { type Curve, interpolate } from '../interpolate.ts';
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
/** Output bytes a pixel of noise, the worst case, by libavif's quality; between the measured ones the truth is convex. */
const OUTPUT_BYTES_PER_PIXEL: Readonly<Record<ChromaSubsampling | 'alpha', Curve>> = {
  '4:2:0': [
    [60, 0.7],
    [95, 1.3],
    [100, 1.75],
  ],
  '4:4:4': [
    [60, 1.5],
    [95, 2.7],
    [100, 4.3],
  ],
  alpha: [
    [60, 0.6],
    [95, 1.1],
    [100, 1.45],
  ],
};
/** Bytes of the file's boxes and headers. */
const CONTAINER_BYTES = 1000;
/** Pixels up to which the slower speed still answers at once. */
const SMALL_PICTURE = 300_000;

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array | null;
}

/** Plans an encode with libaom: one AV1 frame, alpha as a second item. */
export function planAvifEncode(frame: Frame, { quality }: EncodeOptions): EncodePlan {
  const chroma = chromaOf(frame, quality);
  return {
    cost: { arena: 0, library: arenaBytes(frame, quality, chroma), buffers: outputBytes(frame, quality, chroma) },
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
  const perPixel = planes.reduce((sum, measured) => sum + interpolate(measured, setting), 0);
  return Math.ceil(CONTAINER_BYTES + width * height * perPixel);
}

function chromaOf(frame: Frame, quality: number): ChromaSubsampling {
  return chromaSubsampling(quality, (chroma) => arenaBytes(frame, quality, chroma));
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
    subsample: chromaOf(frame, quality) === '4:4:4' ? 3 : 1,
    speed: speed(frame),
  });
  if (file === null) throw new Error('libavif refused a frame that its plan accepted');
  yield file;
}
