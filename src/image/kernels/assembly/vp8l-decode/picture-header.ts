import { readBits, starved } from './bits';
import {
  fail, Keep, partIsWhole, readCacheBits, readNextGroup, readPartRow, startGroups, startPart, startPixels, take,
} from './part';
import { Decoder, Failure, Step, Transform, TRANSFORM_BYTES } from './state';

@inline
function blocks(side: i32, bits: i32): i32 {
  return (side + (1 << bits) - 1) >> bits;
}

/**
 * Reads transforms, colour cache and codes of the picture (RFC 9649 §3.5, §3.6) up to its pixels, in units that are bounded:
 * `decoder.step` says which one comes. Returns 0, or a `Failure`.
 */
export function readPictureHeader(decoder: Decoder): i32 {
  while (decoder.step != Step.pixels) {
    if (starved(decoder)) return Failure.starved;
    if (!readUnit(decoder)) return decoder.failure;
  }
  return 0;
}

function readUnit(decoder: Decoder): bool {
  if (decoder.step == Step.transform) return readTransform(decoder);
  if (decoder.step == Step.coding) return readCoding(decoder);
  if (decoder.step == Step.group) {
    if (!readNextGroup(decoder)) return false;
    if (decoder.groupsRead == decoder.groupCount) startPicture(decoder);
    return true;
  }
  if (!readPartRow(decoder)) return false;
  return partIsWhole(decoder) ? usePart(decoder) : true;
}

/** The transform that is being read. */
@inline
function transformAt(decoder: Decoder, index: i32): Transform {
  return changetype<Transform>(decoder.transforms + <usize>index * TRANSFORM_BYTES);
}

function readTransform(decoder: Decoder): bool {
  if (!readBits(decoder, 1)) {
    decoder.step = Step.coding;
    return true;
  }
  const type = readBits(decoder, 2);
  for (let i = 0; i < decoder.transformCount; i++) {
    if (transformAt(decoder, i).type == type) return fail(decoder, Failure.damaged);
  }
  const transform = transformAt(decoder, decoder.transformCount);
  transform.type = type;
  transform.width = decoder.packedWidth;
  transform.bits = 0;
  if (type == 2) {
    decoder.transformCount++;
    return true;
  }
  if (type == 3) return startPalette(decoder, transform);
  transform.bits = readBits(decoder, 3) + 2;
  const columns = blocks(transform.width, transform.bits);
  const rows = blocks(decoder.height, transform.bits);
  return startPart(decoder, columns, rows, type == 0 ? Keep.predictor : Keep.multipliers);
}

function startPalette(decoder: Decoder, transform: Transform): bool {
  const colours = readBits(decoder, 8) + 1;
  transform.bits = colours > 16 ? 0 : colours > 4 ? 1 : colours > 2 ? 2 : 3;
  transform.data = take(decoder, 1024);
  if (transform.data == 0) return false;
  return startPart(decoder, colours, 1, Keep.pixel);
}

/** A part is complete: it becomes a transform's data or the map of groups. */
function usePart(decoder: Decoder): bool {
  // Its codes are not needed any more.
  decoder.pool = decoder.partPool;
  if (decoder.partKeep == Keep.group) {
    decoder.groupMap = decoder.partData;
    decoder.cacheBits = decoder.ownCacheBits;
    decoder.step = Step.group;
    return startGroups(decoder, markUsed(decoder, decoder.codedWidth * decoder.codedHeight));
  }
  const transform = transformAt(decoder, decoder.transformCount);
  if (decoder.partKeep == Keep.pixel) {
    addColours(decoder.partData, transform.data, decoder.codedWidth);
    decoder.packedWidth = blocks(decoder.packedWidth, transform.bits);
  } else {
    transform.data = decoder.partData;
  }
  decoder.transformCount++;
  decoder.step = Step.transform;
  return true;
}

/** §4.4: the colours of a palette are differences; those of 256 that are not given are transparent. */
function addColours(given: usize, palette: usize, colours: i32): void {
  memory.fill(palette, 0, 1024);
  let before = i32x4.splat(0);
  for (let i: usize = 0; i < <usize>colours; i++) {
    before = i8x16.add(before, v128.load32_zero(given + i * 4));
    v128.store32_lane(palette + i * 4, before, 0);
  }
}

/** Reads the picture's colour cache and whether there is a map of groups; starts what comes next. */
function readCoding(decoder: Decoder): bool {
  if (!readCacheBits(decoder)) return false;
  decoder.ownCacheBits = decoder.cacheBits;
  if (readBits(decoder, 1)) {
    const bits = readBits(decoder, 3) + 2;
    const columns = blocks(decoder.packedWidth, bits);
    decoder.groupBits = bits;
    decoder.groupColumns = columns;
    return startPart(decoder, columns, blocks(decoder.height, bits), Keep.group);
  }
  decoder.groupMap = 0;
  store<u8>(decoder.used, 1);
  decoder.step = Step.group;
  return startGroups(decoder, 1);
}

/** Marks the groups that occur in the map of `count` blocks; returns one more than the highest. */
function markUsed(decoder: Decoder, count: i32): i32 {
  memory.fill(decoder.used, 0, 8192);
  let highest = 0;
  for (let i: usize = 0; i < <usize>count; i++) {
    const group = <i32>load<u16>(decoder.groupMap + (i << 1));
    const at = decoder.used + <usize>(group >> 3);
    store<u8>(at, <i32>load<u8>(at) | (1 << (group & 7)));
    highest = max(highest, group);
  }
  return highest + 1;
}

/** All codes were read: the picture's pixels follow. */
function startPicture(decoder: Decoder): void {
  startPixels(decoder, decoder.packedWidth, decoder.height);
  decoder.step = Step.pixels;
}
