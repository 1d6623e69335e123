import { DECISIONS, Encoder } from './encoder';

/*
 * The boolean entropy coder (RFC 6386 §7). What is to be coded is first listed as decisions, u16 each: probability of 0 in
 * the low byte, bit in the high one, so that the coder's state stays in locals while it works through the list.
 */

/** Appends one decision to a list; returns where the next goes. */
@inline
export function decide(at: usize, probability: i32, bit: i32): usize {
  store<u16>(at, probability | (bit << 8));
  return at + 2;
}

/** Appends `count` bits of even probability, the highest first. */
export function decideLiteral(at: usize, value: i32, count: i32): usize {
  for (let i = count - 1; i >= 0; i--) at = decide(at, 128, (value >> i) & 1);
  return at;
}

/** Starts a partition at the place where the coder writes. */
export function startCoder(e: Encoder): void {
  e.low = 0;
  e.range = 255;
  e.pending = 0;
}

/** Codes the listed decisions. The caller has made sure that there is room for them. */
export function codeDecisions(e: Encoder, end: usize): void {
  let low = e.low;
  let range = e.range;
  let pending = e.pending;
  for (let at = changetype<usize>(e) + DECISIONS; at < end; at += 2) {
    const decision = <u32>load<u16>(at);
    const split = 1 + (((range - 1) * (decision & 255)) >> 8);
    if (decision >> 8) {
      low += <u64>split;
      range -= split;
    } else {
      range = split;
    }
    const shift = <i32>clz(range) - 24;
    range <<= shift;
    low <<= <u64>shift;
    pending += shift;
    if (pending >= 32) {
      const rest = <u64>(pending - 24);
      const word = low >> rest;
      low &= (<u64>1 << rest) - 1;
      pending -= 32;
      if (word >> 32) carry(e.out);
      store<u32>(e.out, bswap<u32>(<u32>word));
      e.out += 4;
    }
  }
  e.low = low;
  e.range = range;
  e.pending = pending;
}

/** Adds one to the number that was written so far. */
function carry(end: usize): void {
  let at = end - 1;
  while (load<u8>(at) == 255) {
    store<u8>(at, 0);
    at--;
  }
  store<u8>(at, load<u8>(at) + 1);
}

/** Writes what the coder still holds. */
export function finishCoder(e: Encoder): void {
  // `pending` bits and the 8 of the range's window; the last byte is filled with zeros.
  let bits = e.pending + 8;
  if ((e.low >> <u64>bits) != 0) carry(e.out);
  const fill = (8 - (bits & 7)) & 7;
  const value = e.low << <u64>fill;
  bits += fill;
  while (bits > 0) {
    bits -= 8;
    store<u8>(e.out++, <u8>(value >> <u64>bits));
  }
}
