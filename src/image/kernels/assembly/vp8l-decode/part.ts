import { exhausted, readBits } from './bits';
import { readGroup } from './codes';
import { readPixels } from './pixels';
import { Decoder, Failure, Group, Step } from './state';

/** What of a pixel of a part is kept. */
export namespace Keep {
  /** The predictor's number, in green: a byte. */
  export const predictor: i32 = 0;
  /** Three multipliers: red, green, blue as they are, three bytes. */
  export const multipliers: i32 = 1;
  /** The number of a group, in red and green: two bytes. */
  export const group: i32 = 2;
  /** The whole pixel. */
  export const pixel: i32 = 3;
}

/** Remembers the first failure; false. */
export function fail(decoder: Decoder, failure: i32): bool {
  if (decoder.failure == 0) decoder.failure = failure;
  return false;
}

/** Takes bytes from the pool; 0 when there are not so many. */
export function take(decoder: Decoder, bytes: usize): usize {
  const at = (decoder.pool + 15) & ~15;
  if (at > decoder.poolEnd || bytes > decoder.poolEnd - at) {
    decoder.failure = Failure.memory;
    return 0;
  }
  decoder.pool = at + bytes;
  return at;
}

/** Reads the number of bits of a colour cache's index; 0: there is none. */
export function readCacheBits(decoder: Decoder): bool {
  decoder.cacheBits = 0;
  if (!readBits(decoder, 1)) return true;
  const cacheBits = readBits(decoder, 4);
  if (cacheBits < 1 || cacheBits > 11) return fail(decoder, Failure.damaged);
  decoder.cacheBits = cacheBits;
  return true;
}

/** Reads the next of the groups of codes that there is room for. */
export function readNextGroup(decoder: Decoder): bool {
  const index = <usize>decoder.groupsRead;
  const keep = (load<u8>(decoder.used + (index >> 3)) >> (<u8>index & 7)) & 1;
  if (!readGroup(decoder, decoder.groups + index * Group.bytes, keep != 0)) return false;
  if (exhausted(decoder)) return fail(decoder, Failure.damaged);
  decoder.groupsRead++;
  return true;
}

/** Makes room for groups of codes. */
export function startGroups(decoder: Decoder, count: i32): bool {
  decoder.groups = take(decoder, <usize>count * Group.bytes);
  decoder.groupCount = count;
  decoder.groupsRead = 0;
  return decoder.groups != 0;
}

export function startPixels(decoder: Decoder, width: i32, height: i32): void {
  decoder.codedWidth = width;
  decoder.codedHeight = height;
  decoder.position = 0;
  decoder.x = 0;
  decoder.y = 0;
  memory.fill(decoder.cache, 0, <usize>4 << (<usize>decoder.cacheBits));
}

/**
 * Starts a part that is a picture of its own (§3.6 "entropy-coded image") of which only `keep` is kept: reads what stands in
 * front of its pixels. Its rows come next.
 */
export function startPart(decoder: Decoder, width: i32, height: i32, keep: i32): bool {
  const data = take(decoder, <usize>width * <usize>height * sizeOf(keep) + 16);
  if (data == 0) return false;
  decoder.partKeep = keep;
  decoder.partData = data;
  decoder.partNext = data;
  decoder.partPool = decoder.pool;
  decoder.groupMap = 0;
  store<u8>(decoder.used, 1);
  if (!readCacheBits(decoder) || !startGroups(decoder, 1) || !readNextGroup(decoder)) return false;
  startPixels(decoder, width, height);
  decoder.step = Step.partRow;
  return true;
}

/** Bytes of what is kept of a pixel. */
@inline
function sizeOf(keep: i32): usize {
  return keep == Keep.predictor ? 1 : keep == Keep.multipliers ? 3 : keep == Keep.group ? 2 : 4;
}

/** Reads a row of a part. */
export function readPartRow(decoder: Decoder): bool {
  const width = <u32>decoder.codedWidth;
  const size = sizeOf(decoder.partKeep);
  let out = decoder.partNext;
  const start = <u32>((out - decoder.partData) / size);
  if (!readPixels(decoder, start + width)) return false;
  for (let x: u32 = 0; x < width; x++) {
    keepPixel(out, load<u32>(decoder.ring + (<usize>((start + x) & decoder.ringMask) << 2)), decoder.partKeep);
    out += size;
  }
  decoder.partNext = out;
  return true;
}

/** Whether a part's last row was read. */
export function partIsWhole(decoder: Decoder): bool {
  const pixels = <usize>decoder.codedWidth * <usize>decoder.codedHeight;
  return decoder.partNext == decoder.partData + pixels * sizeOf(decoder.partKeep);
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
