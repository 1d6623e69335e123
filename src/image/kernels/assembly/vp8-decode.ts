import { writePixels } from './vp8-decode/colour';
import { readFrameHeader } from './vp8-decode/frame-header';
import { filterRow } from './vp8-decode/loop-filter';
import { readModes } from './vp8-decode/modes';
import { addBlock, addDc } from './vp8-decode/transform';
import { predictSubblock, predictWhole } from './vp8-decode/predict';
import { exhausted, feedReader, startReader, starved } from './vp8-decode/reader';
import { noResiduals, readResiduals } from './vp8-decode/residuals';
import {
  Decoder, DECODER_BYTES, FIXED_BYTES, LUMA_BEFORE, Macroblock, MACROBLOCK_BYTES, PAD, Reader, READER_BYTES, SEGMENT_BYTES,
  Table,
} from './vp8-decode/state';

/*
 * VP8 key frames (RFC 6386), one row of macroblocks at a time. The planes hold two rows of macroblocks: the one that was decoded
 * last, and the one before it, whose lower half the loop filter of the last may still have changed. Rows of pixels are
 * therefore final nine rows late. Of the token partitions only windows need to be there.
 */

/** Luma rows behind the last decoded one that are not final: eight for the filter, one for the chroma row that it needs. */
const LATE: i32 = 9;
/** What `decodeRow` returns when it wants more of a token partition first. */
const STARVED: i32 = -16;
/** 128 bytes for transposed edges, behind the fixed parts. */
const SCRATCH: usize = FIXED_BYTES - 128;

/**
 * Lays out the work region and reads the frame header. The tables are already at its start, the rest of it is zero.
 * @param work–workEnd the work region, as many bytes as the host computes
 * @param first–firstEnd the first partition: it stays where it is
 * @returns how many token partitions there are, of which `feed` must tell before rows are decoded; -1: damaged header;
 * -9: the region is too small
 */
export function start(work: usize, workEnd: usize, first: usize, firstEnd: usize, width: i32, height: i32): i32 {
  const decoder = changetype<Decoder>(work + Table.bytes);
  decoder.width = width;
  decoder.height = height;
  decoder.columns = (width + 15) >> 4;
  decoder.rows = (height + 15) >> 4;
  decoder.row = 0;
  decoder.column = 0;
  if (!layOut(decoder, work, workEnd)) return -9;
  if (readFrameHeader(decoder, first, firstEnd) < 0) return -1;
  for (let i = 0; i < decoder.partitions; i++) startReader(partitionReader(decoder, i), firstEnd, firstEnd);
  return decoder.partitions;
}

@inline
function partitionReader(decoder: Decoder, index: i32): Reader {
  return changetype<Reader>(decoder.readers + <usize>(1 + index) * READER_BYTES);
}

/**
 * Says where a token partition lies, or what of it was not used yet and as much more as there is.
 * @param more whether it goes on behind `end`
 */
export function feed(work: usize, partition: i32, at: usize, end: usize, more: bool): void {
  feedReader(partitionReader(changetype<Decoder>(work + Table.bytes), partition), at, end, more);
}

/** Where the first byte of a token partition is that was not used yet. */
export function unused(work: usize, partition: i32): usize {
  return partitionReader(changetype<Decoder>(work + Table.bytes), partition).at;
}

function layOut(decoder: Decoder, work: usize, workEnd: usize): bool {
  const columns = <usize>decoder.columns;
  decoder.tables = work;
  let at = work + Table.bytes + DECODER_BYTES;
  decoder.segments = at;
  at += 4 * SEGMENT_BYTES;
  decoder.readers = at;
  at += 9 * READER_BYTES;
  decoder.coefficients = at;
  at += 25 * 32;
  decoder.kinds = at;
  at += 32;
  decoder.tokens = work + FIXED_BYTES;
  at = decoder.tokens + 4 * 17 * 48;
  decoder.macroblocks = at;
  at += columns * MACROBLOCK_BYTES;
  decoder.nonzeroAbove = at;
  at += (columns + 1) * 16;
  decoder.modesAbove = at;
  at += (columns * 4 + 15) & ~15;
  decoder.strideY = columns * 16 + 2 * PAD;
  // Sixteen bytes more than pads, so that rows start aligned when the number of columns is odd.
  decoder.strideUv = ((columns * 8 + 15) & ~15) + 2 * PAD;
  decoder.topY = at + PAD;
  decoder.topU = decoder.topY + decoder.strideY;
  decoder.topV = decoder.topU + decoder.strideUv;
  decoder.planeY = decoder.topV + decoder.strideUv;
  decoder.planeU = decoder.planeY + <usize>(LUMA_BEFORE + 16) * decoder.strideY;
  decoder.planeV = decoder.planeU + 16 * decoder.strideUv;
  if (decoder.planeV + 16 * decoder.strideUv - PAD > workEnd) return false;
  memory.fill(decoder.topY - PAD, 127, decoder.strideY + 2 * decoder.strideUv);
  return true;
}

/**
 * Decodes the next row of macroblocks, or the rest of it. Row i has its coefficients in partition i modulo their number.
 * @returns how many rows of the picture are final from its top; STARVED: nothing is wrong, but the row's partition must be fed
 * before it can go on; another negative number: the data is damaged or ends early
 */
export function decodeRow(work: usize): i32 {
  const decoder = changetype<Decoder>(work + Table.bytes);
  if (decoder.row >= decoder.rows) return -3;
  const reader = partitionReader(decoder, decoder.row & (decoder.partitions - 1));
  for (let column = decoder.column; column < decoder.columns; column++) {
    if (starved(reader)) {
      decoder.column = column;
      return STARVED;
    }
    if (column == 0 && !startRow(decoder)) return -4;
    const block = changetype<Macroblock>(decoder.macroblocks + <usize>column * MACROBLOCK_BYTES);
    let some = false;
    if (block.skipped) {
      noResiduals(decoder, block, column);
    } else {
      some = readResiduals(decoder, reader, block, column);
      if (exhausted(reader)) return -5;
    }
    if (some) block.inner = 1;
    reconstruct(decoder, block, column, some);
  }
  keepTop(decoder);
  if (decoder.filterType > 0) filterRow(decoder, work + SCRATCH);
  decoder.row++;
  decoder.column = 0;
  return decoder.row == decoder.rows ? decoder.height : decoder.row * 16 - LATE;
}

/** Returns whether the first partition has the headers of all the row's macroblocks. */
function startRow(decoder: Decoder): bool {
  moveUp(decoder);
  memory.fill(decoder.nonzeroAbove, 0, 16);
  return readModes(decoder);
}

/** See `writePixels`. */
export function writeRows(work: usize, from: i32, rows: i32, alpha: usize, alphaStride: usize, out: usize): void {
  writePixels(changetype<Decoder>(work + Table.bytes), from, rows, alpha, alphaStride, out);
}

/** The last row of macroblocks becomes the one before; in front of the new one's rows stands 129 (§12.2). */
function moveUp(decoder: Decoder): void {
  const lumaBytes = 16 * decoder.strideY;
  const chromaBytes = 8 * decoder.strideUv;
  memory.copy(decoder.planeY - PAD, decoder.planeY - PAD + lumaBytes, lumaBytes);
  memory.copy(decoder.planeU - PAD, decoder.planeU - PAD + chromaBytes, chromaBytes);
  memory.copy(decoder.planeV - PAD, decoder.planeV - PAD + chromaBytes, chromaBytes);
  for (let y: usize = 0; y < 16; y++) store<u8>(decoder.planeY + lumaBytes + y * decoder.strideY - 1, 129);
  for (let y: usize = 0; y < 8; y++) {
    store<u8>(decoder.planeU + chromaBytes + y * decoder.strideUv - 1, 129);
    store<u8>(decoder.planeV + chromaBytes + y * decoder.strideUv - 1, 129);
  }
}

/** Keeps the last row of pixels before it is filtered, which the next row of macroblocks is predicted from. */
function keepTop(decoder: Decoder): void {
  const width = <usize>decoder.columns * 16;
  memory.copy(decoder.topY, decoder.planeY + 31 * decoder.strideY, width);
  memory.copy(decoder.topU, decoder.planeU + 15 * decoder.strideUv, width >> 1);
  memory.copy(decoder.topV, decoder.planeV + 15 * decoder.strideUv, width >> 1);
  store<u8>(decoder.topY - 1, 129);
  store<u8>(decoder.topU - 1, 129);
  store<u8>(decoder.topV - 1, 129);
  // What lies above and to the right of the last macroblock: its neighbour's last pixel, as libwebp has it.
  store<u32>(decoder.topY + width, <u32>load<u8>(decoder.topY + width - 1) * 0x01010101);
}

function reconstruct(decoder: Decoder, block: Macroblock, column: i32, some: bool): void {
  const x = <usize>column * 16;
  const stride = decoder.strideY;
  const at = decoder.planeY + 16 * stride + x;
  const top = decoder.topY + x;
  const up = decoder.row > 0;
  if (block.split) {
    reconstructSplit(decoder, block, at, top, some);
  } else {
    predictWhole(<i32>block.modes, at, stride, top, 16, up, column > 0);
    if (some) {
      for (let i: usize = 0; i < 16; i++) addResidual(decoder, i, at + (i >> 2) * 4 * stride + (i & 3) * 4, stride);
    }
  }
  const offset = 8 * decoder.strideUv + (x >> 1);
  reconstructChroma(decoder, block, decoder.planeU + offset, decoder.topU + (x >> 1), 16, up, column > 0, some);
  reconstructChroma(decoder, block, decoder.planeV + offset, decoder.topV + (x >> 1), 20, up, column > 0, some);
}

function reconstructSplit(decoder: Decoder, block: Macroblock, at: usize, top: usize, some: bool): void {
  const stride = decoder.strideY;
  const modes = changetype<usize>(block) + offsetof<Macroblock>('modes');
  // The four pixels right of the macroblock above serve all four subblocks of the last column.
  const aside = <u64>load<u32>(top, 16) << 32;
  for (let i: usize = 0; i < 16; i++) {
    const column = i & 3;
    const out = at + (i >> 2) * 4 * stride + column * 4;
    const above = i < 4 ? top + column * 4 : out - stride;
    const edge = column < 3 ? load<u64>(above) : <u64>load<u32>(above) | aside;
    // The corner of a lower row's first subblock is a pixel to the left.
    predictSubblock(load<u8>(modes + i), out, stride, edge, load<u8>(above - 1));
    if (some) addResidual(decoder, i, out, stride);
  }
}

function reconstructChroma(
  decoder: Decoder, block: Macroblock, at: usize, top: usize, first: usize, up: bool, left: bool, some: bool,
): void {
  const stride = decoder.strideUv;
  predictWhole(block.chromaMode, at, stride, top, 8, up, left);
  if (!some) return;
  for (let i: usize = 0; i < 4; i++) addResidual(decoder, first + i, at + (i >> 1) * 4 * stride + (i & 1) * 4, stride);
}

@inline
function addResidual(decoder: Decoder, block: usize, at: usize, stride: usize): void {
  const kind = load<u8>(decoder.kinds + block);
  if (kind == 0) return;
  const coefficients = decoder.coefficients + block * 32;
  if (kind == 2) addBlock(coefficients, at, stride);
  else addDc(load<i16>(coefficients), at, stride);
}
