import { unfilterRow } from './vp8l-decode/alpha';
import { starved } from './vp8l-decode/bits';
import { readPictureHeader } from './vp8l-decode/picture-header';
import { readPixels } from './vp8l-decode/pixels';
import { Decoder, Failure, Layout, Transform, TRANSFORM_BYTES } from './vp8l-decode/state';
import { addColour, addGreen, addPalette, addPrediction } from './vp8l-decode/transforms';

/*
 * WebP lossless (RFC 9649 §3), by rows. Of the pixels as they are coded only the last 2^20 are kept, further back than which no
 * copy can reach; the transforms are undone row by row. Of the bitstream only a window needs to be there.
 */

/**
 * More bytes than a pixel or a copy can take: four codes of 15 bits, or a length and a distance of 15 bits and at most 18 more each.
 */
const PIXEL_MARGIN: usize = 8;
/**
 * More bytes than a group of codes can take (2328 + 3 × 256 + 40 lengths of up to 14 bits: 5.6 KB), what stands in front of it,
 * the pixels of a palette (256), and what is read ahead.
 */
const CODES_MARGIN: usize = 8192;

/**
 * Lays out the work region (zeroed, the table of distances at its start).
 * @param work–workEnd the work region; what is left of it behind rows and ring is for the file's own tables
 * @param ringPixels a power of two, at least 256: 2^20 or all pixels of the picture
 * @returns 0; -2: the region is too small
 */
export function start(work: usize, workEnd: usize, width: i32, height: i32, ringPixels: u32): i32 {
  const decoder = changetype<Decoder>(work + Layout.decoder);
  decoder.width = width;
  decoder.height = height;
  decoder.packedWidth = width;
  decoder.margin = <usize>width * PIXEL_MARGIN + CODES_MARGIN;
  decoder.distances = work + Layout.distances;
  decoder.transforms = work + Layout.transforms;
  decoder.lengths = work + Layout.lengths;
  decoder.sorted = work + Layout.sorted;
  decoder.cache = work + Layout.cache;
  decoder.used = work + Layout.used;
  decoder.ring = work + Layout.bytes;
  decoder.ringMask = ringPixels - 1;
  // One pixel more behind each row for the predictor, and three for whole vectors.
  const rowBytes = (<usize>width * 4 + 16 + 15) & ~15;
  decoder.raw = decoder.ring + (<usize>ringPixels << 2);
  decoder.rowA = decoder.raw + rowBytes;
  decoder.rowB = decoder.rowA + rowBytes;
  decoder.rowC = decoder.rowB + rowBytes;
  decoder.pool = decoder.rowC + rowBytes;
  decoder.poolEnd = workEnd;
  return decoder.pool > workEnd ? Failure.memory : 0;
}

/**
 * Says where the bitstream behind the picture's sides lies, or what of it was not used yet and as much more as there is.
 * @param more whether it goes on behind `end`
 */
export function feed(work: usize, at: usize, end: usize, more: bool): void {
  const decoder = changetype<Decoder>(work + Layout.decoder);
  decoder.at = at;
  decoder.end = end;
  decoder.more = more;
}

/** Where the first byte is that was not used yet. */
export function unused(work: usize): usize {
  return changetype<Decoder>(work + Layout.decoder).at;
}

/**
 * Reads everything in front of the pixels, or the rest of it.
 * @returns 0; -1: damaged, -2: the file's tables do not fit, -3: nothing is wrong, but more must be fed before it can go on
 */
export function readHeader(work: usize): i32 {
  return readPictureHeader(changetype<Decoder>(work + Layout.decoder));
}

/**
 * Decodes the next rows as RGBA without gaps.
 * @param or what every pixel is combined with: 0, or 0xff000000 to make all opaque
 * @param out up to 12 bytes behind the last row are written
 * @returns how many rows it were: fewer than `rows` where more must be fed first; -1: damaged
 */
export function decodeRows(work: usize, rows: i32, or: u32, out: usize): i32 {
  const decoder = changetype<Decoder>(work + Layout.decoder);
  const width = decoder.width;
  for (let i = 0; i < rows; i++) {
    if (starved(decoder)) return i;
    const row = nextRow(decoder);
    if (row == 0) return Failure.damaged;
    writeRgba(row, out, width, or);
    out += <usize>width << 2;
  }
  return rows;
}

/** Decodes the next rows of an alpha plane: the green of the pixels, filtered rows of `stride` bytes. Returns as `decodeRows`. */
export function decodeAlpha(work: usize, rows: i32, stride: usize, out: usize): i32 {
  const decoder = changetype<Decoder>(work + Layout.decoder);
  for (let i = 0; i < rows; i++) {
    if (starved(decoder)) return i;
    const row = nextRow(decoder);
    if (row == 0) return Failure.damaged;
    for (let x: usize = 0; x < <usize>decoder.width; x++) store<u8>(out + x, load<u8>(row + (x << 2), 1));
    out += stride;
  }
  return rows;
}

/** Undoes the filter of rows of alpha in place, each from the one before; `above` is 0 for the picture's first row. */
export function unfilter(filter: i32, row: usize, rows: i32, stride: usize, above: usize, width: i32): void {
  for (let i = 0; i < rows; i++) {
    unfilterRow(filter, row, above, width);
    above = row;
    row += stride;
  }
}

/** Reads one row of pixels and undoes the transforms. Returns where it is; 0: damaged. */
function nextRow(decoder: Decoder): usize {
  const y = decoder.row;
  const coded = <u32>decoder.codedWidth;
  if (y >= decoder.height || !readPixels(decoder, (<u32>y + 1) * coded)) return 0;
  fromRing(decoder, <u32>y * coded, coded);
  let row = decoder.raw;
  for (let i = decoder.transformCount - 1; i >= 0; i--) {
    const transform = changetype<Transform>(decoder.transforms + <usize>i * TRANSFORM_BYTES);
    row = undo(decoder, transform, row, y);
  }
  decoder.row = y + 1;
  return row;
}

/** The row that a transform's undoing gives; it may be the same. */
function undo(decoder: Decoder, transform: Transform, row: usize, y: i32): usize {
  if (transform.type == 2) {
    addGreen(row, transform.width);
    return row;
  }
  if (transform.type == 1) {
    addColour(transform, row, y);
    return row;
  }
  if (transform.type == 3) {
    const out = row == decoder.raw ? decoder.rowC : decoder.raw;
    addPalette(transform, row, out);
    return out;
  }
  const even = (y & 1) == 0;
  const out = even ? decoder.rowA : decoder.rowB;
  addPrediction(transform, row, even ? decoder.rowB : decoder.rowA, out, y);
  // What follows must not change the row that the next one is predicted from.
  memory.copy(decoder.raw, out, <usize>transform.width << 2);
  return decoder.raw;
}

function fromRing(decoder: Decoder, position: u32, count: u32): void {
  const start = position & decoder.ringMask;
  const first = min(count, decoder.ringMask + 1 - start);
  memory.copy(decoder.raw, decoder.ring + (<usize>start << 2), <usize>first << 2);
  memory.copy(decoder.raw + (<usize>first << 2), decoder.ring, <usize>(count - first) << 2);
}

function writeRgba(row: usize, out: usize, width: i32, or: u32): void {
  const mask = i32x4.splat(or);
  for (const end = row + (<usize>width << 2); row < end; row += 16) {
    const pixels = v128.or(v128.load(row), mask);
    v128.store(out, v128.shuffle<u8>(pixels, pixels, 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15));
    out += 16;
  }
}
