import {
  DECISIONS,
  DEFAULT_PROBABILITIES,
  Encoder,
  MODES_LEFT,
  PROBABILITIES,
  SUBBLOCK_PROBABILITIES,
  UPDATE_PROBABILITIES,
} from './encoder';
import { codeDecisions, decide, decideLiteral } from './entropy-coder';
import { SKIPPED, SUBBLOCKS } from './macroblock';

/** Codes which coefficient probabilities change, and the skip probability: the end of the frame header (§9.9–9.11). */
export function writeProbabilities(e: Encoder): void {
  const base = changetype<usize>(e);
  for (let type: usize = 0; type < 4; type++) {
    let to = base + DECISIONS;
    for (let i: usize = type * 264; i < type * 264 + 264; i++) {
      const p = <i32>load<u8>(base + PROBABILITIES + i);
      const update = <i32>load<u8>(base + UPDATE_PROBABILITIES + i);
      const changed = p != <i32>load<u8>(base + DEFAULT_PROBABILITIES + i);
      to = decide(to, update, changed ? 1 : 0);
      if (changed) to = decideLiteral(to, p, 8);
    }
    codeDecisions(e, to);
  }
  let to = decideLiteral(base + DECISIONS, 1, 1);
  to = decideLiteral(to, e.skipProbability, 8);
  codeDecisions(e, to);
}

/** Codes `count` bits of a value with even probability. */
export function writeLiteral(e: Encoder, value: i32, count: i32): void {
  codeDecisions(e, decideLiteral(changetype<usize>(e) + DECISIONS, value, count));
}

/** Codes the modes of all macroblocks (RFC 6386 §11, §19.3). */
export function writeModes(e: Encoder, start: usize): void {
  const base = changetype<usize>(e);
  const left = base + MODES_LEFT;
  memory.fill(e.modesAbove, 0, <usize>(e.mbWidth << 2));
  let at = start;
  let x = 0;
  while (at < e.modesEnd) {
    if (x == 0) store<u32>(left, 0);
    const above = e.modesAbove + <usize>(x << 2);
    const head = <i32>load<u8>(at++);
    let to = base + DECISIONS;
    if (e.segments > 1) {
      const segment = head & 3;
      to = decide(to, e.segmentProbability0, segment >> 1);
      to = decide(to, segment >> 1 ? e.segmentProbability2 : e.segmentProbability1, segment & 1);
    }
    to = decide(to, e.skipProbability, head & SKIPPED ? 1 : 0);
    if (head & SUBBLOCKS) {
      to = decide(to, 145, 0);
      to = listSubblocks(base, to, at, above, left);
      at += 8;
    } else {
      to = listLumaMode(to, (head >> 4) & 3, above, left);
    }
    to = listChromaMode(to, head >> 6);
    codeDecisions(e, to);
    if (++x == e.mbWidth) x = 0;
  }
}

function listLumaMode(to: usize, mode: i32, above: usize, left: usize): usize {
  to = decide(to, 145, 1);
  to = decide(to, 156, mode >> 1);
  to = decide(to, mode >> 1 ? 128 : 163, mode & 1);
  const subblocks = ((0x01_03_02_00 >> (mode << 3)) & 255) * 0x01010101;
  store<u32>(above, subblocks);
  store<u32>(left, subblocks);
  return to;
}

function listChromaMode(to: usize, mode: i32): usize {
  to = decide(to, 142, mode > 0 ? 1 : 0);
  if (mode > 0) to = decide(to, 114, mode > 1 ? 1 : 0);
  return mode > 1 ? decide(to, 183, mode - 2) : to;
}

function listSubblocks(base: usize, to: usize, at: usize, above: usize, left: usize): usize {
  for (let b: usize = 0; b < 16; b++) {
    const mode = (<i32>load<u8>(at + (b >> 1)) >> (<i32>(b & 1) << 2)) & 15;
    const over = above + (b & 3);
    const before = left + (b >> 2);
    const p = base + SUBBLOCK_PROBABILITIES + <usize>((<i32>load<u8>(over) * 10 + <i32>load<u8>(before)) * 9);
    to = listSubblock(to, p, mode);
    store<u8>(over, mode);
    store<u8>(before, mode);
  }
  return to;
}

/** §11.2: bmode_tree, its nodes in the order of their probabilities. */
function listSubblock(to: usize, p: usize, mode: i32): usize {
  to = decide(to, load<u8>(p), mode != 0 ? 1 : 0);
  if (mode == 0) return to;
  to = decide(to, load<u8>(p, 1), mode != 1 ? 1 : 0);
  if (mode == 1) return to;
  to = decide(to, load<u8>(p, 2), mode != 2 ? 1 : 0);
  if (mode == 2) return to;
  // HE 3, RD 5, VR 6 on one side; LD 4, VL 7, HD 8, HU 9 on the other.
  const steep = mode == 4 || mode > 6;
  to = decide(to, load<u8>(p, 3), steep ? 1 : 0);
  if (!steep) {
    to = decide(to, load<u8>(p, 4), mode != 3 ? 1 : 0);
    return mode == 3 ? to : decide(to, load<u8>(p, 5), mode - 5);
  }
  to = decide(to, load<u8>(p, 6), mode != 4 ? 1 : 0);
  if (mode == 4) return to;
  to = decide(to, load<u8>(p, 7), mode != 7 ? 1 : 0);
  return mode == 7 ? to : decide(to, load<u8>(p, 8), mode - 8);
}
