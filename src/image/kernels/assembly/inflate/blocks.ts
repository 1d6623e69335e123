import { Alphabet, makeTable } from './code-table';
import { CODE_BITS, DISTANCE_BITS, drop, has, Inflater, Layout, LITERAL_BITS, Mode, Outcome, take } from './state';

/** The header of the zlib stream (RFC 1950, 2.2). */
export function readHeader(state: Inflater): i32 {
  if (!has(state, 16)) return Outcome.starved;
  const method = take(state, 8);
  const flags = take(state, 8);
  if ((method & 15) != 8 || method >> 4 > 7 || ((method << 8) | flags) % 31 != 0 || flags & 32) return Outcome.damaged;
  state.mode = Mode.block;
  return Outcome.onward;
}

/** The header of a block (RFC 1951, 3.2.3). */
export function readBlock(state: Inflater): i32 {
  if (state.lastBlock) {
    drop(state, state.bitCount & 7);
    state.mode = Mode.checksum;
    return Outcome.onward;
  }
  if (!has(state, 3)) return Outcome.starved;
  state.lastBlock = take(state, 1);
  const type = take(state, 2);
  if (type == 3) return Outcome.damaged;
  if (type == 1) useFixedCodes(state);
  state.mode = type == 0 ? Mode.storedSize : type == 1 ? Mode.symbols : Mode.sizes;
  if (type == 0) drop(state, state.bitCount & 7);
  return Outcome.onward;
}

/** The size of a stored block (3.2.4). */
export function readStoredSize(state: Inflater): i32 {
  if (!has(state, 32)) return Outcome.starved;
  const size = take(state, 16);
  if ((size ^ take(state, 16)) != 0xffff) return Outcome.damaged;
  state.stored = size;
  state.mode = Mode.stored;
  return Outcome.onward;
}

export function readStored(state: Inflater): i32 {
  // What was read ahead belongs to the block, or to what follows it.
  while (state.stored > 0 && state.bitCount >= 8) {
    if (state.out >= state.outEnd) return Outcome.full;
    store<u8>(state.out++, take(state, 8));
    state.stored--;
  }
  const size = min(<usize>state.stored, min(state.inputEnd - state.input, state.outEnd - state.out));
  memory.copy(state.out, state.input, size);
  state.out += size;
  state.input += size;
  state.stored -= <u32>size;
  if (state.stored > 0) return state.out >= state.outEnd ? Outcome.full : Outcome.starved;
  state.mode = Mode.block;
  return Outcome.onward;
}

/** How many codes a dynamic block has (3.2.7). */
export function readSizes(state: Inflater): i32 {
  if (!has(state, 14)) return Outcome.starved;
  state.literalCodes = take(state, 5) + 257;
  state.distanceCodes = take(state, 5) + 1;
  state.codeCodes = take(state, 4) + 4;
  if (state.literalCodes > 286 || state.distanceCodes > 30) return Outcome.damaged;
  state.read = 0;
  memory.fill(changetype<usize>(state) + Layout.lengths, 0, 19);
  state.mode = Mode.codeLengths;
  return Outcome.onward;
}

/** Which code length is the one at `index` of the file: 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15. */
function codeOrder(index: i32): i32 {
  if (index < 3) return 16 + index;
  if (index == 3) return 0;
  return index & 1 ? 7 - ((index - 5) >> 1) : 8 + ((index - 4) >> 1);
}

export function readCodeLengths(state: Inflater): i32 {
  const work = changetype<usize>(state);
  for (; state.read < state.codeCodes; state.read++) {
    if (!has(state, 3)) return Outcome.starved;
    store<u8>(work + Layout.lengths + codeOrder(state.read), take(state, 3));
  }
  const codes = work + Layout.codes;
  state.codeBits = makeTable(work, Alphabet.codes, work + Layout.lengths, 19, CODE_BITS, codes);
  if (state.codeBits == 0) return Outcome.damaged;
  state.read = 0;
  state.mode = Mode.lengths;
  return Outcome.onward;
}

/** The code lengths of both alphabets, which run on from one to the other (3.2.7). */
export function readLengths(state: Inflater): i32 {
  const work = changetype<usize>(state);
  const lengths = work + Layout.lengths;
  const total = state.literalCodes + state.distanceCodes;
  while (state.read < total) {
    // A code of up to 7 bits and up to 7 extra ones.
    has(state, 14);
    const mask: u32 = (1 << state.codeBits) - 1;
    const entry = load<u32>(work + Layout.codes + (<usize>(<u32>state.bits & mask) << 2));
    const symbol = entry >> 16;
    const size = <i32>(entry & 63);
    if (entry & 0x8000) return Outcome.damaged;
    const extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
    if (state.bitCount < size + extra) return Outcome.starved;
    drop(state, size);
    if (symbol < 16) {
      store<u8>(lengths + state.read++, symbol);
      continue;
    }
    const times = <i32>take(state, extra) + (symbol == 18 ? 11 : 3);
    if (state.read + times > total || (symbol == 16 && state.read == 0)) return Outcome.damaged;
    const value = symbol == 16 ? load<u8>(lengths + state.read - 1) : 0;
    memory.fill(lengths + state.read, value, times);
    state.read += times;
  }
  return useDynamicCodes(state);
}

function useDynamicCodes(state: Inflater): i32 {
  const work = changetype<usize>(state);
  const lengths = work + Layout.lengths;
  // A block that cannot end.
  if (load<u8>(lengths + 256) == 0) return Outcome.damaged;
  state.literals = work + Layout.literals;
  state.distances = work + Layout.distances;
  state.literalBits = makeTable(
    work, Alphabet.literals, lengths, state.literalCodes, LITERAL_BITS, state.literals,
  );
  state.distanceBits = makeTable(
    work, Alphabet.distances, lengths + state.literalCodes, state.distanceCodes, DISTANCE_BITS, state.distances,
  );
  state.mode = Mode.symbols;
  return state.literalBits == 0 || state.distanceBits == 0 ? Outcome.damaged : Outcome.onward;
}

/** The codes of RFC 1951, 3.2.6, made for the first block that uses them. */
function useFixedCodes(state: Inflater): void {
  const work = changetype<usize>(state);
  const lengths = work + Layout.lengths;
  state.literals = work + Layout.fixedLiterals;
  state.distances = work + Layout.fixedDistances;
  state.literalBits = 9;
  state.distanceBits = 5;
  if (state.fixedMade) return;
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  makeTable(work, Alphabet.literals, lengths, 288, LITERAL_BITS, state.literals);
  memory.fill(lengths, 5, 32);
  makeTable(work, Alphabet.distances, lengths, 32, DISTANCE_BITS, state.distances);
  state.fixedMade = 1;
}

/** The checksum at the end (RFC 1950, 2.2): the highest byte first. */
export function readChecksum(state: Inflater): i32 {
  if (!has(state, 32)) return Outcome.starved;
  const stored = bswap<u32>(<u32>state.bits);
  drop(state, 32);
  if (stored != ((state.sumB << 16) | state.sumA)) return Outcome.damaged;
  state.mode = Mode.done;
  return Outcome.done;
}
