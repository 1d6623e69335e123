/** What the decoder expects next of the stream. */
export namespace Mode {
  export const header: i32 = 0;
  export const block: i32 = 1;
  export const storedSize: i32 = 2;
  export const stored: i32 = 3;
  export const sizes: i32 = 4;
  export const codeLengths: i32 = 5;
  export const lengths: i32 = 6;
  export const symbols: i32 = 7;
  export const checksum: i32 = 8;
  export const done: i32 = 9;
}

/** What `inflate` comes back with. */
export namespace Outcome {
  export const damaged: i32 = -1;
  /** All input is taken in. */
  export const starved: i32 = 0;
  /** There may be no room for one more symbol. */
  export const full: i32 = 1;
  /** The stream has ended and its checksum is right. */
  export const done: i32 = 2;
  /** Of the parts of the decoder: go on with the next one. */
  export const onward: i32 = 3;
}

/** The farthest that a copy reaches back. */
export const HISTORY_BYTES: usize = 32768;
/** What must be free of the window before the next symbols: three literals, or two and the longest copy. */
export const ROOM: usize = 264;
/** Bytes behind the window's limit that a copy in whole vectors may touch. */
export const SLACK: usize = 16;

/** Index bits of the first level of the tables. */
export const LITERAL_BITS: i32 = 11;
export const DISTANCE_BITS: i32 = 9;
export const CODE_BITS: i32 = 7;

/** Entries for both levels: the most that 288 codes of up to 15 bits take is 2342, and 594 for 32 codes. */
const LITERAL_ENTRIES: usize = 2400;
const DISTANCE_ENTRIES: usize = 640;

/** Where things lie in the work region. */
export namespace Layout {
  export const state: usize = 0;
  /** Code lengths of both alphabets. */
  export const lengths: usize = 256;
  /** Symbols in the order of their codes. */
  export const sorted: usize = lengths + 320;
  /** Codes of each length; where each length starts in `sorted`. */
  export const counts: usize = sorted + 2 * 288;
  export const offsets: usize = counts + 2 * 16;
  /** For distances below 16: the bytes of a repeated pattern, and how many of 16 are whole repetitions. */
  export const patterns: usize = offsets + 2 * 16;
  export const strides: usize = patterns + 16 * 16;
  export const codes: usize = strides + 16;
  export const literals: usize = codes + (4 << CODE_BITS);
  export const distances: usize = literals + 4 * LITERAL_ENTRIES;
  export const fixedLiterals: usize = distances + 4 * DISTANCE_ENTRIES;
  export const fixedDistances: usize = fixedLiterals + 4 * LITERAL_ENTRIES;
  export const bytes: usize = fixedDistances + 4 * DISTANCE_ENTRIES;
}

/** The state of one stream, at the start of its work region. */
@unmanaged
export class Inflater {
  /** Bits taken from the input and not used yet, the next one lowest; zeros above `bitCount`. */
  bits: u64;
  bitCount: i32;
  mode: i32;
  input: usize;
  inputEnd: usize;
  window: usize;
  out: usize;
  outEnd: usize;
  /** Up to where the checksum has come. */
  summed: usize;
  sumA: u32;
  sumB: u32;
  lastBlock: i32;
  /** Bytes of a stored block that are still to come. */
  stored: u32;
  literalCodes: i32;
  distanceCodes: i32;
  codeCodes: i32;
  /** Code lengths read so far. */
  read: i32;
  codeBits: i32;
  /** The tables of this block and their index bits. */
  literals: usize;
  literalBits: i32;
  distances: usize;
  distanceBits: i32;
  fixedMade: i32;
}

/** Moves whole bytes of input into the bits, as many as fit. */
@inline
export function refill(state: Inflater): void {
  let bits = state.bits;
  let count = state.bitCount;
  let input = state.input;
  const end = state.inputEnd;
  while (count <= 56 && input < end) {
    bits |= (<u64>load<u8>(input++)) << count;
    count += 8;
  }
  state.bits = bits;
  state.bitCount = count;
  state.input = input;
}

/** Whether so many bits (up to 57) are there. */
@inline
export function has(state: Inflater, count: i32): bool {
  if (state.bitCount < count) refill(state);
  return state.bitCount >= count;
}

/** Takes bits that are there. */
@inline
export function take(state: Inflater, count: i32): u32 {
  const value = <u32>state.bits & ((1 << count) - 1);
  drop(state, count);
  return value;
}

@inline
export function drop(state: Inflater, count: i32): void {
  state.bits >>= count;
  state.bitCount -= count;
}
