/** The exports of `kernels/assembly/vp8-encode.ts`. `encoder` is the pointer to its state. */
export interface Vp8Kernel {
  /** Encodes 16 rows of RGBA: appends modes and levels. */
  encodeRow(encoder: number, row: number): void;
  /** Fits the probabilities to the tokens counted so far, and the costs that modes and levels are weighed with. */
  refreshCosts(encoder: number): void;
  startPartition(encoder: number): void;
  /** Codes all levels that wait; 0 when there was no more room. */
  writeWaiting(encoder: number): number;
  /** Codes `count` bits of even probability. */
  literal(encoder: number, value: number, count: number): void;
  /** Codes the end of the frame header and the modes that start at a pointer. */
  writeHeaderEnd(encoder: number, modes: number): void;
  finishPartition(encoder: number): void;
}

/** The words of the kernel's `Encoder` struct that the host reads or writes: index of 4 bytes. */
export const word = {
  mbWidth: 0,
  mbHeight: 1,
  rgba: 2,
  sourceY: 3,
  sourceU: 4,
  sourceV: 5,
  lumaOut: 6,
  uOut: 7,
  vOut: 8,
  lumaStride: 9,
  chromaStride: 10,
  modesAbove: 11,
  filledAbove: 12,
  writtenAbove: 13,
  modes: 14,
  modesEnd: 15,
  levels: 16,
  levelsStart: 17,
  out: 18,
  outStart: 19,
  outLimit: 20,
  candidates: 21,
  hasAlpha: 22,
  writtenColumn: 23,
  levelsRead: 24,
  modesRead: 25,
  segments: 26,
  /** f64 */
  modeBudget: 28,
  /** f64 */
  modeBits: 30,
  /** u32[4] */
  inSegment: 36,
  skipped: 40,
  /** u32[3] */
  segmentProbabilities: 41,
  skipProbability: 44,
  /** i32[3] */
  activity: 45,
} as const;

/** Offsets of the fixed tables behind the struct, in bytes. */
export const table = {
  bitCosts: 0x400,
  tokens: 0x620,
  subblockProbabilities: 0x680,
  subblockCosts: 0xa40,
  defaultProbabilities: 0x1240,
  updateProbabilities: 0x1680,
  counts: 0x1f00,
  quantisers: 0x9e00,
  lumaModeCosts: 0xa200,
  chromaModeCosts: 0xa208,
  subblockChoiceCost: 0xa210,
  bands: 0xa220,
  end: 0x12000,
} as const;
