import { encodeChroma } from './chroma';
import {
  CHROMA_MODE_COSTS,
  Encoder,
  FILLED_LEFT,
  LEVELS,
  LUMA_MODE_COSTS,
  MASKS,
  MODES_LEFT,
  QUANTISER_BYTES,
  QUANTISERS,
  SOURCE,
  SUBBLOCK_CHOICE_COST,
  SUBBLOCK_COSTS,
  SUBBLOCK_LEVELS,
  SUBBLOCK_MASKS,
  SUBBLOCK_MODES,
} from './encoder';
import { countEnd, recordBlock } from './levels';
import { chooseLumaMode, predictLuma, rebuildLuma, tryLumaMode } from './luma-square';
import { trySubblocks } from './luma-subblocks';
import { loadBlock } from './transform';
import { clear } from './write-tokens';

/** Flags in the first byte of a macroblock's modes: segment, 4 × 4×4 prediction, 8 × skipped, luma mode << 4, chroma mode << 6. */
export const SUBBLOCKS: i32 = 4;
export const SKIPPED: i32 = 8;

/** Codes one macroblock as far as modes and levels. */
export function encodeMacroblock(e: Encoder, mbX: i32, mbY: i32): void {
  const base = changetype<usize>(e);
  const above = e.filledAbove + <usize>(mbX << 4);
  const picture = e.lumaOut + <usize>(mbX << 4);
  loadSource(e, mbX);
  const activity = predictLuma(e, picture, mbX, mbY);
  const segment = segmentOf(e, activity);
  const quantiser = base + QUANTISERS + <usize>segment * QUANTISER_BYTES;
  const mode = chooseLumaMode(e, quantiser);
  const whole = tryLumaMode(e, quantiser, mode, above);
  const divided = mayDivide(e, mbX, mbY) && trySubblocks(e, quantiser, mbX, picture, above, whole) < whole;
  if (!divided) rebuildLuma(e, quantiser, mode, picture);
  const chromaMode = encodeChroma(e, quantiser, mbX, mbY, above);
  const head = segment | (divided ? SUBBLOCKS : 0) | (mode << 4) | (chromaMode << 6);
  const filled = record(e, divided, above);
  if (!filled) e.skipped++;
  noteSegment(e, segment);
  noteModes(e, head | (filled ? 0 : SKIPPED), mbX);
}

/**
 * Whether there is room for sub-block modes in the first partition, whose size is limited: what was used up may not be more
 * than the share of the macroblocks so far. One without them never takes more than its share, up to some 100 megapixels.
 */
@inline
function mayDivide(e: Encoder, mbX: i32, mbY: i32): bool {
  const share = <f64>(mbY * e.mbWidth + mbX + 1) / <f64>(e.mbWidth * e.mbHeight);
  return e.modeBits < e.modeBudget * share;
}

function loadSource(e: Encoder, mbX: i32): void {
  const to = changetype<usize>(e) + SOURCE;
  const stride = <usize>(e.mbWidth << 4);
  const luma = e.sourceY + <usize>(mbX << 4);
  for (let b: usize = 0; b < 16; b++) {
    v128.store(to + (b << 4), loadBlock(luma + (b >> 2) * 4 * stride + ((b & 3) << 2), stride));
  }
  const half = stride >> 1;
  for (let b: usize = 0; b < 4; b++) {
    const at = <usize>(mbX << 3) + (b >> 1) * 4 * half + ((b & 1) << 2);
    v128.store(to + 256 + (b << 4), loadBlock(e.sourceU + at, half));
    v128.store(to + 320 + (b << 4), loadBlock(e.sourceV + at, half));
  }
}

/** Segment 0 is the busiest. */
@inline
function segmentOf(e: Encoder, activity: i32): i32 {
  if (activity < e.activity1) return 3;
  if (activity < e.activity2) return 2;
  return activity < e.activity3 ? 1 : 0;
}

@inline
function noteSegment(e: Encoder, segment: i32): void {
  const at = changetype<usize>(e) + offsetof<Encoder>('inSegment0') + <usize>(segment << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Records the levels of all blocks and what they leave as contexts. @returns whether there are any */
function record(e: Encoder, divided: bool, above: usize): bool {
  const base = changetype<usize>(e);
  const left = base + FILLED_LEFT;
  const lumaMasks = base + (divided ? SUBBLOCK_MASKS : MASKS);
  let present: u32 = 0;
  for (let b: usize = 0; b < 16; b++) if (load<u16>(lumaMasks + (b << 1))) present |= 1 << <u32>b;
  if (!divided && load<u16>(base + MASKS, 32)) present |= 1 << 24;
  for (let b: usize = 0; b < 8; b++) if (load<u16>(base + MASKS + 34 + (b << 1))) present |= 1 << <u32>(b + 16);
  if (present == 0) {
    clear(above, left, !divided);
    return false;
  }
  store<u32>(e.levels, present);
  e.levels += 4;
  if (!divided) recordOne(e, base + LEVELS + 512, load<u16>(base + MASKS, 32), 0, 1, above + 8, left + 8);
  const luma = base + (divided ? SUBBLOCK_LEVELS : LEVELS);
  const type = divided ? 3 : 0;
  const first = divided ? 0 : 1;
  for (let b: usize = 0; b < 16; b++) {
    recordOne(e, luma + (b << 5), load<u16>(lumaMasks + (b << 1)), first, type, above + (b & 3), left + (b >> 2));
  }
  for (let b: usize = 0; b < 8; b++) {
    const plane = 4 + ((b >> 2) << 1);
    const mask = <i32>load<u16>(base + MASKS + 34 + (b << 1));
    recordOne(e, base + LEVELS + ((17 + b) << 5), mask, 0, 2, above + plane + (b & 1), left + plane + ((b >> 1) & 1));
  }
  return true;
}

@inline
function recordOne(e: Encoder, levels: usize, mask: i32, first: i32, type: i32, above: usize, left: usize): void {
  const context = <i32>load<u8>(above) + <i32>load<u8>(left);
  if (mask) recordBlock(e, levels, mask, first, type, context);
  else countEnd(changetype<usize>(e), first, type, context);
  const filled: u8 = mask ? 1 : 0;
  store<u8>(above, filled);
  store<u8>(left, filled);
}

/** Sub-block modes that a whole macroblock's mode stands for (§11.3): DC, V, H, TM; in all four bytes. */
@inline
function standsFor(mode: i32): u32 {
  // B_DC 0, B_VE 2, B_HE 3, B_TM 1.
  return ((0x01_03_02_00 >> (mode << 3)) & 255) * 0x01010101;
}

/** Records the modes, leaves them as contexts, and counts what they cost. */
function noteModes(e: Encoder, head: i32, mbX: i32): void {
  const base = changetype<usize>(e);
  const modesAbove = e.modesAbove + <usize>(mbX << 2);
  // Segment and skip flag cost at most 3 bits together.
  let bits = 3 * 256 + <i32>load<u16>(base + CHROMA_MODE_COSTS + (<usize>(head >> 6) << 1));
  store<u8>(e.modesEnd, head);
  if (head & SUBBLOCKS) {
    bits += <i32>load<u16>(base + SUBBLOCK_CHOICE_COST);
    for (let b: usize = 0; b < 16; b++) {
      const mode = <usize>load<u8>(base + SUBBLOCK_MODES + b);
      const over = <usize>load<u8>(b < 4 ? modesAbove + b : base + SUBBLOCK_MODES + b - 4);
      const before = <usize>load<u8>((b & 3) == 0 ? base + MODES_LEFT + (b >> 2) : base + SUBBLOCK_MODES + b - 1);
      bits += <i32>load<u16>(base + SUBBLOCK_COSTS + ((over * 10 + before) * 10 + mode) * 2);
    }
    for (let b: usize = 0; b < 8; b++) {
      const pair = base + SUBBLOCK_MODES + (b << 1);
      store<u8>(e.modesEnd + b, load<u8>(pair) | (load<u8>(pair, 1) << 4), 1);
    }
    e.modesEnd += 9;
    store<u32>(modesAbove, load<u32>(base + SUBBLOCK_MODES, 12));
    for (let y: usize = 0; y < 4; y++) {
      store<u8>(base + MODES_LEFT + y, load<u8>(base + SUBBLOCK_MODES + (y << 2), 3));
    }
  } else {
    const mode = (head >> 4) & 3;
    bits += <i32>load<u16>(base + LUMA_MODE_COSTS + <usize>(mode << 1));
    e.modesEnd += 1;
    store<u32>(modesAbove, standsFor(mode));
    store<u32>(base + MODES_LEFT, standsFor(mode));
  }
  e.modeBits += <f64>bits;
}
