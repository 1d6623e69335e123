import { Reader } from './state';

/**
 * More bytes than the coefficients of one macroblock can take, read ahead and a whole load included: 384 coefficients of up to 19
 * bools (a token of 7, 11 bits more, the sign) of up to 7 bits each are 6384 bytes. The host knows this number too.
 */
const MACROBLOCK_MARGIN: usize = 6400;

/** Starts a decoder on the bytes from `at` to `end`. */
export function startReader(reader: Reader, at: usize, end: usize): void {
  reader.value = 0;
  reader.range = 255;
  reader.bits = 0;
  reader.past = 0;
  feedReader(reader, at, end, false);
}

/** Says where the bytes lie that come next, and whether there are more behind `end`. */
export function feedReader(reader: Reader, at: usize, end: usize, more: bool): void {
  reader.at = at;
  reader.end = end;
  reader.more = more;
}

/** Loads whole bytes until at least 57 bits are there; behind the end they are zeros, and counted. */
export function refill(reader: Reader): void {
  let bits = reader.bits;
  let value = reader.value;
  let at = reader.at;
  const end = reader.end;
  while (bits <= 56) {
    if (at < end) {
      value |= (<u64>load<u8>(at)) << (56 - bits);
      at++;
    } else {
      reader.past += 8;
    }
    bits += 8;
  }
  reader.bits = bits;
  reader.value = value;
  reader.at = at;
}

/** Whether more was read than there is. */
@inline
export function exhausted(reader: Reader): bool {
  return reader.past > 0 && reader.bits <= reader.past;
}

/** Whether the end of what is there, but not of the data, may come before the end of a macroblock. */
@inline
export function starved(reader: Reader): bool {
  return reader.more != 0 && reader.end - reader.at < MACROBLOCK_MARGIN;
}

/** One bool whose probability of being 0 is `probability` / 256. */
@inline
export function readBool(reader: Reader, probability: u32): i32 {
  if (reader.bits < 8) refill(reader);
  const split = 1 + (((reader.range - 1) * probability) >> 8);
  const big = <u64>split << 56;
  let range = split;
  let bit = 0;
  if (reader.value >= big) {
    range = reader.range - split;
    reader.value -= big;
    bit = 1;
  }
  const shift = clz<u32>(range) - 24;
  reader.range = range << shift;
  reader.value <<= <u64>shift;
  reader.bits -= shift;
  return bit;
}

/** The same as a function of its own, where speed does not matter. */
export function readFlag(reader: Reader, probability: u32 = 128): i32 {
  return readBool(reader, probability);
}

/** An unsigned number of `count` bits, the highest first. */
export function readLiteral(reader: Reader, count: i32): i32 {
  let value = 0;
  for (let i = 0; i < count; i++) value = (value << 1) | readFlag(reader);
  return value;
}

/** A flag, and if it is set a number of `count` bits and its sign; otherwise 0. */
export function readOptionalSigned(reader: Reader, count: i32): i32 {
  return readFlag(reader) ? readSigned(reader, count) : 0;
}

export function readSigned(reader: Reader, count: i32): i32 {
  const magnitude = readLiteral(reader, count);
  return readFlag(reader) ? -magnitude : magnitude;
}
