/** What `deflate` comes back with. */
export namespace Outcome {
  /** All input is taken in: give more, or end. */
  export const starved: i32 = 0;
  /** The output region is full. */
  export const full: i32 = 1;
  export const done: i32 = 2;
}

/** What is being written. */
export namespace Writing {
  export const nothing: i32 = 0;
  /** Symbols of a block, in fixed or dynamic codes. */
  export const symbols: i32 = 1;
  export const stored: i32 = 2;
}

/** The farthest that a match may reach back (RFC 1951, clause 2). */
export const HISTORY: i32 = 32768;
/** The longest match (3.2.5). */
export const LONGEST: i32 = 258;
/** Bytes that must lie behind a position before it is parsed, unless the data ends. */
export const LOOKAHEAD: i32 = LONGEST + 8;
/** The position of the first byte: zeros in a table are then farther away than any match. */
export const FIRST: i32 = 65536;

/** Bytes that are parsed at once where the parse is optimal. */
export const CHUNK: i32 = 65536;
/** Bytes behind the parsed position that are kept where a block might still be stored. */
export const KEPT: i32 = 98304;
const WINDOW_BYTES: usize = 196608;
/** Bytes behind the window that may be read. */
const SLACK: usize = 16;

/** Symbols that are gathered before blocks are made of them. */
export const MOST_ITEMS: i32 = 65536;
/** Parts of them that a block may start at, at the most. */
export const MOST_PARTS: i32 = 64;

/** Symbols of the alphabets of literals and lengths (3.2.6: two stand for nothing), and of distances, which start behind the first. */
export const LITERALS: i32 = 288;
export const DISTANCES: i32 = 30;
export const SYMBOLS: i32 = LITERALS + DISTANCES;
/** Symbols of the alphabet of code lengths (3.2.7). */
export const CODE_LENGTHS: i32 = 19;
/** Counters of all symbols, in whole vectors. */
export const TALLY_BYTES: usize = 320 * 4;

export const LOG_BITS: i32 = 10;
export const HASH_BITS: i32 = 16;
export const SHORT_BITS: i32 = 14;
/** Entries of the matches of one chunk, and room for those of one more position. */
export const CACHE_BYTES: usize = 786432;
export const CACHE_MARGIN: usize = 4 * 264;

/** Where things lie in the work region. */
export namespace Layout {
  export const state: usize = 0;
  /** Base-2 logarithms of 1 … 2 (f32). */
  export const logs: usize = 256;
  /** How often each symbol occurs in a block (u32). */
  export const tally: usize = logs + (4 << LOG_BITS);
  /** Code lengths of both alphabets (u8). */
  export const lengths: usize = tally + TALLY_BYTES;
  /** Codes with their lengths: bits 0–15 the code, its first bit lowest, 16 on its length (u32). */
  export const codes: usize = lengths + 320;
  /** The description of the code lengths: symbol and extra bits (u16), and its own tally, lengths and codes. */
  export const description: usize = codes + TALLY_BYTES;
  export const descriptionTally: usize = description + 2 * 320;
  export const descriptionLengths: usize = descriptionTally + 4 * 32;
  export const descriptionCodes: usize = descriptionLengths + 32;
  /** For making codes: sorted symbols and nodes (u32), codes of each length (u32). */
  export const sorted: usize = descriptionCodes + 4 * 32;
  export const nodes: usize = sorted + 4 * 288;
  export const counts: usize = nodes + 4 * 288;
  /** What literals, lengths (by length) and distances (by symbol) cost, in 1/16 bits, extra bits included (i32). */
  export const literalCosts: usize = counts + 4 * 32;
  export const lengthCosts: usize = literalCosts + 4 * 256;
  export const distanceCosts: usize = lengthCosts + 4 * 264;
  /** Best cost of the symbols up to each part, and the part at which the last block of it starts. */
  export const partCosts: usize = distanceCosts + 4 * 32;
  export const partStarts: usize = partCosts + 4 * 80;
  /** Tallies of all symbols before each part. */
  export const partTallies: usize = partStarts + 4 * 80;
  export const items: usize = partTallies + TALLY_BYTES * (<usize>MOST_PARTS + 1);
  export const window: usize = items + 4 * <usize>MOST_ITEMS;
  export const windowEnd: usize = window + WINDOW_BYTES;
  /** The last position with each three bytes. */
  export const shortHeads: usize = windowEnd + SLACK;
  /** Of each hash the last position, which is the head of its chain or the root of its tree. */
  export const heads: usize = shortHeads + (4 << SHORT_BITS);
  /** Chains: for each position the one before with the same hash. */
  export const chain: usize = heads + (4 << HASH_BITS);
  /** Trees: for each position the roots of what sorts before and behind it. */
  export const children: usize = chain;
  export const costs: usize = children + 8 * <usize>HISTORY;
  export const choices: usize = costs + 4 * (<usize>CHUNK + 4);
  export const cache: usize = choices + 4 * <usize>CHUNK;
  export const bytes: usize = cache + CACHE_BYTES;
}

/** The state of one stream, at the start of its work region. Positions count bytes of the stream, from `FIRST`. */
@unmanaged
export class Deflater {
  /** How matches are looked for: candidates at the most, and the length that is good enough. */
  depth: i32;
  nice: i32;
  /** Of the optimal parse; 0 is the lazy one. */
  passes: i32;
  /** Optimal parse: whether matches are looked for in trees, not in chains. */
  trees: i32;
  /** Whether a match waits for what the next position has. */
  lazy: i32;
  /** Only count the output's bytes. */
  dry: i32;
  itemRoom: i32;
  /** log2 of the symbols of a part. */
  partBits: i32;
  /** Address of position 0, if it were in memory. */
  origin: usize;
  /** The first position that is in the window, the next one to be parsed, and the end of the input. */
  start: i32;
  next: i32;
  end: i32;
  /** Lazy parse: a match at `next` that waits for what comes behind it; 0 is none. */
  pending: u32;
  ended: i32;
  /** The chunk that is parsed: its symbols are chosen from `next` up to there. */
  chosenEnd: i32;
  chunk: i32;
  /** Whether costs of symbols are known from an earlier chunk. */
  costed: i32;
  itemCount: i32;
  /** The position of the first symbol that is not written. */
  unwritten: i32;
  /** Blocks that are written now, up to the symbol `blocksEnd`, and which of them it is. */
  blocks: i32;
  block: i32;
  /** Whether the last of them ends the stream. */
  final: i32;
  blocksEnd: i32;
  writing: i32;
  item: i32;
  blockEnd: i32;
  /** Bytes of a stored block that are still to be written. */
  stored: i32;
  headed: i32;
  trailed: i32;
  bits: u64;
  bitCount: i32;
  out: usize;
  outEnd: usize;
  /** Bits written in all. */
  size: u64;
  sumA: u32;
  sumB: u32;
}

/** A symbol of the parse: a literal is its value, a match its length and, in the lower half, its distance. */
@inline
export function match(length: i32, distance: i32): u32 {
  return (<u32>length << 16) | <u32>distance;
}

/** The symbol of a length of 3–258 (3.2.5). */
@inline
export function lengthSymbol(length: i32): i32 {
  const above = length - 3;
  if (above < 8) return 257 + above;
  if (length == LONGEST) return 285;
  const extra = 29 - clz(above);
  return 257 + (extra << 2) + (above >> extra);
}

/** Extra bits of a symbol from 257 on. */
@inline
export function lengthExtra(symbol: i32): i32 {
  return symbol < 265 || symbol == 285 ? 0 : (symbol - 261) >> 2;
}

/** The symbol of a distance of 1–32768. */
@inline
export function distanceSymbol(distance: i32): i32 {
  const above = distance - 1;
  if (above < 4) return above;
  const extra = 30 - clz(above);
  return ((extra + 1) << 1) + ((above >> extra) & 1);
}

@inline
export function distanceExtra(symbol: i32): i32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

@inline
export function count(at: usize, symbol: i32): void {
  const counter = at + (<usize>symbol << 2);
  store<u32>(counter, load<u32>(counter) + 1);
}

/** Counts the symbols of one item; distances behind `LITERALS`. */
@inline
export function countItem(tally: usize, item: u32): void {
  const length = <i32>(item >> 16);
  if (length == 0) {
    count(tally, item);
    return;
  }
  count(tally, lengthSymbol(length));
  count(tally, LITERALS + distanceSymbol(item & 0xffff));
}
