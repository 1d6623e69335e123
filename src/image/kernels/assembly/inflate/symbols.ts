import { END_OF_BLOCK, LINK, LITERAL, OTHER } from './code-table';
import { Inflater, Layout, Mode, Outcome, refill, ROOM } from './state';

/** Input that a turn of the fast loop may look at. */
const AHEAD: usize = 16;

@inline
function find(table: usize, bits: u64, mask: u32): u32 {
  return load<u32>(table + (<usize>(<u32>bits & mask) << 2));
}

/** The entry of the second level. */
@inline
function follow(table: usize, link: u32, bits: u64): u32 {
  return load<u32>(table + (<usize>((link >> 16 & 0x3fff) + (<u32>bits & ((1 << (link >> 8 & 15)) - 1))) << 2));
}

/** The value of a length or distance, its extra bits added. */
@inline
function valueOf(entry: u32, bits: u64): u32 {
  const all = <u32>bits & ((1 << (entry & 63)) - 1);
  return (entry >> 16) + (all >> (entry >> 8 & 15));
}

/** Repeats `length` bytes from `distance` back; may write up to 16 bytes more. */
@inline
function copy(work: usize, out: usize, distance: usize, length: usize): void {
  const end = out + length;
  let from = out - distance;
  if (distance >= 16) {
    do {
      v128.store(out, v128.load(from));
      out += 16;
      from += 16;
    } while (out < end);
    return;
  }
  const pattern = v128.swizzle(v128.load(from), v128.load(work + Layout.patterns + (distance << 4)));
  const stride = <usize>load<u8>(work + Layout.strides + distance);
  do {
    v128.store(out, pattern);
    out += stride;
  } while (out < end);
}

/** Decodes symbols while there is plenty of input and room. Returns an outcome of the block, or `onward`. */
function fastSymbols(state: Inflater): i32 {
  const work = changetype<usize>(state);
  const literals = state.literals;
  const literalMask: u32 = (1 << state.literalBits) - 1;
  const distances = state.distances;
  const distanceMask: u32 = (1 << state.distanceBits) - 1;
  const window = state.window;
  const inputLimit = state.inputEnd - AHEAD;
  const outLimit = state.outEnd - ROOM;
  let input = state.input;
  let out = state.out;
  let bits = state.bits;
  let count = state.bitCount;
  let outcome = Outcome.onward;
  while (input <= inputLimit && out <= outLimit) {
    // Bits above the count are those that follow, so that adding them again changes nothing.
    bits |= load<u64>(input) << count;
    input += (63 - count) >> 3;
    count |= 56;
    let entry = find(literals, bits, literalMask);
    if (entry & LITERAL) {
      bits >>= entry & 63;
      count -= entry & 63;
      store<u8>(out++, entry >> 16);
      entry = find(literals, bits, literalMask);
      if (entry & LITERAL) {
        bits >>= entry & 63;
        count -= entry & 63;
        store<u8>(out++, entry >> 16);
        entry = find(literals, bits, literalMask);
        if (entry & LITERAL) {
          bits >>= entry & 63;
          count -= entry & 63;
          store<u8>(out++, entry >> 16);
          continue;
        }
      }
    }
    if (entry & OTHER) {
      if ((entry & LINK) == LINK) {
        bits >>= entry & 63;
        count -= entry & 63;
        entry = follow(literals, entry, bits);
        if (entry & LITERAL) {
          bits >>= entry & 63;
          count -= entry & 63;
          store<u8>(out++, entry >> 16);
          continue;
        }
      }
      if (entry & OTHER) {
        bits >>= entry & 63;
        count -= entry & 63;
        outcome = (entry & END_OF_BLOCK) == END_OF_BLOCK ? Outcome.done : Outcome.damaged;
        break;
      }
    }
    const length = valueOf(entry, bits);
    bits >>= entry & 63;
    count -= entry & 63;
    bits |= load<u64>(input) << count;
    input += (63 - count) >> 3;
    count |= 56;
    entry = find(distances, bits, distanceMask);
    if (entry & OTHER) {
      if ((entry & LINK) == LINK) {
        bits >>= entry & 63;
        count -= entry & 63;
        entry = follow(distances, entry, bits);
      }
      if (entry & OTHER) {
        outcome = Outcome.damaged;
        break;
      }
    }
    const distance = <usize>valueOf(entry, bits);
    bits >>= entry & 63;
    count -= entry & 63;
    if (distance > out - window) {
      outcome = Outcome.damaged;
      break;
    }
    copy(work, out, distance, length);
    out += length;
  }
  state.input = input;
  state.out = out;
  state.bits = bits & (((<u64>1) << count) - 1);
  state.bitCount = count;
  return outcome;
}

/** Decodes one symbol, or none where its bits are not all there. */
function oneSymbol(state: Inflater): i32 {
  refill(state);
  let bits = state.bits;
  let left = state.bitCount;
  let entry = find(state.literals, bits, (1 << state.literalBits) - 1);
  if ((entry & (LITERAL | LINK)) == LINK) {
    bits >>= entry & 63;
    left -= entry & 63;
    entry = follow(state.literals, entry, bits);
  }
  const length = valueOf(entry & ~LITERAL, bits);
  bits >>= entry & 63;
  left -= entry & 63;
  if (left < 0) return Outcome.starved;
  if (entry & LITERAL) {
    store<u8>(state.out++, entry >> 16);
  } else if (entry & OTHER) {
    if ((entry & END_OF_BLOCK) != END_OF_BLOCK) return Outcome.damaged;
    state.bits = bits;
    state.bitCount = left;
    return Outcome.done;
  } else {
    entry = find(state.distances, bits, (1 << state.distanceBits) - 1);
    if ((entry & LINK) == LINK) {
      bits >>= entry & 63;
      left -= entry & 63;
      entry = follow(state.distances, entry, bits);
    }
    const distance = <usize>valueOf(entry, bits);
    bits >>= entry & 63;
    left -= entry & 63;
    if (left < 0) return Outcome.starved;
    if (entry & OTHER || distance > state.out - state.window) return Outcome.damaged;
    copy(changetype<usize>(state), state.out, distance, length);
    state.out += length;
  }
  state.bits = bits;
  state.bitCount = left;
  return Outcome.onward;
}

/** Decodes the symbols of a block (RFC 1951, 3.2.3). Returns `onward` behind its end. */
export function readSymbols(state: Inflater): i32 {
  let outcome = Outcome.onward;
  while (outcome == Outcome.onward) {
    if (state.inputEnd - state.input >= AHEAD) outcome = fastSymbols(state);
    if (outcome != Outcome.onward) break;
    if (state.outEnd - state.out < ROOM) return Outcome.full;
    outcome = oneSymbol(state);
  }
  if (outcome != Outcome.done) return outcome;
  state.mode = Mode.block;
  return Outcome.onward;
}
