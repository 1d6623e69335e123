import { codeOrder, descriptionCodes, describeCodes, described } from './description';
import { makeCodes, makeLengths } from './huffman';
import { divide, tallyBlock } from './split';
import {
  Deflater, distanceExtra, distanceSymbol, DISTANCES, Layout, lengthExtra, lengthSymbol, LITERALS, Writing,
} from './state';

/** The longest code of the alphabets of a block (RFC 1951, 3.2.7). */
const LIMIT: i32 = 15;
/** Bytes that must be free before a block's head is written: 5 + 5 + 4 + 19 × 3 bits, and up to 14 for each of 316 lengths. */
const HEAD_BYTES: usize = 640;
/** The most that a stored block holds (3.2.4). */
const MOST_STORED: i32 = 65535;

/** Appends bits, at most 56 at once, and writes whole bytes; 8 bytes must be free. */
@inline
function put(state: Deflater, value: u64, count: i32): void {
  const bits = state.bits | (value << state.bitCount);
  const filled = state.bitCount + count;
  store<u64>(state.out, bits);
  state.out += filled >> 3;
  state.bits = bits >> (filled & 56);
  state.bitCount = filled & 7;
  state.size += count;
}

/** Bits of a block's symbols with the present code lengths, extra bits included. */
function symbolBits(work: usize): u64 {
  const tally = work + Layout.tally;
  const lengths = work + Layout.lengths;
  let bits: u64 = 0;
  for (let symbol = 0; symbol < LITERALS; symbol++) {
    const extra = symbol < 257 ? 0 : lengthExtra(symbol);
    bits += <u64>load<u32>(tally + (<usize>symbol << 2)) * (load<u8>(lengths + symbol) + extra);
  }
  for (let symbol = 0; symbol < DISTANCES; symbol++) {
    const at = LITERALS + symbol;
    bits += <u64>load<u32>(tally + (<usize>at << 2)) * (load<u8>(lengths + at) + distanceExtra(symbol));
  }
  return bits;
}

/** The lengths of the fixed codes (3.2.6). */
function fixLengths(work: usize): void {
  const lengths = work + Layout.lengths;
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  memory.fill(lengths + LITERALS, 5, DISTANCES);
}

function chooseLengths(work: usize): void {
  const tally = work + Layout.tally;
  const lengths = work + Layout.lengths;
  makeLengths(work, tally, LITERALS, LIMIT, lengths);
  makeLengths(work, tally + 4 * LITERALS, DISTANCES, LIMIT, lengths + LITERALS);
}

function writeHead(state: Deflater, last: i32, entries: i32): void {
  const work = changetype<usize>(state);
  const codes = descriptionCodes(work);
  const literals = described(work + Layout.lengths, LITERALS, 257);
  const distances = described(work + Layout.lengths + LITERALS, DISTANCES, 1);
  put(state, last | 4 | ((literals - 257) << 3) | ((distances - 1) << 8) | ((codes - 4) << 13), 17);
  for (let i = 0; i < codes; i++) put(state, load<u8>(work + Layout.descriptionLengths + codeOrder(i)), 3);
  for (let i = 0; i < entries; i++) {
    const entry = <i32>load<u16>(work + Layout.description + (<usize>i << 1));
    const symbol = entry & 255;
    const code = load<u32>(work + Layout.descriptionCodes + (<usize>symbol << 2));
    put(state, code & 0xffff, code >> 16);
    if (symbol > 15) put(state, entry >> 8, symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
  }
}

/** Bits that a stored block takes, from the present bit on. */
function storedBits(state: Deflater, bytes: i32): u64 {
  const blocks = (bytes + MOST_STORED - 1) / MOST_STORED;
  const first = ((state.bitCount + 3 + 7) & ~7) - state.bitCount;
  return <u64>bytes * 8 + <u64>first + 32 + <u64>(blocks - 1) * 40;
}

/** Bytes that the symbols from `item` up to `end` stand for. */
function bytesOf(work: usize, item: i32, end: i32): i32 {
  let bytes = 0;
  for (; item < end; item++) bytes += max(<i32>load<u16>(work + Layout.items + (<usize>item << 2), 2), 1);
  return bytes;
}

/** Decides how the block of the symbols up to `blockEnd` is written, and writes its head. */
function beginBlock(state: Deflater, firstPart: i32, endPart: i32, last: i32): void {
  const work = changetype<usize>(state);
  tallyBlock(work, firstPart, endPart);
  fixLengths(work);
  const fixed = symbolBits(work);
  chooseLengths(work);
  const description = describeCodes(work);
  const dynamic = symbolBits(work) + <u64><u32>description;
  const bytes = bytesOf(work, state.item, state.blockEnd);
  const stored = state.unwritten >= state.start ? storedBits(state, bytes) - 3 : u64.MAX_VALUE;
  if (stored <= min(fixed, dynamic) && bytes > 0) {
    state.writing = Writing.stored;
    state.stored = bytes;
    if (state.dry) state.size += stored + 3;
    return;
  }
  state.writing = Writing.symbols;
  state.unwritten += bytes;
  if (state.dry) {
    state.size += min(fixed, dynamic) + 3;
    return;
  }
  if (fixed <= dynamic) {
    fixLengths(work);
    put(state, last | 2, 3);
  } else writeHead(state, last, <i32>(description >> 32));
  makeCodes(work, work + Layout.lengths, LITERALS, work + Layout.codes);
  makeCodes(work, work + Layout.lengths + LITERALS, DISTANCES, work + Layout.codes + 4 * LITERALS);
}

/** Writes symbols as far as there is room; returns whether the block is whole. */
function writeSymbols(state: Deflater): bool {
  const work = changetype<usize>(state);
  const codes = work + Layout.codes;
  const items = work + Layout.items;
  const outEnd = state.outEnd - 16;
  const first = state.out;
  const firstBits = state.bitCount;
  let out = first;
  let bits = state.bits;
  let filled = firstBits;
  let item = state.item;
  for (; item < state.blockEnd && out < outEnd; item++) {
    const value = load<u32>(items + (<usize>item << 2));
    const length = <i32>(value >> 16);
    const symbol = length == 0 ? <i32>value : lengthSymbol(length);
    const code = load<u32>(codes + (<usize>symbol << 2));
    bits |= <u64>(code & 0xffff) << filled;
    filled += code >> 16;
    if (length != 0) {
      const extra = lengthExtra(symbol);
      bits |= <u64>((length - 3) & ((1 << extra) - 1)) << filled;
      filled += extra;
      const distance = <i32>(value & 0xffff);
      const far = distanceSymbol(distance);
      const second = load<u32>(codes + (<usize>(LITERALS + far) << 2));
      bits |= <u64>(second & 0xffff) << filled;
      filled += second >> 16;
      const farExtra = distanceExtra(far);
      bits |= <u64>((distance - 1) & ((1 << farExtra) - 1)) << filled;
      filled += farExtra;
    }
    store<u64>(out, bits);
    out += filled >> 3;
    bits >>= filled & 56;
    filled &= 7;
  }
  state.item = item;
  state.out = out;
  state.bits = bits;
  state.bitCount = filled;
  state.size += (<u64>(out - first) << 3) + filled - firstBits;
  if (item < state.blockEnd || state.outEnd - state.out < 16) return false;
  const end = load<u32>(codes + (256 << 2));
  put(state, end & 0xffff, end >> 16);
  return true;
}

/** Writes a stored block, or several where it is longer than one may be, as far as there is room. */
function writeStored(state: Deflater, last: i32): bool {
  while (state.stored > 0) {
    if (!state.headed) {
      if (state.outEnd - state.out < 16) return false;
      const size = min(state.stored, MOST_STORED);
      put(state, last && size == state.stored ? 1 : 0, 3);
      put(state, 0, -state.bitCount & 7);
      put(state, <u32>(size | ((size ^ 0xffff) << 16)), 32);
      state.headed = size;
    }
    const size = min(state.headed, <i32>(state.outEnd - state.out));
    if (size == 0) return false;
    memory.copy(state.out, state.origin + state.unwritten, size);
    state.out += size;
    state.size += size << 3;
    state.unwritten += size;
    state.stored -= size;
    state.headed -= size;
  }
  return true;
}

/** Divides the gathered symbols into blocks, to be written. The last one stays, where more may belong to it. */
export function beginBlocks(state: Deflater): void {
  const work = changetype<usize>(state);
  divide(state);
  const whole = state.ended && state.next == state.end;
  if (!whole && state.blocks > 1) state.blocks--;
  const parts = load<i32>(work + Layout.partStarts + (<usize>(state.blocks - 1) << 2));
  state.blocksEnd = min(parts << state.partBits, state.itemCount);
  state.block = 0;
  state.item = 0;
  state.final = whole;
}

/** Writes blocks as far as there is room; returns whether all are written. */
export function writeBlocks(state: Deflater): bool {
  const work = changetype<usize>(state);
  const ends = work + Layout.partStarts;
  while (state.block < state.blocks) {
    const last = state.final && state.block == state.blocks - 1 ? 1 : 0;
    if (state.writing == Writing.nothing) {
      if (!state.dry && state.outEnd - state.out < HEAD_BYTES) return false;
      const first = state.block == 0 ? 0 : load<i32>(ends + (<usize>(state.block - 1) << 2));
      const end = load<i32>(ends + (<usize>state.block << 2));
      state.blockEnd = min(end << state.partBits, state.itemCount);
      beginBlock(state, first, end, last);
    }
    if (state.dry) passBlock(state);
    else if (state.writing == Writing.symbols ? !writeSymbols(state) : !writeStored(state, last)) return false;
    state.item = state.blockEnd;
    state.writing = Writing.nothing;
    state.block++;
  }
  const rest = state.itemCount - state.blocksEnd;
  memory.copy(work + Layout.items, work + Layout.items + (<usize>state.blocksEnd << 2), <usize>rest << 2);
  state.itemCount = rest;
  state.blocks = 0;
  return true;
}

/** Where nothing is written but counted. */
function passBlock(state: Deflater): void {
  if (state.writing == Writing.stored) state.unwritten += state.stored;
  state.stored = 0;
  state.bitCount = <i32>(state.size & 7);
}

/** Fills the last byte and appends the checksum (RFC 1950, 2.2). */
export function writeTrailer(state: Deflater): bool {
  if (state.dry) {
    state.size = ((state.size + 7) & ~7) + 32;
    return true;
  }
  if (state.outEnd - state.out < 16) return false;
  put(state, 0, -state.bitCount & 7);
  put(state, bswap<u32>((state.sumB << 16) | state.sumA), 32);
  return true;
}
