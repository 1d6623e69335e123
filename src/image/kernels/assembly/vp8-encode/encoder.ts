/**
 * One picture's encoder. The host writes the first part (`encode/vp8-encoder.ts` lists the fields in this order); behind the
 * struct lie fixed tables and scratch at the offsets below.
 */
@unmanaged
export class Encoder {
  mbWidth: i32;
  mbHeight: i32;
  /** 16 rows of RGBA, mbWidth × 64 bytes each. */
  rgba: usize;
  /** 16 rows of luma, mbWidth × 16 bytes; 8 rows of each chroma plane, mbWidth × 8. */
  sourceY: usize;
  sourceU: usize;
  sourceV: usize;
  /** Sample (0, 0) of the rows under reconstruction; the row above and a column to the left belong to them. */
  lumaOut: usize;
  uOut: usize;
  vOut: usize;
  lumaStride: i32;
  chromaStride: i32;
  /** Sub-block modes of the row above: 4 bytes a macroblock. */
  modesAbove: usize;
  /** Whether blocks above have coefficients, 9 bytes of 16 a macroblock: 4 Y, 2 U, 2 V, Y2; while analysing and while writing. */
  filledAbove: usize;
  writtenAbove: usize;
  /** Modes of macroblocks, 1 or 9 bytes each, from `modes` on. */
  modes: usize;
  modesEnd: usize;
  /** Levels of macroblocks in compact form. */
  levels: usize;
  levelsStart: usize;
  /** Where the entropy coder writes, and the last place at which a macroblock may start. */
  out: usize;
  outStart: usize;
  outLimit: usize;
  /** Sub-block modes tried by rate and distortion: 2, 4, … 10. */
  candidates: i32;
  hasAlpha: i32;
  /** Macroblocks whose coefficients were written, and modes of which are read back while doing so. */
  writtenColumn: i32;
  levelsRead: usize;
  modesRead: usize;
  segments: i32;
  /** Bits that the first partition may have, and has, in 1/256. */
  modeBudget: f64;
  modeBits: f64;
  /** Entropy coder. */
  low: u64;
  range: u32;
  pending: i32;
  /** Macroblocks in each segment, and skipped ones. */
  inSegment0: u32;
  inSegment1: u32;
  inSegment2: u32;
  inSegment3: u32;
  skipped: u32;
  segmentProbability0: u32;
  segmentProbability1: u32;
  segmentProbability2: u32;
  skipProbability: u32;
  /** Thresholds of activity between the segments, ascending. */
  activity1: i32;
  activity2: i32;
  activity3: i32;
}

/** u16[258]: cost of a bit that is 0 when its probability of that is p / 256, in 1/256 bit. */
export const BIT_COSTS: usize = 0x400;
/** u8[68]: token of a level. */
export const TOKENS: usize = 0x620;
/** u8[900] */
export const SUBBLOCK_PROBABILITIES: usize = 0x680;
/** u16[10][10][10]: [above][left][mode] */
export const SUBBLOCK_COSTS: usize = 0xa40;
/** u8[1056] each. */
export const DEFAULT_PROBABILITIES: usize = 0x1240;
export const UPDATE_PROBABILITIES: usize = 0x1680;
export const PROBABILITIES: usize = 0x1ac0;
/** u32[96][12]: how often each token followed each type, band and context. */
export const COUNTS: usize = 0x1f00;
/** u16[4 types][16 positions][3 contexts][72]: cost of levels 0–66, 67 and more without their extra bits, and at 68 of the end. */
export const COSTS: usize = 0x3200;
export const COSTS_OF_TYPE: usize = 16 * 432;
export const COSTS_OF_POSITION: usize = 432;
export const COSTS_OF_CONTEXT: usize = 144;
export const END_COST: usize = 136;
/** 4 segments of `Quantiser`. */
export const QUANTISERS: usize = 0x9e00;
export const QUANTISER_BYTES: usize = 0x100;
/** u16[4], u16[4]: costs of 16×16 and chroma modes, then of the choice of 4×4. */
export const LUMA_MODE_COSTS: usize = 0xa200;
export const CHROMA_MODE_COSTS: usize = 0xa208;
export const SUBBLOCK_CHOICE_COST: usize = 0xa210;
/** u8[16]: bands of positions. */
export const BANDS: usize = 0xa220;
/** Contexts to the left: analysing (9 bytes), modes (4 bytes), writing (9 bytes). */
export const FILLED_LEFT: usize = 0xa240;
export const MODES_LEFT: usize = 0xa250;
export const WRITTEN_LEFT: usize = 0xa260;

/** One macroblock's samples in 4×4 blocks of 16 bytes: 16 of Y, 4 of U, 4 of V. */
export const SOURCE: usize = 0xa400;
/** Predictions, alike: 4 modes of Y, of U, of V. */
export const LUMA_PREDICTIONS: usize = 0xa600;
export const U_PREDICTIONS: usize = 0xaa00;
export const V_PREDICTIONS: usize = 0xab00;
/** 10 sub-block predictions. */
export const SUBBLOCK_PREDICTIONS: usize = 0xac00;
/** Left columns for predictors. */
export const LEFT_COLUMN: usize = 0xaca0;
/** Coefficients in zigzag order, i16[16] a block: 16 of Y, Y2 at 16, 4 of U and 4 of V behind. */
export const COEFFICIENTS: usize = 0xad00;
export const LEVELS: usize = 0xb100;
/** The same for 4×4 prediction: coefficients of the candidates, levels of the blocks. */
export const SUBBLOCK_COEFFICIENTS: usize = 0xb500;
export const SUBBLOCK_LEVELS: usize = 0xb700;
export const CANDIDATE_LEVELS: usize = 0xb900;
/** u8[16]: chosen sub-block modes. */
export const SUBBLOCK_MODES: usize = 0xba80;
/** i32[10]: scores of sub-block modes. */
export const SCORES: usize = 0xbaa0;
/** i16[16]: DC terms rebuilt from Y2. */
export const REBUILT_DC: usize = 0xbb00;
/** Trellis: i32[16] of steps. */
export const TRELLIS: usize = 0xbb40;
/** u16[25]: which coefficients of each block are not zero. */
export const MASKS: usize = 0xbbc0;
/** Contexts while 4×4 prediction is tried: above (4 bytes), left (4 bytes). */
export const TRIED_ABOVE: usize = 0xbc00;
export const TRIED_LEFT: usize = 0xbc08;
/** Where a block goes that nobody wants. */
export const WASTE: usize = 0xbc20;
/** u16[16]: like `MASKS`, of luma in 4×4 prediction. */
export const SUBBLOCK_MASKS: usize = 0xbc40;
/** Decisions for the entropy coder: u16 each, probability and bit << 8. */
export const DECISIONS: usize = 0xc000;
export const DECISIONS_BYTES: usize = 0x6000;
export const ENCODER_BYTES: usize = 0x12000;

/** In a segment's quantiser: i16[16] steps and u16[16] of 65536 / step, in zigzag order, of Y, Y2 and chroma. */
export const Y_STEPS: usize = 0;
export const Y2_STEPS: usize = 64;
export const CHROMA_STEPS: usize = 128;
/** f64 each: multiplier for Y, Y2, chroma. */
export const LAMBDA: usize = 192;
/** i32 each: 4 × multiplier a bit for the trellis of Y (16×16), Y (4×4), Y2, chroma. */
export const TRELLIS_LAMBDA_16: usize = 200;
export const TRELLIS_LAMBDA_4: usize = 204;
export const TRELLIS_LAMBDA_Y2: usize = 208;
export const TRELLIS_LAMBDA_CHROMA: usize = 212;
/** i32: sum of absolute transformed differences that a bit is worth, × 256. */
export const SATD_LAMBDA: usize = 216;
/** f64 */
export const LAMBDA_CHROMA: usize = 224;
