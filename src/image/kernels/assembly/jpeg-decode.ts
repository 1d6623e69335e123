import { convertCmyk, convertRgb, convertYcbcr } from './jpeg-decode/colour';
import {
  AC_FIRST,
  AC_REFINEMENT,
  CMYK,
  Component,
  componentAt,
  Decoder,
  FINE,
  GREY,
  RGB,
  scanAt,
  SEQUENTIAL,
} from './jpeg-decode/decoder';
import { inverseDct } from './jpeg-decode/inverse-dct';
import { dataEnd, withoutFillBytes } from './jpeg-decode/markers';
import { decodeAcFirstRow, decodeAcRefinementRow, decodeDcRow } from './jpeg-decode/progressive';
import { decodeSequentialRow } from './jpeg-decode/sequential';
import { upsampledRow } from './jpeg-decode/upsample';

/*
 * Decodes JPEG (ITU-T T.81), baseline, extended sequential and progressive. Scans are bit streams of their own, and the
 * coefficients of a block depend on nothing but the same block in earlier scans: so all scans advance in step, a row of MCUs
 * at a time, and a few rows of coefficients and samples are all that is ever held. Of each scan's data only a window need be
 * there: where it ends before an MCU that might reach behind it, the call answers STARVED and is made again.
 */

/** Where the entropy-coded data that starts at `from` ends: at the next marker that is not RSTn, or at `end`. */
export function findDataEnd(from: usize, end: usize): usize {
  return dataEnd(from, end);
}

/** Drops fill bytes between `from` and `end` and moves the rest up to `end`. @returns where it starts now */
export function dropFillBytes(from: usize, end: usize): usize {
  return withoutFillBytes(from, end);
}

/** Decodes the next row of MCUs to samples, or goes on with it. @returns 0, or what else `decoder` knows */
export function decodeRow(decoder: Decoder): i32 {
  if (decoder.running == 0) startRow(decoder);
  for (; decoder.scan < decoder.scanCount; decoder.scan++) {
    const scan = scanAt(decoder, decoder.scan);
    const kind = scan.kind;
    let result: i32;
    if (kind == SEQUENTIAL) result = decodeSequentialRow(decoder, scan);
    else if (kind == AC_FIRST) result = decodeAcFirstRow(decoder, scan);
    else if (kind == AC_REFINEMENT) result = decodeAcRefinementRow(decoder, scan);
    else result = decodeDcRow(decoder, scan);
    if (result != FINE) return result;
    scan.line = 0;
    scan.mcu = 0;
  }
  if (decoder.direct == 0) {
    for (let index = 0; index < decoder.componentCount; index++) {
      transformRow(decoder, componentAt(decoder, index));
    }
  }
  decoder.row++;
  decoder.running = 0;
  return FINE;
}

function startRow(decoder: Decoder): void {
  const row = decoder.row;
  for (let index = 0; index < decoder.componentCount; index++) {
    const component = componentAt(decoder, index);
    const slot = decoder.context != 0 ? row & 1 : 0;
    component.target = component.plane + <usize>(slot * component.vertical * component.blockSide * component.stride);
  }
  if (decoder.direct == 0) memory.fill(decoder.coefficients, 0, decoder.coefficientBytes);
  decoder.scan = 0;
  decoder.running = 1;
}

/** Turns the coefficients of one component into samples. */
function transformRow(decoder: Decoder, component: Component): void {
  const side = component.blockSide;
  const stride = component.stride;
  const rows = min(component.vertical, component.blocksDown - decoder.row * component.vertical);
  for (let y = 0; y < rows; y++) {
    let target = component.target + <usize>(y * side * stride);
    let block = component.coefficients + (<usize>(y * component.paddedAcross) << 7);
    let extent = component.extents + <usize>(y * component.paddedAcross);
    for (let x = 0; x < component.blocksAcross; x++) {
      inverseDct(block, component.quant, target, stride, side, load<u8>(extent), decoder.scratch);
      target += side;
      block += 128;
      extent++;
    }
  }
}

/** Writes `rows` rows of the picture from row `y` on, four bytes a pixel, and up to 60 bytes behind them. */
export function writeRows(decoder: Decoder, y: i32, rows: i32, pixels: usize): void {
  const width = decoder.width;
  const colour = decoder.colour;
  const count = decoder.componentCount;
  for (const end = y + rows; y < end; y++, pixels += <usize>width << 2) {
    const a = upsampledRow(componentAt(decoder, 0), y, decoder.sums);
    if (colour == GREY) {
      convertRgb(a, a, a, width, pixels);
      continue;
    }
    const b = upsampledRow(componentAt(decoder, 1), y, decoder.sums);
    const c = upsampledRow(componentAt(decoder, 2), y, decoder.sums);
    const d = count > 3 ? upsampledRow(componentAt(decoder, 3), y, decoder.sums) : 0;
    if (colour == RGB) convertRgb(a, b, c, width, pixels);
    else if (colour == CMYK) convertCmyk(a, b, c, d, width, pixels);
    else convertYcbcr(a, b, c, d, width, pixels);
  }
}
