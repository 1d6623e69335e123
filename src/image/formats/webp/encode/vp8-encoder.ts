import wasm from '../../../../../build/vp8-encode.wasm';
import type { Workspace } from '../../../workspace.ts';
import { chromaDelta, type Segment, segmentsFor, writeQuantiser } from './segment.ts';
import { table, type Vp8Kernel, word } from './vp8-kernel.ts';
import { CODER_SLACK, MAX_FIRST_PARTITION, PIECE_BYTES, type Vp8Layout, vp8Layout } from './vp8-layout.ts';
import { writeVp8Tables } from './vp8-tables.ts';

/** What becomes of coded tokens: kept, only counted from the moment on when they are too many, or handed on in pieces. */
export type TokenUse = 'keep' | 'hand on';

/** Bytes of the probability updates at the most, and of the rest of the frame header. */
const FRAME_HEADER_BYTES = 4096;

/**
 * One picture on its way to a VP8 key frame: rows of macroblocks in, partitions out. The same rows give the same bytes again
 * after `restart`, so that a picture whose tokens cannot be kept is encoded twice: to know the sizes, then to write.
 */
export class Vp8Encoder {
  readonly layout: Vp8Layout;
  /** 16 rows of RGBA, `layout.mbWidth` × 64 bytes each, to be filled before `encodeRow`. */
  readonly rgba: Uint8Array;
  readonly #kernel: Vp8Kernel;
  readonly #state: Uint8Array<ArrayBuffer>;
  readonly #words: Uint32Array;
  readonly #tokens: Uint8Array;
  readonly #firstPartition: Uint8Array;
  readonly #contexts: Uint8Array;
  readonly #segments: readonly Segment[];
  #row = 0;
  #frozen = false;
  #drained = 0;
  #tokenBytes = 0;
  #use: TokenUse = 'keep';

  /**
   * @param quality of libwebp's scale, 0–100; @param candidates sub-block modes tried: 2, 4, … 10
   * @param room as for `vp8Layout`
   */
  constructor(
    size: { readonly width: number; readonly height: number; readonly alpha?: boolean },
    quality: number,
    candidates: number,
    workspace: Workspace,
    room?: number,
  ) {
    this.layout = vp8Layout(size, room);
    this.#kernel = workspace.kernel<Vp8Kernel>(wasm);
    this.#segments = segmentsFor(quality);
    const { layout } = this;
    this.#state = workspace.arena(layout.state);
    this.#words = new Uint32Array(this.#state.buffer, this.#state.byteOffset, 64);
    this.rgba = workspace.arena(layout.rgba);
    const source = workspace.arena(layout.source);
    const luma = workspace.arena(layout.rebuiltLuma);
    const chroma = [workspace.arena(layout.rebuiltChroma), workspace.arena(layout.rebuiltChroma)];
    const contexts = workspace.arena(layout.contexts);
    const modes = workspace.arena(layout.modes);
    const levels = workspace.arena(layout.levels);
    this.#tokens = workspace.arena(layout.tokens);
    this.#firstPartition = workspace.arena(layout.firstPartition);
    this.#contexts = contexts;
    writeVp8Tables(this.#state);
    for (const [index, segment] of this.#segments.entries()) {
      const at = table.quantisers + index * 256;
      writeQuantiser(this.#state.subarray(at, at + 256), segment);
    }
    const w = this.#words;
    const width = layout.mbWidth * 16;
    w[word.mbWidth] = layout.mbWidth;
    w[word.mbHeight] = layout.mbHeight;
    w[word.rgba] = this.rgba.byteOffset;
    w[word.sourceY] = source.byteOffset;
    w[word.sourceU] = source.byteOffset + width * 16;
    w[word.sourceV] = source.byteOffset + width * 20;
    w[word.lumaStride] = width + 32;
    w[word.chromaStride] = width / 2 + 32;
    w[word.lumaOut] = luma.byteOffset + 16 + width + 32;
    w[word.uOut] = chroma[0]!.byteOffset + 16 + width / 2 + 32;
    w[word.vOut] = chroma[1]!.byteOffset + 16 + width / 2 + 32;
    w[word.modesAbove] = contexts.byteOffset + layout.mbWidth * 32;
    w[word.filledAbove] = contexts.byteOffset;
    w[word.writtenAbove] = contexts.byteOffset + layout.mbWidth * 16;
    w[word.modes] = modes.byteOffset;
    w[word.levelsStart] = levels.byteOffset;
    w[word.outStart] = this.#tokens.byteOffset;
    w[word.candidates] = candidates;
    w[word.hasAlpha] = size.alpha ? 1 : 0;
    w[word.segments] = this.#segments.length;
    w.set(ACTIVITY, word.activity);
    this.#floats(word.modeBudget)[0] = (MAX_FIRST_PARTITION - FRAME_HEADER_BYTES) * 8 * 256;
    this.restart('keep');
  }

  #floats(index: number): Float64Array {
    return new Float64Array(this.#state.buffer, this.#state.byteOffset + index * 4, 1);
  }

  get #encoder(): number {
    return this.#state.byteOffset;
  }

  /** Starts from the first row. */
  restart(use: TokenUse): void {
    const w = this.#words;
    this.#contexts.fill(0);
    this.#state.fill(0, table.counts, table.counts + 96 * 48);
    w.fill(0, word.inSegment, word.skipped + 1);
    w[word.levels] = w[word.levelsStart]!;
    w[word.levelsRead] = w[word.levelsStart]!;
    w[word.modesEnd] = w[word.modes]!;
    w[word.modesRead] = w[word.modes]!;
    w[word.writtenColumn] = 0;
    w[word.out] = w[word.outStart]!;
    this.#floats(word.modeBits)[0] = 0;
    this.#row = 0;
    this.#frozen = false;
    this.#drained = 0;
    this.#use = use;
    const room = use === 'keep' ? this.#tokens.length : Math.min(this.#tokens.length, PIECE_BYTES);
    w[word.outLimit] = w[word.outStart]! + room - CODER_SLACK;
    this.#kernel.refreshCosts(this.#encoder);
  }

  /** Encodes what is in `rgba`; yields the tokens that are handed on. */
  *encodeRow(): Generator<Uint8Array> {
    this.#kernel.encodeRow(this.#encoder, this.#row++);
    if (!this.#frozen) this.#kernel.refreshCosts(this.#encoder);
    if (this.#words[word.levels]! - this.#words[word.levelsStart]! >= this.layout.levelsFull) {
      yield* this.#writeTokens();
    }
  }

  /** Ends the picture: codes all that waits; yields the tokens that are handed on. */
  *finish(): Generator<Uint8Array> {
    yield* this.#writeTokens();
    this.#kernel.finishPartition(this.#encoder);
    this.#tokenBytes = this.#drained + this.#written;
    if (this.#use === 'hand on') yield* this.#drain(this.#written);
  }

  /** Bytes of the token partition, after `finish`. */
  get tokenBytes(): number {
    return this.#tokenBytes;
  }

  /** Whether all tokens are still there after `finish`. */
  get kept(): boolean {
    return this.#drained === 0;
  }

  /** The kept tokens. */
  get tokens(): Uint8Array {
    return this.#tokens.subarray(0, this.#written);
  }

  get #written(): number {
    return this.#words[word.out]! - this.#words[word.outStart]!;
  }

  /** Fixes the probabilities, if they are not yet, and codes all levels that wait. */
  *#writeTokens(): Generator<Uint8Array> {
    if (!this.#frozen) this.#kernel.startPartition(this.#encoder);
    this.#frozen = true;
    while (this.#kernel.writeWaiting(this.#encoder) === 0) yield* this.#drain(this.#finished());
    this.#words[word.levels] = this.#words[word.levelsStart]!;
    this.#words[word.levelsRead] = this.#words[word.levelsStart]!;
  }

  /** Bytes that a carry cannot change any more: those before the last one that is not 255. */
  #finished(): number {
    let end = this.#written - 1;
    while (this.#tokens[end] === 255) end--;
    return end;
  }

  *#drain(bytes: number): Generator<Uint8Array> {
    if (this.#use === 'hand on') yield this.#tokens.slice(0, bytes);
    this.#tokens.copyWithin(0, bytes, this.#written);
    this.#drained += bytes;
    this.#words[word.out] = this.#words[word.out]! - bytes;
  }

  /** Codes the first partition (RFC 6386 §9.3–9.11, §11): after `finish`. */
  writeFirstPartition(): Uint8Array {
    const w = this.#words;
    const macroblocks = this.layout.mbWidth * this.layout.mbHeight;
    const [s0, s1, s2, s3] = [...w.subarray(word.inSegment, word.inSegment + 4)] as [number, number, number, number];
    const probabilities = [probability(s0 + s1, s2 + s3), probability(s0, s1), probability(s2, s3)];
    w.set(probabilities, word.segmentProbabilities);
    w[word.skipProbability] = probability(macroblocks - w[word.skipped]!, w[word.skipped]!);
    if (this.#floats(word.modeBits)[0]! / 2048 + FRAME_HEADER_BYTES > this.#firstPartition.length) {
      throw new Error('the modes take more than a first partition holds');
    }
    w[word.out] = this.#firstPartition.byteOffset;
    this.#kernel.startPartition(this.#encoder);
    this.#writeFrameHeader(probabilities);
    this.#kernel.writeHeaderEnd(this.#encoder, w[word.modes]!);
    this.#kernel.finishPartition(this.#encoder);
    return this.#firstPartition.subarray(0, w[word.out]! - this.#firstPartition.byteOffset);
  }

  #literal(value: number, bits: number): void {
    this.#kernel.literal(this.#encoder, value, bits);
  }

  /** A flag, and a number with its sign behind it (§9.3, §9.6). */
  #optional(value: number, bits: number): void {
    this.#literal(value === 0 ? 0 : 1, 1);
    if (value === 0) return;
    this.#literal(Math.abs(value), bits);
    this.#literal(value < 0 ? 1 : 0, 1);
  }

  #writeFrameHeader(segmentProbabilities: readonly number[]): void {
    // Colour space and clamping; segmentation with map and absolute values.
    this.#literal(0, 2);
    this.#literal(0b1111, 4);
    for (const { index } of this.#segments) this.#optional(index, 7);
    for (const { filterLevel } of this.#segments) this.#optional(filterLevel, 6);
    for (const p of segmentProbabilities) {
      this.#literal(1, 1);
      this.#literal(p, 8);
    }
    // Normal loop filter, sharpness 0, no deltas, one token partition.
    this.#literal(0, 1);
    this.#literal(Math.max(...this.#segments.map(({ filterLevel }) => filterLevel)), 6);
    this.#literal(0, 3);
    this.#literal(0, 1);
    this.#literal(0, 2);
    this.#literal(this.#segments[0]!.index, 7);
    for (const delta of [0, 0, 0, chromaDelta.dc, chromaDelta.ac]) this.#optional(delta, 4);
    // Refresh of the entropy state has no meaning in a single frame.
    this.#literal(0, 1);
  }
}

/** Thresholds of activity between the segments, calm first: what the best whole-macroblock prediction leaves. */
export const ACTIVITY = [1400, 3000, 7000];

/** Probability of 0 in 1/256. */
function probability(zeros: number, ones: number): number {
  const total = zeros + ones;
  return total === 0 ? 255 : Math.min(255, Math.max(1, Math.round((zeros * 256) / total)));
}
