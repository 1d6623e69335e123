import type { Band } from '../../../frame.ts';

const BYTES_PER_PIXEL = 4;

/**
 * Gathers bands into rows of macroblocks: `rows` is filled with 16 rows of `stride` bytes, continued at the right and at the
 * bottom with the last pixels, each time before it is yielded how many of them are the picture's own.
 */
export async function* macroblockRows(
  bands: AsyncIterable<Band>,
  size: { readonly width: number; readonly height: number },
  rows: Uint8Array,
): AsyncGenerator<number> {
  const stride = rows.length / 16;
  let filled = 0;
  for await (const { pixels, rows: count } of bands) {
    for (let row = 0; row < count; row++) {
      const start = row * size.width * BYTES_PER_PIXEL;
      rows.set(pixels.subarray(start, start + size.width * BYTES_PER_PIXEL), filled * stride);
      continueRow(rows, filled * stride, size.width, stride);
      if (++filled < 16) continue;
      yield filled;
      filled = 0;
    }
  }
  if (filled === 0) return;
  for (let row = filled; row < 16; row++) rows.copyWithin(row * stride, (filled - 1) * stride, filled * stride);
  yield filled;
}

function continueRow(rows: Uint8Array, start: number, width: number, stride: number): void {
  const end = start + width * BYTES_PER_PIXEL;
  for (let at = end; at < start + stride; at += BYTES_PER_PIXEL) rows.copyWithin(at, end - BYTES_PER_PIXEL, end);
}
