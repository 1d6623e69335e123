import { addNarrow, addWide, Census, CENSUS_BYTES, expandIndexes, indexPixels, setColours } from './png-write/census';
import { filterRow, leastEntropy, leastSum } from './png-write/filter';

export { expandIndexes, filterRow, indexPixels, leastEntropy, leastSum, setColours };

/*
 * What comes before the deflater when a PNG is written: the census of the pixels, their packing into rows of samples, the filters.
 */

/** Takes RGBA pixels into a census, which is zeros at first. @param bits 8 or 16 a sample, then the upper byte first */
export function addPixels(census: usize, at: usize, count: usize, bits: i32): void {
  if (bits == 8) addNarrow(changetype<Census>(census), at, count);
  else addWide(changetype<Census>(census), at, count);
}

export function censusBytes(): usize {
  return CENSUS_BYTES;
}

/**
 * Keeps some bytes of every pixel. Writes up to 15 bytes behind the last one.
 * @param pattern for 16 bytes of pixels, which of them are kept, in order, with 16 behind them
 * @param kept bytes of a pixel
 */
export function selectBytes(at: usize, out: usize, count: usize, pattern: usize, pixelBytes: usize, kept: usize): void {
  const chosen = v128.load(pattern);
  const end = at + count * pixelBytes;
  const step = (16 / pixelBytes) * kept;
  for (; at + 16 <= end; at += 16, out += step) v128.store(out, v128.swizzle(v128.load(at), chosen));
  for (; at < end; at += pixelBytes) {
    for (let i: usize = 0; i < kept; i++) store<u8>(out++, load<u8>(at + load<u8>(pattern + i)));
  }
}

/** Packs samples of one byte into fewer bits, the first one highest. @param shift of each sample to the right before that */
export function packBits(at: usize, out: usize, count: usize, bits: i32, shift: i32): void {
  const end = at + count;
  const perByte: usize = 8 / bits;
  for (; at + perByte <= end; at += perByte) {
    let byte: u32 = 0;
    for (let i: usize = 0; i < perByte; i++) byte = (byte << bits) | (<u32>load<u8>(at + i) >> shift);
    store<u8>(out++, byte);
  }
  if (at == end) return;
  let byte: u32 = 0;
  for (let left = 8 - bits; at < end; at++, left -= bits) byte |= (<u32>load<u8>(at) >> shift) << left;
  store<u8>(out, byte);
}

/** Opaque pixels of these greys. */
export function expandGreys(at: usize, out: usize, count: usize): void {
  const end = at + count;
  for (; at < end; at++, out += 4) store<u32>(out, <u32>load<u8>(at) * 0x10101 | 0xff000000);
}
