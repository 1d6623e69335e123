/** Codes of up to this many bits are found by one look. */
const LOOK_BITS: i32 = 10;

/*
 * A Huffman code prepared for decoding (T.81 annex C and F.2.2.3): by the next 10 bits, length << 8 | symbol (u16), 0 where the
 * code is longer; by length, the first value left-aligned to 16 bits that is above every code of it (i32), and what to add to a code
 * for the index of its symbol (i32); symbols.
 */
const LIMITS: usize = 2048;
const OFFSETS: usize = LIMITS + 17 * 4;
const SYMBOLS: usize = OFFSETS + 17 * 4;

/**
 * Prepares a table from the 16 counts and the symbols of a DHT segment, which ends at `end`.
 * @returns bytes that they take, or -1 when they make no prefix code
 */
export function readCodeTable(table: usize, counts: usize, end: usize): i32 {
  if (counts + 16 > end) return -1;
  memory.fill(table, 0, SYMBOLS + 256);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    const count = <i32>load<u8>(counts + length - 1);
    if (index + count > 256 || counts + 16 + index + count > end || code + count > 1 << length) return -1;
    store<i32>(table + OFFSETS + (<usize>length << 2), index - code);
    for (let i = 0; i < count; i++) {
      const symbol = <u32>load<u8>(counts + 16 + index);
      store<u8>(table + SYMBOLS + index, symbol);
      if (length <= LOOK_BITS) fillLook(table, code, length, symbol);
      code++;
      index++;
    }
    store<i32>(table + LIMITS + (<usize>length << 2), code << (16 - length));
    code <<= 1;
  }
  return 16 + index;
}

function fillLook(table: usize, code: i32, length: i32, symbol: u32): void {
  const shift = LOOK_BITS - length;
  const first = table + ((<usize>code << shift) << 1);
  for (let i: usize = 0, count: usize = 1 << shift; i < count; i++) {
    store<u16>(first + (i << 1), (length << 8) | symbol);
  }
}

/** Length << 8 | symbol of the code that the next 16 bits start with; 0 when there is none. */
@inline
export function lookUp(table: usize, next: i32): i32 {
  const found = <i32>load<u16>(table + (<usize>(next >> (16 - LOOK_BITS)) << 1));
  return found != 0 ? found : longCode(table, next);
}

function longCode(table: usize, next: i32): i32 {
  for (let length = LOOK_BITS + 1; length <= 16; length++) {
    if (next >= load<i32>(table + LIMITS + (<usize>length << 2))) continue;
    const index = (next >> (16 - length)) + load<i32>(table + OFFSETS + (<usize>length << 2));
    return (length << 8) | <i32>load<u8>(table + SYMBOLS + (index & 255));
  }
  return 0;
}
