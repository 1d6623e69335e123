import { Layout } from './state';

/*
 * Tables of two levels. An entry: bits 0–5 the bits that the symbol takes with its extra bits, 8–12 those of the code alone, 16–30
 * the value, and flags.
 */

/** The entry is a literal: the value is the byte. */
export const LITERAL: u32 = 0x80000000;
/** The entry is none of literal, length and distance. */
export const OTHER: u32 = 0x8000;
/** The rest of the code is looked up at the entry that the value tells, with as many bits as 8–12 say. */
export const LINK: u32 = OTHER | 0x4000;
export const END_OF_BLOCK: u32 = OTHER | 0x2000;

/** Which alphabet (RFC 1951, 3.2.5 and 3.2.7). */
export namespace Alphabet {
  export const literals: i32 = 0;
  export const distances: i32 = 1;
  export const codes: i32 = 2;
}

@inline
function entryOf(value: u32, extra: i32, length: i32): u32 {
  return (value << 16) | (<u32>length << 8) | <u32>(length + extra);
}

/** A length of 3–258 as RFC 1951, 3.2.5 lists it, or what else a symbol of the first alphabet means. */
function literalEntry(symbol: i32, length: i32): u32 {
  if (symbol < 256) return LITERAL | entryOf(symbol, 0, length);
  if (symbol == 256) return END_OF_BLOCK | entryOf(0, 0, length);
  if (symbol < 265) return entryOf(symbol - 254, 0, length);
  if (symbol == 285) return entryOf(258, 0, length);
  if (symbol > 285) return OTHER | entryOf(0, 0, length);
  const extra = (symbol - 261) >> 2;
  return entryOf(((4 + ((symbol - 261) & 3)) << extra) + 3, extra, length);
}

function distanceEntry(symbol: i32, length: i32): u32 {
  if (symbol < 4) return entryOf(symbol + 1, 0, length);
  if (symbol > 29) return OTHER | entryOf(0, 0, length);
  const extra = (symbol >> 1) - 1;
  return entryOf(((2 + (symbol & 1)) << extra) + 1, extra, length);
}

@inline
function symbolEntry(alphabet: i32, symbol: i32, length: i32): u32 {
  if (alphabet == Alphabet.literals) return literalEntry(symbol, length);
  if (alphabet == Alphabet.distances) return distanceEntry(symbol, length);
  return entryOf(symbol, 0, length);
}

@inline
function countAt(work: usize, length: i32): usize {
  return work + Layout.counts + (<usize>length << 1);
}

@inline
function offsetAt(work: usize, length: i32): usize {
  return work + Layout.offsets + (<usize>length << 1);
}

/** Counts the codes of each length; returns the greatest length. */
function countLengths(work: usize, lengths: usize, symbols: i32): i32 {
  memory.fill(work + Layout.counts, 0, 32);
  for (let i: usize = 0; i < <usize>symbols; i++) {
    const at = countAt(work, load<u8>(lengths + i));
    store<u16>(at, load<u16>(at) + 1);
  }
  for (let length = 15; length > 0; length--) if (load<u16>(countAt(work, length)) != 0) return length;
  return 0;
}

/** How many codes of 15 bits are left over; negative where there are more than fit. */
function codesLeft(work: usize): i32 {
  let left = 1;
  for (let length = 1; length <= 15; length++) {
    left = (left << 1) - <i32>load<u16>(countAt(work, length));
    if (left < 0) return left;
  }
  return left;
}

function sortSymbols(work: usize, lengths: usize, symbols: i32): void {
  let offset = 0;
  for (let length = 1; length <= 15; length++) {
    store<u16>(offsetAt(work, length), offset);
    offset += load<u16>(countAt(work, length));
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = load<u8>(lengths + symbol);
    if (length == 0) continue;
    const at = offsetAt(work, length);
    const place = load<u16>(at);
    store<u16>(work + Layout.sorted + (<usize>place << 1), symbol);
    store<u16>(at, place + 1);
  }
}

/** The code that follows one of `length` bits; the first bit of a code is the lowest. */
@inline
function nextCode(code: u32, length: i32): u32 {
  let bit: u32 = 1 << (length - 1);
  while (code & bit) bit >>= 1;
  return bit == 0 ? 0 : (code & (bit - 1)) + bit;
}

/** Index bits that a second level needs whose first code has `length` bits, where the codes from here on are counted. */
@inline
function secondBits(work: usize, length: i32, root: i32, longest: i32): i32 {
  let bits = length - root;
  let left = 1 << bits;
  while (bits + root < longest) {
    left -= load<u16>(countAt(work, bits + root));
    if (left <= 0) break;
    bits++;
    left <<= 1;
  }
  return bits;
}

/**
 * Makes the table of a canonical code (RFC 1951, 3.2.2).
 * @param most index bits of the first level
 * @returns its index bits, up to `most`; 0 where the code is invalid: only a single code of one bit may leave codes unused
 */
export function makeTable(work: usize, alphabet: i32, lengths: usize, symbols: i32, most: i32, table: usize): i32 {
  const longest = countLengths(work, lengths, symbols);
  const left = codesLeft(work);
  if (left < 0 || (left > 0 && longest > 1) || (left > 0 && longest == 1 && alphabet == Alphabet.codes)) return 0;
  const root = max(1, min(most, longest));
  if (left > 0) {
    for (let i: usize = 0; i < <usize>1 << root; i++) store<u32>(table + (i << 2), OTHER | entryOf(0, 0, 1));
  }
  if (longest == 0) return root;
  sortSymbols(work, lengths, symbols);
  fillTable(work, alphabet, lengths, root, longest, table);
  return root;
}

function fillTable(work: usize, alphabet: i32, lengths: usize, root: i32, longest: i32, table: usize): void {
  const rootMask: u32 = (1 << root) - 1;
  const end = work + Layout.sorted + (<usize>load<u16>(offsetAt(work, longest)) << 1);
  let code: u32 = 0;
  let used: u32 = 1 << root;
  let prefix: u32 = u32.MAX_VALUE;
  let second = table;
  let bits = root;
  for (let at = work + Layout.sorted; at < end; at += 2) {
    const symbol = <i32>load<u16>(at);
    const length = <i32>load<u8>(lengths + symbol);
    let from = code;
    let rest = length;
    if (length > root) {
      if ((code & rootMask) != prefix) {
        prefix = code & rootMask;
        bits = secondBits(work, length, root, longest);
        second = table + (<usize>used << 2);
        store<u32>(table + (<usize>prefix << 2), LINK | (used << 16) | (<u32>bits << 8) | root);
        used += 1 << bits;
      }
      from = code >> root;
      rest = length - root;
    }
    const entry = symbolEntry(alphabet, symbol, rest);
    for (let i = from; i < <u32>1 << bits; i += 1 << rest) store<u32>(second + (<usize>i << 2), entry);
    const count = countAt(work, length);
    store<u16>(count, load<u16>(count) - 1);
    code = nextCode(code, length);
  }
}
