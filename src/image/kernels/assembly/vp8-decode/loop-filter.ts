import { innerRows, innerScratch, outerRows, outerScratch, simpleAcrossColumns, simpleAcrossRows } from './edge-filters';
import { Decoder, LUMA_BEFORE, Macroblock, MACROBLOCK_BYTES } from './state';
import { columnsToScratch, scratchToColumns } from './transposed-edge';

/** Filters across a vertical edge: eight rows at each of two places. */
@inline
function acrossColumns(
  first: usize, second: usize, stride: usize, scratch: usize, edge: i32, interior: i32, variance: i32, outer: bool,
): void {
  columnsToScratch(first - 4, second - 4, stride, scratch);
  if (outer) outerScratch(scratch, edge, interior, variance);
  else innerScratch(scratch, edge, interior, variance);
  scratchToColumns(first - 4, second - 4, stride, scratch);
}

/** Filters across a horizontal edge of both chroma planes, eight pixels of each. */
@inline
function chromaRows(
  u: usize, v: usize, stride: usize, scratch: usize, edge: i32, interior: i32, variance: i32, outer: bool,
): void {
  for (let y: usize = 0; y < 8; y++) {
    const at = scratch + y * 16;
    store<u64>(at, load<u64>(u + y * stride - 4 * stride));
    store<u64>(at, load<u64>(v + y * stride - 4 * stride), 8);
  }
  if (outer) outerScratch(scratch, edge, interior, variance);
  else innerScratch(scratch, edge, interior, variance);
  for (let y: usize = 1; y < 7; y++) {
    const at = scratch + y * 16;
    store<u64>(u + y * stride - 4 * stride, load<u64>(at));
    store<u64>(v + y * stride - 4 * stride, load<u64>(at, 8));
  }
}

/** Filters the row of macroblocks that was just decoded: §15.1. `scratch` is 128 bytes. */
export function filterRow(decoder: Decoder, scratch: usize): void {
  const strideY = decoder.strideY;
  const strideUv = decoder.strideUv;
  const up = decoder.row > 0;
  for (let column: usize = 0; column < <usize>decoder.columns; column++) {
    const block = changetype<Macroblock>(decoder.macroblocks + column * MACROBLOCK_BYTES);
    const parameters = block.filter;
    if (parameters == 0) continue;
    const y = decoder.planeY + <usize>LUMA_BEFORE * strideY + column * 16;
    const limit = <i32>(parameters & 255);
    if (decoder.filterType == 1) {
      filterSimple(y, strideY, limit, column > 0, block.inner != 0, up);
      continue;
    }
    const u = decoder.planeU + 8 * strideUv + column * 8;
    const v = decoder.planeV + 8 * strideUv + column * 8;
    const interior = <i32>((parameters >> 8) & 255);
    const variance = <i32>(parameters >> 16);
    if (column > 0) {
      acrossColumns(y, y + 8 * strideY, strideY, scratch, limit + 4, interior, variance, true);
      acrossColumns(u, v, strideUv, scratch, limit + 4, interior, variance, true);
    }
    if (block.inner) {
      for (let x: usize = 4; x < 16; x += 4) {
        acrossColumns(y + x, y + x + 8 * strideY, strideY, scratch, limit, interior, variance, false);
      }
      acrossColumns(u + 4, v + 4, strideUv, scratch, limit, interior, variance, false);
    }
    if (up) {
      outerRows(y, strideY, limit + 4, interior, variance);
      chromaRows(u, v, strideUv, scratch, limit + 4, interior, variance, true);
    }
    if (block.inner) {
      for (let row: usize = 4; row < 16; row += 4) innerRows(y + row * strideY, strideY, limit, interior, variance);
      chromaRows(u + 4 * strideUv, v + 4 * strideUv, strideUv, scratch, limit, interior, variance, false);
    }
  }
}

@inline
function filterSimple(y: usize, stride: usize, limit: i32, left: bool, inner: bool, up: bool): void {
  if (left) simpleAcrossColumns(y, stride, limit + 4);
  if (inner) for (let x: usize = 4; x < 16; x += 4) simpleAcrossColumns(y + x, stride, limit);
  if (up) simpleAcrossRows(y, stride, limit + 4);
  if (inner) for (let row: usize = 4; row < 16; row += 4) simpleAcrossRows(y + row * stride, stride, limit);
}
