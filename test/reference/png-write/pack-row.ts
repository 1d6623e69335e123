import type { PixelEncoding } from '../../../src/image/formats/png/pixel-encoding.ts';

/** Turns one row of RGBA pixels into the bytes of a PNG row. */
export type RowPacker = (rgba: Uint8Array, row: Uint8Array, width: number) => void;

/**
 * The packer for an encoding that is known to hold the pixels without loss.
 * @param bitsPerSample of the RGBA rows: 8, or 16 with the upper byte first
 */
export function rowPacker(encoding: PixelEncoding, bitsPerSample: 8 | 16): RowPacker {
  const { colourType, bitDepth } = encoding.layout;
  const step = bitsPerSample >> 3;
  if (encoding.palette) return palettePacker(encoding.palette, bitDepth as 1 | 2 | 4 | 8, step);
  if (bitDepth < 8) return (rgba, row, width) => packGreyBits(rgba, row, width, bitDepth, step);
  if (colourType === 6 && bitDepth === bitsPerSample) return (rgba, row) => row.set(rgba.subarray(0, row.length));
  const channels = { 0: [0], 2: [0, 1, 2], 3: [0], 4: [0, 3], 6: [0, 1, 2, 3] }[colourType];
  if (colourType === 2 && bitDepth === 8 && step === 1) return packRgb;
  const offsets = channels.flatMap((channel) => (bitDepth === 16 ? [channel * 2, channel * 2 + 1] : [channel * step]));
  return (rgba, row, width) => packBytes(rgba, row, width, offsets, 4 * step);
}

function packRgb(rgba: Uint8Array, row: Uint8Array, width: number): void {
  for (let x = 0, from = 0, to = 0; x < width; x++, from += 4, to += 3) {
    row[to] = rgba[from]!;
    row[to + 1] = rgba[from + 1]!;
    row[to + 2] = rgba[from + 2]!;
  }
}

function packBytes(rgba: Uint8Array, row: Uint8Array, width: number, offsets: readonly number[], step: number): void {
  let to = 0;
  for (let x = 0, from = 0; x < width; x++, from += step) {
    for (let index = 0; index < offsets.length; index++) row[to++] = rgba[from + offsets[index]!]!;
  }
}

function packGreyBits(rgba: Uint8Array, row: Uint8Array, width: number, depth: number, step: number): void {
  row.fill(0);
  for (let x = 0, from = 0, bit = 0; x < width; x++, from += 4 * step, bit += depth) {
    const sample = rgba[from]! >> (8 - depth);
    row[bit >> 3] = row[bit >> 3]! | (sample << (8 - depth - (bit & 7)));
  }
}

function palettePacker(palette: Uint8Array, depth: 1 | 2 | 4 | 8, step: number): RowPacker {
  const indexOf = new Map<number, number>();
  for (let at = 0; at < palette.length; at += 4) indexOf.set(pixelAt(palette, at, 1), at >> 2);
  return (rgba, row, width) => {
    if (depth < 8) row.fill(0);
    let last = -1;
    let index = 0;
    for (let x = 0, from = 0, bit = 0; x < width; x++, from += 4 * step, bit += depth) {
      const pixel = pixelAt(rgba, from, step);
      if (pixel !== last) {
        index = indexOf.get(pixel) ?? 0;
        last = pixel;
      }
      if (depth === 8) row[x] = index;
      else row[bit >> 3] = row[bit >> 3]! | (index << (8 - depth - (bit & 7)));
    }
  };
}

function pixelAt(rgba: Uint8Array, at: number, step: number): number {
  const pixel = (rgba[at]! << 24) | (rgba[at + step]! << 16) | (rgba[at + 2 * step]! << 8) | rgba[at + 3 * step]!;
  return pixel >>> 0;
}
