import { keyFrameStart, simpleFileStart } from '../../../../../src/image/formats/webp/encode/container.ts';
import { segmentsFor } from '../../../../../src/image/formats/webp/encode/segment.ts';
import { Vp8Encoder } from '../../../../../src/image/formats/webp/encode/vp8-encoder.ts';
import { word } from '../../../../../src/image/formats/webp/encode/vp8-kernel.ts';
import type { MacroblockFilter } from '../../../../reference/vp8-encode/loop-filter.ts';
import { type Plane, type Planes, planesOf } from '../../../../reference/vp8-encode/planes.ts';
import { HeapWorkspace } from '../../../../support/heap-workspace.ts';
import type { SyntheticPicture } from '../../../../support/synthetic-picture.ts';

/** What an encode of a key frame came to. */
export interface EncodedVp8 {
  /** A WebP of the frame alone, without its alpha. */
  readonly file: Uint8Array;
  /** What the encoder predicted from, before any filter. */
  readonly rebuilt: Planes;
  /** First bytes of the macroblocks' modes and sub-block modes, as the kernel keeps them. */
  readonly modes: Uint8Array;
  /** How many macroblocks each segment has. */
  readonly inSegments: readonly number[];
  /** What decoders do with each macroblock's edges. */
  readonly filters: readonly MacroblockFilter[];
  readonly firstPartition: number;
  /** Of the coefficients' tokens. */
  readonly probabilities: Uint8Array;
}

/** Flags in the first byte of a macroblock's modes. */
const SUBBLOCKS = 4;
const SKIPPED = 8;
/** Offset of the probabilities in the kernel's state (`assembly/vp8-encode/encoder.ts`). */
const PROBABILITIES = 0x1ac0;

/**
 * Encodes with the kernel and keeps what it rebuilt. For pictures whose tokens can be kept.
 * @param quality of libwebp's scale; @param modeBits that the modes of all macroblocks may have
 */
export function encodeVp8({ frame, pixels }: SyntheticPicture, quality: number, modeBits?: number): EncodedVp8 {
  const encoder = new Vp8Encoder(frame, quality, 4, new HeapWorkspace());
  const words = wordsOf(encoder);
  if (modeBits !== undefined) {
    new Float64Array(words.buffer, words.byteOffset + word.modeBudget * 4, 1)[0] = modeBits * 256;
  }
  const { mbWidth, mbHeight } = encoder.layout;
  const rebuilt = planesOf(mbWidth, mbHeight);
  for (let row = 0; row < mbHeight; row++) {
    fillRow(encoder, { frame, pixels }, row);
    noTokensYet(encoder.encodeRow());
    takeRow(rebuilt, words, row);
  }
  noTokensYet(encoder.finish());
  const tokens = encoder.tokens.slice();
  const modes = new Uint8Array(words.buffer).slice(words[word.modes], words[word.modesEnd]);
  const inSegments = [...words.subarray(word.inSegment, word.inSegment + 4)];
  const probabilities = new Uint8Array(words.buffer, words.byteOffset + PROBABILITIES, 1056).slice();
  const first = encoder.writeFirstPartition();
  const start = keyFrameStart(frame, first.length);
  const bytes = start.length + first.length + tokens.length;
  const file = Buffer.concat([simpleFileStart(bytes), start, first, tokens, new Uint8Array(bytes & 1)]);
  return {
    file,
    rebuilt,
    modes,
    inSegments,
    filters: filtersOf(modes, quality),
    firstPartition: first.length,
    probabilities,
  };
}

/** The encoder's state is the region in front of its rows. */
function wordsOf({ rgba, layout }: Vp8Encoder): Uint32Array<ArrayBuffer> {
  return new Uint32Array(rgba.buffer as ArrayBuffer, rgba.byteOffset - layout.state, 64);
}

/** 16 rows, continued at the right and at the bottom with the last pixels. */
function fillRow({ rgba, layout }: Vp8Encoder, { frame, pixels }: SyntheticPicture, row: number): void {
  const width = layout.mbWidth * 16;
  for (let y = 0; y < 16; y++) {
    const start = Math.min(frame.height - 1, row * 16 + y) * frame.width * 4;
    const line = pixels.subarray(start, start + frame.width * 4);
    rgba.set(line, y * width * 4);
    for (let x = frame.width; x < width; x++) rgba.set(line.subarray(-4), (y * width + x) * 4);
  }
}

function takeRow({ y, u, v }: Planes, words: Uint32Array<ArrayBuffer>, row: number): void {
  const memory = new Uint8Array(words.buffer);
  const take = ({ samples, width }: Plane, from: number, stride: number, rows: number) => {
    for (let line = 0; line < rows; line++) {
      const at = from + line * stride;
      samples.set(memory.subarray(at, at + width), (row * rows + line) * width);
    }
  };
  take(y, words[word.lumaOut]!, words[word.lumaStride]!, 16);
  take(u, words[word.uOut]!, words[word.chromaStride]!, 8);
  take(v, words[word.vOut]!, words[word.chromaStride]!, 8);
}

function noTokensYet(pieces: Iterable<Uint8Array>): void {
  for (const _ of pieces) throw new Error('the picture has more tokens than can be kept');
}

function filtersOf(modes: Uint8Array, quality: number): MacroblockFilter[] {
  const segments = segmentsFor(quality);
  const filters: MacroblockFilter[] = [];
  for (let at = 0; at < modes.length; ) {
    const head = modes[at]!;
    filters.push({ level: segments[head & 3]!.filterLevel, inner: (head & SUBBLOCKS) !== 0 || (head & SKIPPED) === 0 });
    at += head & SUBBLOCKS ? 9 : 1;
  }
  return filters;
}
