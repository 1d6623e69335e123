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
import { dataEnd } from './jpeg-decode/markers';
import { decodeAcFirstRow, decodeAcRefinementRow, decodeDcRow } from './jpeg-decode/progressive';
import { decodeSequentialRow } from './jpeg-decode/sequential';
import { upsampledRow } from './jpeg-decode/upsample';

/*
 * Decodes JPEG (ITU-T T.81), baseline, extended sequential and progressive. Scans are bit streams of their own, and the
 * coefficients of a block depend on nothing but the same block in earlier scans: so all scans advance in step, a row of MCUs
 * at a time, and a few rows of coefficients and samples are all that is ever held.
 */

/** Where the entropy-coded data that starts at `from` ends: at the next marker that is not RSTn, or at `end`. */
export function findDataEnd(from: usize, end: usize): usize {
  return dataEnd(from, end);
}

/** Decodes the next row of MCUs to samples. @returns 0, or one of the failures in `decoder` */
export function decodeRow(decoder: Decoder): i32 {
  const row = decoder.row;
  for (let index = 0; index < decoder.componentCount; index++) {
    const component = componentAt(decoder, index);
    const slot = decoder.context != 0 ? row & 1 : 0;
    component.target = component.plane + <usize>(slot * component.vertical * component.blockSide * component.stride);
  }
  if (decoder.direct == 0) memory.fill(decoder.coefficients, 0, decoder.coefficientBytes);
  for (let index = 0; index < decoder.scanCount; index++) {
    const scan = scanAt(decoder, index);
    const kind = scan.kind;
    let failure: i32;
    if (kind == SEQUENTIAL) failure = decodeSequentialRow(decoder, scan);
    else if (kind == AC_FIRST) failure = decodeAcFirstRow(decoder, scan);
    else if (kind == AC_REFINEMENT) failure = decodeAcRefinementRow(decoder, scan);
    else failure = decodeDcRow(decoder, scan);
    if (failure != FINE) return failure;
  }
  if (decoder.direct == 0) {
    for (let index = 0; index < decoder.componentCount; index++) {
      transformRow(decoder, componentAt(decoder, index));
    }
  }
  decoder.row = row + 1;
  return FINE;
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
