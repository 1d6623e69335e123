import { Scan } from './decoder';

/*
 * A Huffman table as the host builds it (`formats/jpeg/huffman-table.ts`): bits of lookahead; by code length, the first
 * 16-bit value above every code of this length, and what to add to a code for the index of its symbol; the symbols; and by
 * the next bits, an entry of
 *   bits 0–7    bits to drop: of the code, or of the code and the value behind it
 *   bits 8–15   the symbol: zeros before the value << 4 | bits of the value
 *   bits 16–31  the value, where the lookahead covers it; otherwise 0
 * or 0 where the code is longer.
 */
const LIMITS: usize = 4;
const OFFSETS: usize = 72;
const SYMBOLS: usize = 140;
const LOOKUP: usize = 400;

// @ts-ignore: decorator
@inline
export function lookaheadOf(table: usize): i32 {
  return load<i32>(table);
}

// @ts-ignore: decorator
@inline
export function lookupOf(table: usize): usize {
  return table + LOOKUP;
}

/** What stands for a code that the table does not have: 16 bits are dropped, and the symbol is 0. */
export const NO_CODE: i32 = 16;

/** The entry of a code that is longer than the lookahead, from the next 16 bits; -1 when there is no such code. */
export function longEntry(table: usize, next: i32): i32 {
  for (let length = lookaheadOf(table) + 1; length <= 16; length++) {
    const at = table + (<usize>length << 2);
    if (next < load<i32>(at, LIMITS)) {
      const index = (next >> (16 - length)) + load<i32>(at, OFFSETS);
      return ((<i32>load<u8>(table + <usize>(index & 255), SYMBOLS)) << 8) | length;
    }
  }
  return -1;
}

/** The next four bytes as a big-endian number, when all of them are data; -1 when there may be a marker or the end. */
// @ts-ignore: decorator
@inline
export function plainWord(position: usize, fastEnd: usize): i64 {
  if (position > fastEnd) return -1;
  const word = load<u32>(position);
  // A byte is 0xFF where its complement is zero.
  if (((~word - 0x01010101) & word & 0x80808080) != 0) return -1;
  return <i64>bswap<u32>(word);
}

/** The last position from which four bytes may be read. */
// @ts-ignore: decorator
@inline
export function fastEndOf(scan: Scan): usize {
  return scan.end - 4;
}

/** Fills up the bits byte by byte (T.81 F.2.2.5). At a marker or at the end it goes on with zeros, and counts them. */
export function refill(scan: Scan): void {
  let bits = scan.bits;
  let count = scan.count;
  let position = scan.position;
  const end = scan.end;
  while (count <= 56) {
    let byte: u64 = 0;
    if (position < end) {
      byte = load<u8>(position++);
      if (byte == 0xff) {
        let next = position;
        while (next < end && load<u8>(next) == 0xff) next++;
        if (next < end && load<u8>(next) == 0) position = next + 1;
        else {
          position--;
          byte = 0;
          scan.padding += 8;
        }
      }
    } else scan.padding += 8;
    bits |= byte << (56 - count);
    count += 8;
  }
  scan.bits = bits;
  scan.count = count;
  scan.position = position;
}

/** The next Huffman code's symbol; 0 and `invalid` when there is no such code. For tables without values. */
export function readSymbol(scan: Scan, table: usize): i32 {
  if (scan.count < 32) refill(scan);
  const bits = scan.bits;
  let entry = load<i32>(lookupOf(table) + (<usize>(bits >>> <u64>(64 - lookaheadOf(table))) << 2));
  if (entry == 0) {
    entry = longEntry(table, <i32>(bits >>> 48));
    if (entry < 0) {
      scan.invalid = 1;
      entry = NO_CODE;
    }
  }
  scan.bits = bits << <u64>(entry & 255);
  scan.count -= entry & 255;
  return (entry >> 8) & 255;
}

/** The next `length` bits, 1–16, as an unsigned number. */
export function readBits(scan: Scan, length: i32): i32 {
  if (scan.count < length) refill(scan);
  const value = <i32>(scan.bits >>> <u64>(64 - length));
  scan.bits <<= <u64>length;
  scan.count -= length;
  return value;
}

/** Table F.1 backwards: the signed number that the highest `size` bits, 1–15, stand for. */
// @ts-ignore: decorator
@inline
export function signedValue(bits: u64, size: i32): i32 {
  const value = <i32>(bits >>> <u64>(64 - size));
  return value + (((-1 << size) + 1) & <i32>~(<i64>bits >> 63));
}
