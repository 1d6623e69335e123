import { exhausted, refill } from './bits';
import { Decoder, Failure, Group } from './state';

/** Entries of up to this length are in a code's first table. */
const ROOT_BITS: i32 = 8;
const CACHE_MULTIPLIER: u32 = 0x1e35a7bd;

/** An entry of a code's tables for the bits at the front: symbol << 4 | length. */
@inline
function entryFor(code: usize, value: u64): u32 {
  const table = load<usize>(code);
  const entry = <u32>load<u16>(table + (<usize>(<u32>value & load<u32>(code, 4)) << 1));
  if (<i32>(entry & 15) <= ROOT_BITS) return entry;
  const index = (entry >> 4) + ((<u32>value >> ROOT_BITS) & ((1 << ((entry & 15) - ROOT_BITS)) - 1));
  return <u32>load<u16>(table + (<usize>index << 1));
}

@inline
function groupAt(decoder: Decoder, x: i32, y: i32): usize {
  if (decoder.groupMap == 0) return decoder.groups;
  const block = (y >> decoder.groupBits) * decoder.groupColumns + (x >> decoder.groupBits);
  return decoder.groups + <usize>load<u16>(decoder.groupMap + (<usize>block << 1)) * Group.bytes;
}

/** A number whose prefix was read: RFC 9649 §3.6.2.2. At most 18 bits are taken. */
@inline
function extraBitsOf(prefix: u32): u32 {
  return prefix < 4 ? 0 : (prefix - 2) >> 1;
}

@inline
function prefixed(prefix: u32, extra: u32, value: u64): u32 {
  if (prefix < 4) return prefix + 1;
  return ((2 + (prefix & 1)) << extra) + (<u32>value & ((1 << extra) - 1)) + 1;
}

/**
 * Reads pixels (§3.6) into the ring until `target` of them are there, or some more where the last copy goes on. Returns false when
 * the data is damaged or ends.
 */
export function readPixels(decoder: Decoder, target: u32): bool {
  const width = decoder.codedWidth;
  const total = <u32>width * <u32>decoder.codedHeight;
  const ring = decoder.ring;
  const ringMask = decoder.ringMask;
  const cache = decoder.cache;
  const cacheBits = decoder.cacheBits;
  const cacheShift = 32 - cacheBits;
  const blockMask = decoder.groupMap == 0 ? -1 : (1 << decoder.groupBits) - 1;
  let position = decoder.position;
  let x = decoder.x;
  let y = decoder.y;
  if (position >= target) return true;
  let group = groupAt(decoder, x, y);
  let value = decoder.value;
  let bits = decoder.bits;
  while (position < target) {
    if ((x & blockMask) == 0) group = groupAt(decoder, x, y);
    if (bits < 48) {
      decoder.value = value;
      decoder.bits = bits;
      refill(decoder);
      value = decoder.value;
      bits = decoder.bits;
    }
    let entry = entryFor(group + Group.green, value);
    value >>= <u64>(entry & 15);
    bits -= <i32>(entry & 15);
    const symbol = entry >> 4;
    let pixel: u32 = 0;
    if (symbol < 256) {
      pixel = symbol << 8;
      entry = entryFor(group + Group.red, value);
      value >>= <u64>(entry & 15);
      bits -= <i32>(entry & 15);
      pixel |= (entry >> 4) << 16;
      entry = entryFor(group + Group.blue, value);
      value >>= <u64>(entry & 15);
      bits -= <i32>(entry & 15);
      pixel |= entry >> 4;
      if (bits < 15) {
        decoder.value = value;
        decoder.bits = bits;
        refill(decoder);
        value = decoder.value;
        bits = decoder.bits;
      }
      entry = entryFor(group + Group.alpha, value);
      value >>= <u64>(entry & 15);
      bits -= <i32>(entry & 15);
      pixel |= entry >> 4 << 24;
    } else if (symbol >= 280) {
      pixel = load<u32>(cache + (<usize>(symbol - 280) << 2));
    } else {
      // A copy. 33 bits are there at least: enough for the length; distances need up to 33 more.
      let extra = extraBitsOf(symbol - 256);
      const length = prefixed(symbol - 256, extra, value);
      decoder.value = value >> <u64>extra;
      decoder.bits = bits - <i32>extra;
      refill(decoder);
      value = decoder.value;
      bits = decoder.bits;
      entry = entryFor(group + Group.distance, value);
      value >>= <u64>(entry & 15);
      bits -= <i32>(entry & 15);
      extra = extraBitsOf(entry >> 4);
      const distance = pixelsBack(decoder, prefixed(entry >> 4, extra, value), width);
      value >>= <u64>extra;
      bits -= <i32>extra;
      if (distance > position || length > total - position) {
        decoder.failure = Failure.damaged;
        return false;
      }
      copy(ring, ringMask, position, distance, length);
      if (cacheBits) remember(ring, ringMask, position, length, cache, cacheShift);
      position += length;
      x += <i32>length;
      while (x >= width) {
        x -= width;
        y++;
      }
      if ((x & blockMask) != 0) group = groupAt(decoder, x, min(y, decoder.codedHeight - 1));
      continue;
    }
    // Also what came from the cache: an entry that was never written is 0, which has a place of its own.
    if (cacheBits) store<u32>(cache + (<usize>((pixel * CACHE_MULTIPLIER) >> cacheShift) << 2), pixel);
    store<u32>(ring + (<usize>(position & ringMask) << 2), pixel);
    position++;
    x++;
    if (x == width) {
      x = 0;
      y++;
    }
  }
  decoder.value = value;
  decoder.bits = bits;
  decoder.position = position;
  decoder.x = x;
  decoder.y = y;
  if (!exhausted(decoder)) return true;
  decoder.failure = Failure.damaged;
  return false;
}

/** The distance that a distance code stands for: §3.6.2.2. The first 120 are places around the pixel. */
@inline
function pixelsBack(decoder: Decoder, code: u32, width: i32): u32 {
  if (code > 120) return code - 120;
  const place = <i32>load<u8>(decoder.distances + <usize>code - 1);
  return <u32>max((place >> 4) * width + 8 - (place & 15), 1);
}

/** Copies pixels within the ring, from the first to the last: the two runs may overlap. */
@inline
function copy(ring: usize, mask: u32, position: u32, distance: u32, length: u32): void {
  const to = position & mask;
  const from = (position - distance) & mask;
  if (distance >= 4 && max(to, from) + length + 4 <= mask) {
    let target = ring + (<usize>to << 2);
    let source = ring + (<usize>from << 2);
    // Up to three pixels too many, in the ring's oldest places, which no distance reaches any more.
    const end = target + (<usize>length << 2);
    for (; target < end; target += 16) {
      v128.store(target, v128.load(source));
      source += 16;
    }
    return;
  }
  for (let i: u32 = 0; i < length; i++) {
    const pixel = load<u32>(ring + (<usize>((from + i) & mask) << 2));
    store<u32>(ring + (<usize>((to + i) & mask) << 2), pixel);
  }
}

/** Enters copied pixels into the colour cache. */
function remember(ring: usize, mask: u32, position: u32, length: u32, cache: usize, shift: i32): void {
  for (let i: u32 = 0; i < length; i++) {
    const pixel = load<u32>(ring + (<usize>((position + i) & mask) << 2));
    store<u32>(cache + (<usize>((pixel * CACHE_MULTIPLIER) >> shift) << 2), pixel);
  }
}
