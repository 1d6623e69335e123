import { makeCodes, makeLengths } from './huffman';
import { count, CODE_LENGTHS, DISTANCES, Layout, LITERALS } from './state';

/** The longest code of the alphabet of code lengths (RFC 1951, 3.2.7). */
const LIMIT: i32 = 7;
/** Ways to use its three symbols for repetitions: each of them or not. */
const WAYS: i32 = 8;

/** Which code length is the one at `index` of a block's head: 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15. */
@inline
export function codeOrder(index: i32): i32 {
  if (index < 3) return 16 + index;
  if (index == 3) return 0;
  return index & 1 ? 7 - ((index - 5) >> 1) : 8 + ((index - 4) >> 1);
}

/** Codes of an alphabet that are described: all up to the last that is used, but so many at the least. */
export function described(lengths: usize, symbols: i32, least: i32): i32 {
  while (symbols > least && load<u8>(lengths + symbols - 1) == 0) symbols--;
  return symbols;
}

@inline
function describe(work: usize, index: i32, symbol: i32, extra: i32): i32 {
  store<u16>(work + Layout.description + (<usize>index << 1), symbol | (extra << 8));
  count(work + Layout.descriptionTally, symbol);
  return index + 1;
}

@inline
function lengthAt(lengths: usize, literals: i32, index: i32): i32 {
  return load<u8>(lengths + (index < literals ? index : index - literals + LITERALS));
}

/** Writes the lengths of both alphabets as symbols, with repetitions as `way` allows: bit 0 is symbol 16, 1 is 17, 2 is 18. */
function writeDescription(work: usize, literals: i32, distances: i32, way: i32): i32 {
  const lengths = work + Layout.lengths;
  const total = literals + distances;
  memory.fill(work + Layout.descriptionTally, 0, 4 * 32);
  let entries = 0;
  for (let i = 0; i < total; ) {
    const length = lengthAt(lengths, literals, i);
    let run = 1;
    while (i + run < total && lengthAt(lengths, literals, i + run) == length) run++;
    i += run;
    if (length == 0) {
      for (; way & 4 && run >= 11; ) {
        const taken = min(run, 138);
        entries = describe(work, entries, 18, taken - 11);
        run -= taken;
      }
      for (; way & 2 && run >= 3; ) {
        const taken = min(run, 10);
        entries = describe(work, entries, 17, taken - 3);
        run -= taken;
      }
    } else if (way & 1 && run >= 4) {
      entries = describe(work, entries, length, 0);
      for (run--; run >= 3; ) {
        // So that nothing is left over that is too short to be repeated.
        const taken = run == 7 || run == 8 ? run - 3 : min(run, 6);
        entries = describe(work, entries, 16, taken - 3);
        run -= taken;
      }
    }
    for (; run > 0; run--) entries = describe(work, entries, length, 0);
  }
  return entries;
}

/** Code lengths of the description's own alphabet that a block's head has. */
export function descriptionCodes(work: usize): i32 {
  let codes = CODE_LENGTHS;
  while (codes > 4 && load<u8>(work + Layout.descriptionLengths + codeOrder(codes - 1)) == 0) codes--;
  return codes;
}

function descriptionBits(work: usize): i32 {
  const lengths = work + Layout.descriptionLengths;
  makeLengths(work, work + Layout.descriptionTally, CODE_LENGTHS, LIMIT, lengths);
  let bits = 14 + 3 * descriptionCodes(work);
  for (let symbol = 0; symbol < CODE_LENGTHS; symbol++) {
    const extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
    const times = <i32>load<u32>(work + Layout.descriptionTally + (<usize>symbol << 2));
    bits += times * (<i32>load<u8>(lengths + symbol) + extra);
  }
  return bits;
}

/**
 * Describes the code lengths of a block (3.2.7) in the way that takes the fewest bits. Returns the bits, and in `entries` of the
 * upper half how many symbols.
 */
export function describeCodes(work: usize): u64 {
  const lengths = work + Layout.lengths;
  const literals = described(lengths, LITERALS, 257);
  const distances = described(lengths + LITERALS, DISTANCES, 1);
  let best = 0;
  let least = i32.MAX_VALUE;
  for (let way = 0; way < WAYS; way++) {
    writeDescription(work, literals, distances, way);
    const bits = descriptionBits(work);
    if (bits >= least) continue;
    least = bits;
    best = way;
  }
  const entries = writeDescription(work, literals, distances, best);
  descriptionBits(work);
  makeCodes(work, work + Layout.descriptionLengths, CODE_LENGTHS, work + Layout.descriptionCodes);
  return (<u64>entries << 32) | <u64>least;
}
