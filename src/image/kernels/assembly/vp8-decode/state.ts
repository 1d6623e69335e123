/** Constant tables that the host writes at the start of the work region. Offsets in bytes. */
export namespace Table {
  /** Default token probabilities, then their update probabilities: [4][8][3][11] each. */
  export const tokens: usize = 0;
  export const tokenUpdates: usize = 1056;
  /** [10][10][9] */
  export const subblockModes: usize = 2112;
  /** u16[128] each */
  export const dcSteps: usize = 3016;
  export const acSteps: usize = 3272;
  export const bytes: usize = 3536;
}

/** A boolean entropy decoder (RFC 6386 §7). `value` is left-aligned: its top `bits` bits are loaded. */
@unmanaged
export class Reader {
  value: u64;
  range: u32;
  bits: i32;
  at: usize;
  end: usize;
  /** Zero bits that were made up behind the end of the data. */
  past: i32;
  /** Whether the data goes on behind `end`. */
  more: i32;
}
export const READER_BYTES: usize = 32;

/** Quantiser steps and filter strengths of one segment. */
@unmanaged
export class Segment {
  quantiser: i32;
  strength: i32;
  y1Dc: i32;
  y1Ac: i32;
  y2Dc: i32;
  y2Ac: i32;
  uvDc: i32;
  uvAc: i32;
  /** For 16×16 and for 4×4 prediction: edge limit | interior limit << 8 | high edge variance threshold << 16. 0: no filter. */
  filter16: u32;
  filter4: u32;
}
export const SEGMENT_BYTES: usize = 40;

/** What a macroblock of the current row says of itself. */
@unmanaged
export class Macroblock {
  segment: u8;
  skipped: u8;
  /** Whether each of the 16 subblocks has a mode of its own. */
  split: u8;
  chromaMode: u8;
  /** Filter parameters as in `Segment`. */
  filter: u32;
  /** Whether the inner edges are filtered. */
  inner: u32;
  unused: u32;
  /** 16 modes; the first is the whole macroblock's where it is not split. */
  modes: u64;
  modes8: u64;
}
export const MACROBLOCK_BYTES: usize = 32;

/** Rows above a row of macroblocks that stay in the planes: its neighbours and what is not final yet. */
export const LUMA_BEFORE: i32 = 16;
/** Free bytes left and right of each row of a plane. */
export const PAD: usize = 16;

/** Everything about one picture. Followed by 4 segments and 9 readers; pointers are into the work region. */
@unmanaged
export class Decoder {
  width: i32;
  height: i32;
  columns: i32;
  rows: i32;
  /** The row of macroblocks that comes next, and how many of its macroblocks were decoded. */
  row: i32;
  column: i32;
  partitions: i32;
  tables: usize;
  segments: usize;
  /** The first partition's, then one for each token partition. */
  readers: usize;
  /** Token probabilities by position: [4][17][3][16]. */
  tokens: usize;
  /** 25 blocks of 16 coefficients, i16; the last is Y2's. */
  coefficients: usize;
  /** What each of the 24 blocks holds: 0 nothing, 1 only DC, 2 more. */
  kinds: usize;
  macroblocks: usize;
  /** 4 modes of the subblocks above, for each column. */
  modesAbove: usize;
  /** Whether the blocks above had coefficients, 16 bytes a column: 4 Y, 2 U, 2 V, Y2; those to the left are in front. */
  nonzeroAbove: usize;
  /** The unfiltered row above, with `PAD` bytes on both sides. */
  topY: usize;
  topU: usize;
  topV: usize;
  /** The first row that is kept, at its first pixel. */
  planeY: usize;
  planeU: usize;
  planeV: usize;
  strideY: usize;
  strideUv: usize;
  /** 0 none, 1 simple, 2 normal. */
  filterType: i32;
  sharpness: i32;
  useSegments: i32;
  updateMap: i32;
  /** Probabilities of the segment tree. */
  segmentTree0: i32;
  segmentTree1: i32;
  segmentTree2: i32;
  useSkip: i32;
  skipProbability: i32;
}
export const DECODER_BYTES: usize = 256;

/** Bytes of the work region up to the first part whose size depends on the picture. */
export const FIXED_BYTES: usize = 8192;
