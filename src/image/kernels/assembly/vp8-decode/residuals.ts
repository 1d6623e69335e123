import { readBool, refill } from './reader';
import { inverseWalsh } from './transform';
import { Decoder, Macroblock, Reader, Segment, SEGMENT_BYTES } from './state';

/** Bytes of one position's and of one block type's probabilities. */
const POSITION: usize = 48;
const TYPE: usize = 17 * POSITION;
/** Where coefficients stand in a block (RFC 6386 §13), four bits each: position 0 lowest. */
const ZIGZAG: u64 = 0xfeb7adc963258410;

/** Place of the coefficient at a position, in bytes. */
@inline
function placeOf(position: i32): usize {
  return <usize>((ZIGZAG >> (<u64>position << 2)) & 15) << 1;
}

/**
 * Reads the coefficients of one block, multiplies them by their steps and stores them as i16: §13. `probabilities` are
 * its type's, `context` counts its neighbours that have coefficients. Returns the position behind the last coefficient.
 */
function readBlock(reader: Reader, probabilities: usize, context: usize, first: i32, dc: i32, ac: i32, out: usize): i32 {
  let value = reader.value;
  let range = reader.range;
  let bits = reader.bits;
  let position = first;
  let p = probabilities + <usize>first * POSITION + (context << 4);
  while (true) {
    if (bits < 32) {
      reader.value = value;
      reader.bits = bits;
      refillFast(reader);
      value = reader.value;
      bits = reader.bits;
    }
    let split = 1 + (((range - 1) * <u32>load<u8>(p)) >> 8);
    let big = <u64>split << 56;
    if (value < big) {
      // End of block.
      const shift = clz<u32>(split) - 24;
      range = split << shift;
      value <<= <u64>shift;
      bits -= shift;
      break;
    }
    range -= split;
    value -= big;
    let shift = clz<u32>(range) - 24;
    range <<= shift;
    value <<= <u64>shift;
    bits -= shift;
    while (true) {
      split = 1 + (((range - 1) * <u32>load<u8>(p, 1)) >> 8);
      big = <u64>split << 56;
      if (value >= big) break;
      shift = clz<u32>(split) - 24;
      range = split << shift;
      value <<= <u64>shift;
      bits -= shift;
      position++;
      if (position == 16) {
        reader.value = value;
        reader.range = range;
        reader.bits = bits;
        return 16;
      }
      p = probabilities + <usize>position * POSITION;
      if (bits < 32) {
        reader.value = value;
        reader.bits = bits;
        refillFast(reader);
        value = reader.value;
        bits = reader.bits;
      }
    }
    range -= split;
    value -= big;
    shift = clz<u32>(range) - 24;
    range <<= shift;
    value <<= <u64>shift;
    bits -= shift;

    let level = 1;
    split = 1 + (((range - 1) * <u32>load<u8>(p, 2)) >> 8);
    big = <u64>split << 56;
    let next: usize = 16;
    if (value < big) {
      shift = clz<u32>(split) - 24;
      range = split << shift;
      value <<= <u64>shift;
      bits -= shift;
    } else {
      range -= split;
      value -= big;
      shift = clz<u32>(range) - 24;
      reader.range = range << shift;
      reader.value = value << <u64>shift;
      reader.bits = bits - shift;
      level = readLargeLevel(reader, p);
      if (reader.bits < 8) refill(reader);
      value = reader.value;
      range = reader.range;
      bits = reader.bits;
      next = 32;
    }
    // The sign: an even chance.
    split = (range + 1) >> 1;
    big = <u64>split << 56;
    if (value >= big) {
      range -= split;
      value -= big;
      level = -level;
    } else {
      range = split;
    }
    shift = clz<u32>(range) - 24;
    range <<= shift;
    value <<= <u64>shift;
    bits -= shift;
    store<i16>(out + placeOf(position), level * (position > 0 ? ac : dc));
    position++;
    if (position == 16) break;
    p = probabilities + <usize>position * POSITION + next;
  }
  reader.value = value;
  reader.range = range;
  reader.bits = bits;
  return position;
}

/** Eight bytes at once while there are so many. */
@inline
function refillFast(reader: Reader): void {
  const at = reader.at;
  if (reader.end - at < 8) {
    refill(reader);
    return;
  }
  const bits = reader.bits;
  const next = v128.load64_zero(at);
  const swapped = v128.swizzle(next, i8x16(7, 6, 5, 4, 3, 2, 1, 0, 8, 8, 8, 8, 8, 8, 8, 8));
  reader.value |= i64x2.extract_lane(swapped, 0) >>> (<u64>bits);
  reader.at = at + ((63 - bits) >> 3);
  reader.bits = bits | 56;
}

/** The rest of a level of at least 2: §13.2. */
function readLargeLevel(reader: Reader, p: usize): i32 {
  if (!readBool(reader, load<u8>(p, 3))) {
    if (!readBool(reader, load<u8>(p, 4))) return 2;
    return 3 + readBool(reader, load<u8>(p, 5));
  }
  if (!readBool(reader, load<u8>(p, 6))) {
    if (!readBool(reader, load<u8>(p, 7))) return 5 + readBool(reader, 159);
    const high = readBool(reader, 165);
    return 7 + 2 * high + readBool(reader, 145);
  }
  if (!readBool(reader, load<u8>(p, 8))) {
    if (!readBool(reader, load<u8>(p, 9))) return 11 + readExtra(reader, 0x8c94ad, 3);
    return 19 + readExtra(reader, 0x878c9bb0, 4);
  }
  if (!readBool(reader, load<u8>(p, 10))) return 35 + readExtra(reader, 0x82868d9db4, 5);
  return 67 + (readExtra(reader, 0x99b1c4e6f3fefe, 7) << 4 | readExtra(reader, 0x8182858c, 4));
}

/** A number of `count` bits, the highest first, whose probabilities are the bytes of `probabilities` from the lowest up. */
function readExtra(reader: Reader, probabilities: u64, count: i32): i32 {
  let value = 0;
  for (let i = 0; i < count; i++) {
    value = (value << 1) | readBool(reader, <u32>(probabilities & 255));
    probabilities >>= 8;
  }
  return value;
}

/** What a block holds: 0 nothing, 1 only DC, 2 more. */
@inline
function kindOf(end: i32, out: usize): i32 {
  return end > 1 ? 2 : load<i16>(out) != 0 ? 1 : 0;
}

/**
 * Reads all coefficients of a macroblock into `decoder.coefficients` and says in `decoder.kinds` what each block holds.
 * Returns whether there is anything.
 */
export function readResiduals(decoder: Decoder, reader: Reader, block: Macroblock, column: i32): bool {
  const above = decoder.nonzeroAbove + <usize>(column + 1) * 16;
  const left = decoder.nonzeroAbove;
  const segment = changetype<Segment>(decoder.segments + <usize>block.segment * SEGMENT_BYTES);
  const coefficients = decoder.coefficients;
  const kinds = decoder.kinds;
  memory.fill(coefficients, 0, 25 * 32);
  let probabilities = decoder.tokens + 3 * TYPE;
  let first = 0;
  if (!block.split) {
    const y2 = coefficients + 24 * 32;
    const context = <usize>load<u8>(above, 8) + load<u8>(left, 8);
    const end = readBlock(reader, decoder.tokens + TYPE, context, 0, segment.y2Dc, segment.y2Ac, y2);
    const some = <u8>(end > 0);
    store<u8>(above, some, 8);
    store<u8>(left, some, 8);
    if (end > 0) inverseWalsh(y2, coefficients);
    probabilities = decoder.tokens;
    first = 1;
  }
  let any = 0;
  for (let y: usize = 0; y < 4; y++) {
    let some: usize = load<u8>(left + y);
    for (let x: usize = 0; x < 4; x++) {
      const out = coefficients + (y * 4 + x) * 32;
      const end = readBlock(reader, probabilities, some + load<u8>(above + x), first, segment.y1Dc, segment.y1Ac, out);
      some = <usize>(end > first);
      store<u8>(above + x, some);
      const kind = kindOf(end, out);
      store<u8>(kinds + y * 4 + x, kind);
      any |= kind;
    }
    store<u8>(left + y, some);
  }
  any |= readChroma(decoder, reader, segment, above, left);
  return any != 0;
}

function readChroma(decoder: Decoder, reader: Reader, segment: Segment, above: usize, left: usize): i32 {
  const probabilities = decoder.tokens + 2 * TYPE;
  let any = 0;
  for (let i: usize = 0; i < 8; i++) {
    const top = above + 4 + ((i >> 2) << 1) + (i & 1);
    const side = left + 4 + (i >> 1);
    const out = decoder.coefficients + (16 + i) * 32;
    const context = <usize>load<u8>(top) + load<u8>(side);
    const end = readBlock(reader, probabilities, context, 0, segment.uvDc, segment.uvAc, out);
    const some = <u8>(end > 0);
    store<u8>(top, some);
    store<u8>(side, some);
    const kind = kindOf(end, out);
    store<u8>(decoder.kinds + 16 + i, kind);
    any |= kind;
  }
  return any;
}

/** A macroblock without coefficients leaves none as context; Y2's stays where the macroblock has no Y2. */
export function noResiduals(decoder: Decoder, block: Macroblock, column: i32): void {
  const above = decoder.nonzeroAbove + <usize>(column + 1) * 16;
  const left = decoder.nonzeroAbove;
  store<u64>(above, 0);
  store<u64>(left, 0);
  if (!block.split) {
    store<u8>(above, 0, 8);
    store<u8>(left, 0, 8);
  }
}
