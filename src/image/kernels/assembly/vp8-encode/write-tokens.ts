import {
  BANDS,
  DECISIONS,
  Encoder,
  PROBABILITIES,
  WRITTEN_LEFT,
} from './encoder';
import { codeDecisions, decide } from './entropy-coder';

/** Whether all listed macroblocks were coded, or the room was used up first. */
const DONE: i32 = 1;
const FULL: i32 = 0;

/** Codes the coefficients of the macroblocks that wait in compact form. @returns 0: no more room, call again; 1: done */
export function writeTokens(e: Encoder): i32 {
  const left = changetype<usize>(e) + WRITTEN_LEFT;
  while (e.modesRead < e.modesEnd) {
    if (e.out > e.outLimit) return FULL;
    const head = <i32>load<u8>(e.modesRead);
    const subblocks = (head & 4) != 0;
    e.modesRead += subblocks ? 9 : 1;
    const above = e.writtenAbove + (<usize>e.writtenColumn << 4);
    if (e.writtenColumn == 0) memory.fill(left, 0, 16);
    if (++e.writtenColumn == e.mbWidth) e.writtenColumn = 0;
    if ((head & 8) != 0) {
      clear(above, left, !subblocks);
      continue;
    }
    const mask = load<u32>(e.levelsRead);
    e.levelsRead += 4;
    codeDecisions(e, listMacroblock(e, mask, subblocks, above, left));
  }
  return DONE;
}

/** Contexts behind a skipped macroblock: that of Y2 stays where there is none. */
@inline
export function clear(above: usize, left: usize, hasY2: bool): void {
  store<u64>(above, 0);
  store<u64>(left, 0);
  if (hasY2) {
    store<u8>(above, 0, 8);
    store<u8>(left, 0, 8);
  }
}

function listMacroblock(e: Encoder, mask: u32, subblocks: bool, above: usize, left: usize): usize {
  let to = changetype<usize>(e) + DECISIONS;
  let type = 3;
  let first = 0;
  if (!subblocks) {
    to = listBlock(e, to, (mask >> 24) & 1, 1, 0, above + 8, left + 8);
    type = 0;
    first = 1;
  }
  for (let b = 0; b < 16; b++) {
    to = listBlock(e, to, (mask >> b) & 1, type, first, above + <usize>(b & 3), left + <usize>(b >> 2));
  }
  for (let b = 0; b < 8; b++) {
    const plane = 4 + ((b >> 2) << 1);
    to = listBlock(
      e, to, (mask >> (16 + b)) & 1, 2, 0, above + <usize>(plane + (b & 1)), left + <usize>(plane + ((b >> 1) & 1)),
    );
  }
  return to;
}

/** Lists the decisions of one block's tokens (RFC 6386 §13). */
function listBlock(e: Encoder, to: usize, filled: u32, type: i32, first: i32, above: usize, left: usize): usize {
  const base = changetype<usize>(e);
  const context = <i32>load<u8>(above) + <i32>load<u8>(left);
  store<u8>(above, filled);
  store<u8>(left, filled);
  const ofType = base + PROBABILITIES + <usize>(type * 264);
  let p = ofType + <usize>load<u8>(base + BANDS + <usize>first) * 33 + <usize>(context * 11);
  if (!filled) return decide(to, load<u8>(p), 0);
  let n = first;
  let at = e.levelsRead;
  for (;;) {
    const head = <i32>load<u8>(at++);
    to = decide(to, load<u8>(p), 1);
    for (let run = head >> 4; run > 0; run--) {
      to = decide(to, load<u8>(p, 1), 0);
      n++;
      p = ofType + <usize>load<u8>(base + BANDS + <usize>n) * 33;
    }
    to = decide(to, load<u8>(p, 1), 1);
    let size = (head & 3) + 1;
    if (size == 4) {
      const more = <i32>load<u8>(at++);
      size += more;
      if (more == 255) {
        size = <i32>load<u16>(at) + 4;
        at += 2;
      }
    }
    to = size == 1 ? decide(to, load<u8>(p, 2), 0) : listSize(to, p, size);
    to = decide(to, 128, (head >> 2) & 1);
    n++;
    if (n < 16) p = ofType + <usize>load<u8>(base + BANDS + <usize>n) * 33 + (size == 1 ? 11 : 22);
    if ((head & 8) != 0) break;
  }
  e.levelsRead = at;
  return n < 16 ? decide(to, load<u8>(p), 0) : to;
}

/** A size of 2 and more: the rest of the token tree and the extra bits of its category (§13.2). */
function listSize(to: usize, p: usize, size: i32): usize {
  to = decide(to, load<u8>(p, 2), 1);
  if (size < 5) {
    to = decide(to, load<u8>(p, 3), 0);
    if (size == 2) return decide(to, load<u8>(p, 4), 0);
    to = decide(to, load<u8>(p, 4), 1);
    return decide(to, load<u8>(p, 5), size - 3);
  }
  to = decide(to, load<u8>(p, 3), 1);
  if (size < 11) {
    to = decide(to, load<u8>(p, 6), 0);
    to = decide(to, load<u8>(p, 7), size < 7 ? 0 : 1);
    if (size < 7) return decide(to, 159, size - 5);
    to = decide(to, 165, (size - 7) >> 1);
    return decide(to, 145, (size - 7) & 1);
  }
  to = decide(to, load<u8>(p, 6), 1);
  to = decide(to, load<u8>(p, 8), size < 35 ? 0 : 1);
  if (size < 35) {
    to = decide(to, load<u8>(p, 9), size < 19 ? 0 : 1);
    // Extra bits' probabilities, one byte each, the first in the lowest.
    return size < 19 ? listExtra(to, size - 11, 3, 0x8c_94_ad) : listExtra(to, size - 19, 4, 0x87_8c_9b_b0);
  }
  to = decide(to, load<u8>(p, 10), size < 67 ? 0 : 1);
  if (size < 67) return listExtra(to, size - 35, 5, 0x82_86_8d_9d_b4);
  to = listExtra(to, (size - 67) >> 3, 8, 0x8c_99_b1_c4_e6_f3_fe_fe);
  return listExtra(to, (size - 67) & 7, 3, 0x81_82_85);
}

@inline
function listExtra(to: usize, value: i32, count: i32, probabilities: u64): usize {
  for (let i = count - 1; i >= 0; i--) {
    to = decide(to, <i32>(probabilities & 255), (value >> i) & 1);
    probabilities >>= 8;
  }
  return to;
}
