import { exhausted, readBits } from './bits';
import { readGroup } from './codes';
import { readPixels } from './pixels';
import { Decoder, Failure, Group, Transform, TRANSFORM_BYTES } from './state';

/** What of a pixel of a part is kept. */
namespace Keep {
  /** The predictor's number, in green: a byte. */
  export const predictor: i32 = 0;
  /** Three multipliers: red, green, blue as they are, three bytes. */
  export const multipliers: i32 = 1;
  /** The number of a group, in red and green: two bytes. */
  export const group: i32 = 2;
  /** The whole pixel. */
  export const pixel: i32 = 3;
}

function fail(decoder: Decoder, failure: i32): bool {
  if (decoder.failure == 0) decoder.failure = failure;
  return false;
}

/** Takes bytes from the pool; 0 when there are not so many. */
function take(decoder: Decoder, bytes: usize): usize {
  const at = (decoder.pool + 15) & ~15;
  if (at > decoder.poolEnd || bytes > decoder.poolEnd - at) {
    decoder.failure = Failure.memory;
    return 0;
  }
  decoder.pool = at + bytes;
  return at;
}

@inline
function blocks(side: i32, bits: i32): i32 {
  return (side + (1 << bits) - 1) >> bits;
}

/** Reads transforms, colour cache and codes of the picture (RFC 9649 §3.5, §3.6); then its pixels follow. */
export function readPictureHeader(decoder: Decoder): bool {
  let width = decoder.width;
  let seen = 0;
  while (readBits(decoder, 1)) {
    const type = readBits(decoder, 2);
    if (seen & (1 << type)) return fail(decoder, Failure.damaged);
    seen |= 1 << type;
    const transform = changetype<Transform>(decoder.transforms + <usize>decoder.transformCount * TRANSFORM_BYTES);
    transform.type = type;
    transform.width = width;
    transform.bits = 0;
    if (!readTransform(decoder, transform)) return false;
    if (type == 3) width = blocks(width, transform.bits);
    decoder.transformCount++;
  }
  return readCoding(decoder, width, decoder.height, true);
}

function readTransform(decoder: Decoder, transform: Transform): bool {
  if (transform.type == 2) return true;
  if (transform.type == 3) return readPalette(decoder, transform);
  transform.bits = readBits(decoder, 3) + 2;
  const columns = blocks(transform.width, transform.bits);
  const rows = blocks(decoder.height, transform.bits);
  transform.data = readPart(decoder, columns, rows, transform.type == 0 ? Keep.predictor : Keep.multipliers);
  return transform.data != 0;
}

/** §4.4: the colours are differences; those that are not given are transparent. */
function readPalette(decoder: Decoder, transform: Transform): bool {
  const colours = readBits(decoder, 8) + 1;
  transform.bits = colours > 16 ? 0 : colours > 4 ? 1 : colours > 2 ? 2 : 3;
  const palette = take(decoder, 1024);
  if (palette == 0) return false;
  memory.fill(palette, 0, 1024);
  const given = readPart(decoder, colours, 1, Keep.pixel);
  if (given == 0) return false;
  let before = i32x4.splat(0);
  for (let i: usize = 0; i < <usize>colours; i++) {
    before = i8x16.add(before, v128.load32_zero(given + i * 4));
    v128.store32_lane(palette + i * 4, before, 0);
  }
  transform.data = palette;
  return true;
}

/** Reads a part that is a picture of its own (§3.6 "entropy-coded image") and keeps what is wanted of its pixels. */
function readPart(decoder: Decoder, width: i32, height: i32, keep: i32): usize {
  const size: usize = keep == Keep.predictor ? 1 : keep == Keep.multipliers ? 3 : keep == Keep.group ? 2 : 4;
  const data = take(decoder, <usize>width * <usize>height * size + 16);
  if (data == 0) return 0;
  const pool = decoder.pool;
  if (!readCoding(decoder, width, height, false)) return 0;
  let out = data;
  for (let y = 0; y < height; y++) {
    const start = <u32>y * <u32>width;
    if (!readPixels(decoder, start + <u32>width)) return 0;
    for (let x: u32 = 0; x < <u32>width; x++) {
      const pixel = load<u32>(decoder.ring + (<usize>((start + x) & decoder.ringMask) << 2));
      keepPixel(out, pixel, keep);
      out += size;
    }
  }
  decoder.pool = pool;
  return data;
}

@inline
function keepPixel(out: usize, pixel: u32, keep: i32): void {
  if (keep == Keep.predictor) store<u8>(out, (pixel >> 8) & 15);
  else if (keep == Keep.group) store<u16>(out, pixel >> 8);
  else if (keep == Keep.pixel) store<u32>(out, pixel);
  else {
    store<u16>(out, pixel);
    store<u8>(out, pixel >> 16, 2);
  }
}

/** Reads the colour cache's size and the codes of a picture or a part; its pixels follow. */
function readCoding(decoder: Decoder, width: i32, height: i32, whole: bool): bool {
  decoder.cacheBits = 0;
  if (readBits(decoder, 1)) {
    const cacheBits = readBits(decoder, 4);
    if (cacheBits < 1 || cacheBits > 11) return fail(decoder, Failure.damaged);
    decoder.cacheBits = cacheBits;
  }
  const ownCacheBits = decoder.cacheBits;
  let groups = 1;
  decoder.groupMap = 0;
  if (whole && readBits(decoder, 1)) {
    const bits = readBits(decoder, 3) + 2;
    const columns = blocks(width, bits);
    const count = columns * blocks(height, bits);
    const map = readPart(decoder, columns, blocks(height, bits), Keep.group);
    if (map == 0) return false;
    groups = markUsed(decoder, map, count);
    decoder.groupMap = map;
    decoder.groupBits = bits;
    decoder.groupColumns = columns;
  } else {
    memory.fill(decoder.used, 255, 1);
  }
  decoder.cacheBits = ownCacheBits;
  decoder.groups = take(decoder, <usize>groups * Group.bytes);
  if (decoder.groups == 0) return false;
  for (let i: usize = 0; i < <usize>groups; i++) {
    const keep = (load<u8>(decoder.used + (i >> 3)) >> (<u8>i & 7)) & 1;
    if (!readGroup(decoder, decoder.groups + i * Group.bytes, keep != 0)) return false;
    if (exhausted(decoder)) return fail(decoder, Failure.damaged);
  }
  startPixels(decoder, width, height);
  return true;
}

/** Marks the groups that occur; returns one more than the highest. */
function markUsed(decoder: Decoder, map: usize, count: i32): i32 {
  memory.fill(decoder.used, 0, 8192);
  let highest = 0;
  for (let i: usize = 0; i < <usize>count; i++) {
    const group = <i32>load<u16>(map + (i << 1));
    const at = decoder.used + <usize>(group >> 3);
    store<u8>(at, <i32>load<u8>(at) | (1 << (group & 7)));
    highest = max(highest, group);
  }
  return highest + 1;
}

function startPixels(decoder: Decoder, width: i32, height: i32): void {
  decoder.codedWidth = width;
  decoder.codedHeight = height;
  decoder.position = 0;
  decoder.x = 0;
  decoder.y = 0;
  memory.fill(decoder.cache, 0, <usize>4 << (<usize>decoder.cacheBits));
}
