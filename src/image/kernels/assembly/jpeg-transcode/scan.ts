/**
 * A scan on its way: where its bits go, what was put off, what was counted. The same code makes a scan twice, `Counting` how
 * often each symbol occurs and then `Writing` with the codes that fit best.
 */
@unmanaged
export class Scan {
  /** Bits that are not yet written, less than 32 of them. */
  bits: u64;
  count: i32;
  /** Where the next byte goes, and where the room ends that a block may start in. */
  out: usize;
  limit: usize;
  /** Two tables of 256 u32 by symbol, DC and AC, each for luma and chroma: how often it occurs, or code << 5 | length. */
  tables: usize;
  /** Where a block that there was no room for begins. */
  at: usize;
  /** Blocks that ended before the band does, in a run. */
  eobRun: u32;
  /** Correction bits that wait for the end of the run: words of up to 64 bits, how many words, how many bits. */
  corrections: usize;
  words: u32;
  waiting: u32;
  /** Correction bits in all. */
  corrected: u32;
  dc0: i32;
  dc1: i32;
  dc2: i32;
}

/** What a scan is made for: the compiler drops the other branch. */
export type Counting = i32;
export type Writing = f32;

/** Bytes of one table. */
const TABLE_BYTES: usize = 1024;

/** Correction bits that may wait for the end of a run: with them, what a block writes stays below the host's margin. */
export const MOST_WAITING: u32 = 900;

/** The tables of a scan's only component, or of luma (0) and chroma (1); DC first, then AC. */
@inline
export function tableOf(scan: Scan, chroma: u32, ac: u32): usize {
  return scan.tables + <usize>(chroma * 2 + ac) * TABLE_BYTES;
}

/** Counts or writes a symbol and the `size` bits behind it. */
@inline
export function emit<Mode>(scan: Scan, table: usize, symbol: i32, extra: u32, size: i32): void {
  const entry = table + (<usize>symbol << 2);
  const found = load<u32>(entry);
  if (isInteger<Mode>()) store<u32>(entry, found + 1);
  else putBits(scan, ((found >> 5) << size) | (extra & ((1 << size) - 1)), (found & 31) + size);
}

/** Writes up to 32 bits. */
@inline
export function putBits(scan: Scan, bits: u32, size: i32): void {
  const all = (scan.bits << size) | <u64>bits;
  let count = scan.count + size;
  if (count >= 32) {
    count -= 32;
    writeWord(scan, <u32>(all >> count));
  }
  scan.bits = all;
  scan.count = count;
}

/** A byte of 0xFF gets a zero behind it, so that it is no marker (T.81 B.1.1.5). */
@inline
function writeWord(scan: Scan, word: u32): void {
  const out = scan.out;
  if ((word & 0x80808080 & ~(word + 0x01010101)) == 0) {
    store<u32>(out, bswap<u32>(word));
    scan.out = out + 4;
  } else {
    stuffWord(scan, word);
  }
}

function stuffWord(scan: Scan, word: u32): void {
  for (let shift = 24; shift >= 0; shift -= 8) writeByte(scan, (word >> shift) & 255);
}

function writeByte(scan: Scan, byte: u32): void {
  store<u8>(scan.out++, byte);
  if (byte == 0xff) store<u8>(scan.out++, 0);
}

/** Whether there is no room for another block. */
@inline
export function isFull(scan: Scan): bool {
  return scan.out > scan.limit;
}

/** Ends a scan: fills the last byte with ones (T.81 F.1.2.3). */
export function flushBits(scan: Scan): void {
  const odd = scan.count & 7;
  if (odd != 0) putBits(scan, (1 << (8 - odd)) - 1, 8 - odd);
  while (scan.count > 0) {
    scan.count -= 8;
    writeByte(scan, <u32>(scan.bits >> scan.count) & 255);
  }
  scan.bits = 0;
}
