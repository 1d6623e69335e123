import { readBits, refill } from './bits';
import { Code, Decoder, Failure, Group } from './state';

/** Bits that the first table of a code decides, at the most. */
const ROOT_BITS: i32 = 8;
const MAX_LENGTH: i32 = 15;
/** No code's tables are larger: 2328 symbols of up to 15 bits behind a root of 8. */
const MAX_TABLE_BYTES: usize = 2704 * 2;
/** Order in which the lengths of the code lengths' own code come (RFC 9649 §3.7.2.1.2), five bits each. */
const LENGTH_ORDER_LOW: u64 = 0x41cd02906208251;
const LENGTH_ORDER_HIGH: u64 = 0x3dcd62d49;

/**
 * Makes the tables of a canonical code from `count` lengths. An entry is symbol << 4 | length; where the length is over eight it
 * points to a second table instead: its place << 4 | its longest length. The tables are taken from the pool.
 */
function buildCode(decoder: Decoder, code: Code, count: i32): bool {
  const table = decoder.pool;
  if (decoder.poolEnd - table < MAX_TABLE_BYTES) {
    decoder.failure = Failure.memory;
    return false;
  }
  code.table = table;
  const symbols = sortSymbols(decoder, count);
  if (symbols < 0) return false;
  // One symbol takes no bits.
  if (symbols == 1) {
    store<u16>(table, load<u16>(decoder.sorted) << 4);
    code.mask = 0;
    decoder.pool = table + 2;
    return true;
  }
  decoder.pool = table + (<usize>fillTables(decoder, code) << 1);
  return true;
}

/** Counts of each length, u16, stand behind the sorted symbols. */
const COUNTS: usize = 2328 * 2;

/** Sorts the symbols by length. Returns how many are used; -1 when the code is not complete. */
function sortSymbols(decoder: Decoder, count: i32): i32 {
  const lengths = decoder.lengths;
  const counts = decoder.sorted + COUNTS;
  memory.fill(counts, 0, 64);
  for (let i: usize = 0; i < <usize>count; i++) {
    const at = counts + (<usize>load<u8>(lengths + i) << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  let symbols = 0;
  let space = 0;
  const places = counts + 32;
  for (let length = 1; length <= MAX_LENGTH; length++) {
    const here = <i32>load<u16>(counts + (<usize>length << 1));
    store<u16>(places + (<usize>length << 1), symbols);
    symbols += here;
    space += here << (MAX_LENGTH - length);
  }
  if (symbols == 0 || (symbols > 1 && space != 1 << MAX_LENGTH)) {
    decoder.failure = Failure.damaged;
    return -1;
  }
  for (let i = 0; i < count; i++) {
    const length = <usize>load<u8>(lengths + <usize>i);
    if (length == 0) continue;
    const place = places + (length << 1);
    const to = load<u16>(place);
    store<u16>(decoder.sorted + (<usize>to << 1), i);
    store<u16>(place, to + 1);
  }
  return symbols;
}

/** Returns the entries used. The lengths have been found to be complete. */
function fillTables(decoder: Decoder, code: Code): i32 {
  const counts = decoder.sorted + COUNTS;
  let longest = MAX_LENGTH;
  while (load<u16>(counts + (<usize>longest << 1)) == 0) longest--;
  const root = min(longest, ROOT_BITS);
  code.mask = (1 << root) - 1;
  let end = 1 << root;
  let next = decoder.sorted;
  // The code's bits, the first one lowest.
  let key = 0;
  let prefix = -1;
  let place = 0;
  let span = 0;
  for (let length = 1; length <= longest; length++) {
    for (let left = <i32>load<u16>(counts + (<usize>length << 1)); left > 0; left--) {
      const entry = ((<u32>load<u16>(next)) << 4) | length;
      next += 2;
      if (length <= root) {
        for (let i = key; i < 1 << root; i += 1 << length) store<u16>(code.table + (<usize>i << 1), entry);
      } else {
        if ((key & 255) != prefix) {
          prefix = key & 255;
          place = end;
          span = spanOf(counts, length, left);
          end += 1 << span;
          store<u16>(code.table + (<usize>prefix << 1), (place << 4) | (ROOT_BITS + span));
        }
        for (let i = key >> ROOT_BITS; i < 1 << span; i += 1 << (length - ROOT_BITS)) {
          store<u16>(code.table + (<usize>(place + i) << 1), entry);
        }
      }
      key = following(key, length);
    }
  }
  return end;
}

/** Bits of a second table whose first code has this length, when `left` codes of the length are still to come. */
function spanOf(counts: usize, length: i32, left: i32): i32 {
  let open = (1 << (length - ROOT_BITS)) - left;
  while (open > 0 && length < MAX_LENGTH) {
    length++;
    open = (open << 1) - <i32>load<u16>(counts + (<usize>length << 1));
  }
  return length - ROOT_BITS;
}

/** The next code of the same length, in reversed bits. */
@inline
function following(key: i32, length: i32): i32 {
  let step = 1 << (length - 1);
  while (key & step) step >>= 1;
  return (key & (step - 1)) + step;
}

/** Reads one symbol; for headers. */
export function readSymbol(decoder: Decoder, code: Code): i32 {
  refill(decoder);
  const value = <u32>decoder.value;
  let entry = <u32>load<u16>(code.table + (<usize>(value & code.mask) << 1));
  if (<i32>(entry & 15) > ROOT_BITS) {
    const index = (entry >> 4) + ((value >> ROOT_BITS) & ((1 << ((entry & 15) - ROOT_BITS)) - 1));
    entry = load<u16>(code.table + (<usize>index << 1));
  }
  decoder.value >>= <u64>(entry & 15);
  decoder.bits -= <i32>(entry & 15);
  return <i32>(entry >> 4);
}

/** Reads a code of `count` symbols (RFC 9649 §3.7.2) and makes its tables. */
function readCode(decoder: Decoder, code: Code, count: i32): bool {
  memory.fill(decoder.lengths, 0, 2560);
  if (readBits(decoder, 1)) {
    const two = readBits(decoder, 1);
    const wide = readBits(decoder, 1);
    store<u8>(decoder.lengths + <usize>readBits(decoder, wide ? 8 : 1), 1);
    if (two) store<u8>(decoder.lengths + <usize>readBits(decoder, 8), 1);
  } else if (!readLengths(decoder, code, count)) {
    if (decoder.failure == 0) decoder.failure = Failure.damaged;
    return false;
  }
  return buildCode(decoder, code, count);
}

/** The lengths of a normal code, themselves coded: §3.7.2.1.2. */
function readLengths(decoder: Decoder, code: Code, count: i32): bool {
  const given = readBits(decoder, 4) + 4;
  for (let i = 0; i < given; i++) {
    const packed = i < 12 ? LENGTH_ORDER_LOW >> <u64>(i * 5) : LENGTH_ORDER_HIGH >> <u64>((i - 12) * 5);
    store<u8>(decoder.lengths + <usize>(packed & 31), readBits(decoder, 3));
  }
  const pool = decoder.pool;
  if (!buildCode(decoder, code, 19)) return false;
  memory.fill(decoder.lengths, 0, 32);
  let most = count;
  if (readBits(decoder, 1)) {
    const width = 2 + 2 * readBits(decoder, 3);
    most = 2 + readBits(decoder, width);
    if (most > count) return false;
  }
  const complete = readCodedLengths(decoder, code, count, most);
  decoder.pool = pool;
  return complete;
}

function readCodedLengths(decoder: Decoder, code: Code, count: i32, most: i32): bool {
  const lengths = decoder.lengths;
  let before: u8 = 8;
  let at = 0;
  for (; most > 0 && at < count; most--) {
    const length = readSymbol(decoder, code);
    if (length < 16) {
      store<u8>(lengths + <usize>at, length);
      at++;
      if (length != 0) before = <u8>length;
      continue;
    }
    const repeat = length == 18 ? 11 + readBits(decoder, 7) : 3 + readBits(decoder, length == 16 ? 2 : 3);
    if (at + repeat > count) return false;
    if (length == 16) memory.fill(lengths + <usize>at, before, <usize>repeat);
    at += repeat;
  }
  return true;
}

/** Reads the five codes of a group: §3.7.2.2. A group that no block uses is read and forgotten. */
export function readGroup(decoder: Decoder, group: usize, keep: bool): bool {
  const pool = decoder.pool;
  const cacheSize = decoder.cacheBits > 0 ? 1 << decoder.cacheBits : 0;
  if (!readCode(decoder, changetype<Code>(group + Group.green), 280 + cacheSize)) return false;
  if (!readCode(decoder, changetype<Code>(group + Group.red), 256)) return false;
  if (!readCode(decoder, changetype<Code>(group + Group.blue), 256)) return false;
  if (!readCode(decoder, changetype<Code>(group + Group.alpha), 256)) return false;
  if (!readCode(decoder, changetype<Code>(group + Group.distance), 40)) return false;
  if (!keep) decoder.pool = pool;
  return true;
}
