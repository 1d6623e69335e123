import { lookUp } from './code-table';
import { keepCoefficient, MOST_BYTES } from './kept-block';
import { componentCount, componentOf, mcusAcross } from './picture';

/** Reads the entropy-coded data of one strip: sequential, all components interleaved (T.81 annex F). */
@unmanaged
export class StripReader {
  bits: u64;
  /** How many of `bits` are still to be read. */
  count: i32;
  at: usize;
  end: usize;
  /** Bytes that were made up behind the end of the data. */
  missing: i32;
  /** DC prediction by component. */
  dc0: i32;
  dc1: i32;
  dc2: i32;
  /** Where the last read block ends. */
  blockEnd: usize;
}

/** Bytes of a prepared Huffman table, see `code-table`; a DC and an AC table for luma, then for chroma. */
const TABLE_BYTES: usize = 2560;
const DC_OF_LUMA: usize = offsetof<StripReader>('dc0');
/** The largest categories of 8-bit samples (T.81 tables F.1 and F.2). */
const MOST_DC_BITS: i32 = 11;
const MOST_AC_BITS: i32 = 10;
const MOST_DC: i32 = 2047;

/** Starts a strip whose data lies from `at` to `end`. */
export function startStrip(reader: usize, at: usize, end: usize): void {
  memory.fill(reader, 0, offsetof<StripReader>());
  const r = changetype<StripReader>(reader);
  r.at = at;
  r.end = end;
}

/**
 * Reads one row of MCUs. The scratch area holds for each row of blocks of each component, one behind the other, its DC coefficients
 * and its blocks with room for the most they can take; `ends` takes a pointer to the end of each.
 * @returns the bytes that it takes when kept, or -1 when the data is damaged
 */
export function readMcuRow(reader: usize, picture: usize, tables: usize, scratch: usize, ends: usize): i32 {
  const components = componentCount(picture);
  const mcus = mcusAcross(picture);
  layOutRows(picture, components, scratch, ends);
  for (let mcu: u32 = 0; mcu < mcus; mcu++) {
    let rowEnd = ends;
    let row = scratch;
    for (let c: u32 = 0; c < components; c++) {
      const component = componentOf(picture, c);
      const codes = tables + (c == 0 ? 0 : 2 * TABLE_BYTES);
      const across = component.across;
      for (let v: u32 = 0; v < component.vertical; v++) {
        for (let h: u32 = 0; h < component.horizontal; h++) {
          const x = mcu * component.horizontal + h;
          const dc = readBlock(reader, DC_OF_LUMA + (<usize>c << 2), codes, load<usize>(rowEnd));
          if (dc == i32.MIN_VALUE) return -1;
          if (x < across) {
            store<i16>(row + (<usize>x << 1), dc);
            store<usize>(rowEnd, changetype<StripReader>(reader).blockEnd);
          }
        }
        row += rowBytes(across);
        rowEnd += 4;
      }
    }
  }
  return changetype<StripReader>(reader).missing > 8 ? -1 : keptBytes(picture, components, scratch, ends);
}

/** Bytes of the scratch area for one row of blocks; padding blocks are read over its end and forgotten. */
@inline
function rowBytes(across: u32): usize {
  return (across + 1) * MOST_BYTES;
}

function layOutRows(picture: usize, components: u32, scratch: usize, ends: usize): void {
  for (let c: u32 = 0; c < components; c++) {
    const component = componentOf(picture, c);
    for (let v: u32 = 0; v < component.vertical; v++) {
      store<usize>(ends, scratch + (<usize>component.across << 1));
      scratch += rowBytes(component.across);
      ends += 4;
    }
  }
}

function keptBytes(picture: usize, components: u32, scratch: usize, ends: usize): i32 {
  let bytes: usize = 0;
  for (let c: u32 = 0; c < components; c++) {
    const component = componentOf(picture, c);
    for (let v: u32 = 0; v < component.vertical; v++) {
      bytes += load<usize>(ends) - scratch;
      scratch += rowBytes(component.across);
      ends += 4;
    }
  }
  return <i32>bytes;
}

/**
 * Keeps the row of MCUs that was read last from `at` on, where there must be room for it, as row `mcuRow` of the picture.
 * `down` of its block rows are in the picture, for each component: the rest is padding.
 */
export function keepMcuRow(picture: usize, scratch: usize, ends: usize, at: usize, mcuRow: u32, blockRows: usize): void {
  const components = componentCount(picture);
  for (let c: u32 = 0; c < components; c++) {
    const component = componentOf(picture, c);
    const down = load<u32>(blockRows + (<usize>c << 2));
    for (let v: u32 = 0; v < component.vertical; v++) {
      const row = mcuRow * component.vertical + v;
      const bytes = load<usize>(ends) - scratch;
      store<usize>(component.rows + (<usize>row << 2), row < down ? at : 0);
      if (row < down) {
        memory.copy(at, scratch, bytes);
        at += bytes;
      }
      scratch += rowBytes(component.across);
      ends += 4;
    }
  }
}

/** Reads a block to `to`: its AC coefficients are kept there. @returns the DC coefficient; the least i32 when damaged */
function readBlock(reader: usize, prediction: usize, codes: usize, to: usize): i32 {
  const r = changetype<StripReader>(reader);
  if (r.count <= 32) refill(r);
  let bits = r.bits;
  let count = r.count;
  let found = lookUp(codes, <i32>(bits >> (count - 16)) & 0xffff);
  let size = found & 255;
  count -= found >> 8;
  if (found == 0 || size > MOST_DC_BITS) return i32.MIN_VALUE;
  count -= size;
  const dc = load<i32>(reader + prediction) + signed(<i32>(bits >> count) & ((1 << size) - 1), size);
  if (abs(dc) > MOST_DC) return i32.MIN_VALUE;
  store<i32>(reader + prediction, dc);
  codes += TABLE_BYTES;
  let at = to + 1;
  let run = 0;
  for (let k = 1; k < 64; k++) {
    if (count <= 32) {
      r.count = count;
      refill(r);
      bits = r.bits;
      count = r.count;
    }
    found = lookUp(codes, <i32>(bits >> (count - 16)) & 0xffff);
    if (found == 0) return i32.MIN_VALUE;
    count -= found >> 8;
    size = found & 15;
    const zeros = (found >> 4) & 15;
    if (size == 0) {
      if (zeros != 15) break;
      run += 16;
      k += 15;
      continue;
    }
    k += zeros;
    run += zeros;
    if (k > 63 || size > MOST_AC_BITS) return i32.MIN_VALUE;
    count -= size;
    at = keepCoefficient(at, run, signed(<i32>(bits >> count) & ((1 << size) - 1), size));
    run = 0;
  }
  r.count = count;
  r.blockEnd = at;
  store<u8>(to, at - to - 1);
  return dc;
}

/** The signed number that `size` bits stand for (T.81 table F.1). */
@inline
function signed(value: i32, size: i32): i32 {
  return value < (1 << size) >> 1 ? value - (1 << size) + 1 : value;
}

/** Makes more than 32 bits ready. Behind a marker or the end there are zeros. */
function refill(r: StripReader): void {
  const at = r.at;
  if (at + 4 <= r.end) {
    const word = bswap<u32>(load<u32>(at));
    if ((word & 0x80808080 & ~(word + 0x01010101)) == 0) {
      r.bits = (r.bits << 32) | <u64>word;
      r.count += 32;
      r.at = at + 4;
      return;
    }
  }
  while (r.count <= 48) {
    r.bits = (r.bits << 8) | <u64>nextByte(r);
    r.count += 8;
  }
}

function nextByte(r: StripReader): u32 {
  const at = r.at;
  if (at < r.end) {
    const byte = load<u8>(at);
    if (byte != 0xff) {
      r.at = at + 1;
      return byte;
    }
    if (at + 1 < r.end && load<u8>(at + 1) == 0) {
      r.at = at + 2;
      return 0xff;
    }
  }
  r.missing++;
  return 0;
}
