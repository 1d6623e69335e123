import { aligned } from '../../../kernels/aligned.ts';
import { table } from './vp8-kernel.ts';

const MIB = 1024 * 1024;

/** Bytes of the regions that an encode takes. */
export interface Vp8Layout {
  readonly mbWidth: number;
  readonly mbHeight: number;
  readonly state: number;
  readonly rgba: number;
  readonly source: number;
  readonly rebuiltLuma: number;
  readonly rebuiltChroma: number;
  readonly contexts: number;
  readonly modes: number;
  readonly levels: number;
  /** Levels are coded when they fill so much. */
  readonly levelsFull: number;
  readonly tokens: number;
  readonly firstPartition: number;
}

/** The size of the first partition has 19 bits (RFC 6386 §9.1). */
export const MAX_FIRST_PARTITION = 2 ** 19 - 1;
/** Bytes that the coder may write past the limit that it looks at between macroblocks. */
export const CODER_SLACK = 8192;
/** Levels of one macroblock in compact form, at the most. */
const COMPACT_BYTES = 1604;
const LEVELS_FULL = 6 * MIB;
/** Bytes of tokens kept until the picture is done: beyond, it is encoded a second time. */
const TOKENS_KEPT = 22 * MIB;
/** Bytes of tokens that are handed on at once: fewer cannot be kept. */
export const PIECE_BYTES = MIB;

/** Sides of a picture, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * How large the regions of an encode are.
 * @param room bytes for all of them: as many tokens are kept as find room
 */
export function vp8Layout(size: Size, room = Number.POSITIVE_INFINITY): Vp8Layout {
  const most = layoutWith(size, TOKENS_KEPT);
  const over = layoutBytes(most) - room;
  if (over <= 0) return most;
  return layoutWith(size, Math.max(PIECE_BYTES, most.tokens - 2 * CODER_SLACK - aligned(over)));
}

function layoutWith(size: Size, tokensKept: number): Vp8Layout {
  const mbWidth = Math.ceil(size.width / 16);
  const mbHeight = Math.ceil(size.height / 16);
  const macroblocks = mbWidth * mbHeight;
  const levelsFull = Math.min(macroblocks * COMPACT_BYTES, LEVELS_FULL);
  return {
    mbWidth,
    mbHeight,
    state: table.end,
    rgba: mbWidth * 16 * 16 * 4,
    source: mbWidth * 16 * 24,
    rebuiltLuma: (mbWidth * 16 + 32) * 17 + 16,
    rebuiltChroma: (mbWidth * 8 + 32) * 9 + 16,
    contexts: mbWidth * (4 + 16 + 16),
    modes: macroblocks * 9,
    levels: levelsFull + mbWidth * COMPACT_BYTES,
    levelsFull,
    tokens: Math.min(tokensKept, macroblocks * 208) + 2 * CODER_SLACK,
    firstPartition: Math.min(macroblocks * 116, MAX_FIRST_PARTITION) + 2 * CODER_SLACK,
  };
}

/** Bytes of the arena that an encode takes. @param room as for `vp8Layout` */
export function vp8EncoderBytes(size: Size, room?: number): number {
  return layoutBytes(vp8Layout(size, room));
}

function layoutBytes(layout: Vp8Layout): number {
  const regions = [
    layout.state,
    layout.rgba,
    layout.source,
    layout.rebuiltLuma,
    layout.rebuiltChroma * 2,
    layout.contexts,
    layout.modes,
    layout.levels,
    layout.tokens,
    layout.firstPartition,
  ];
  return regions.reduce((sum, bytes) => sum + aligned(bytes) + 16, 0);
}
