import type { ChromaSubsampling } from '../../chroma-subsampling.ts';
import { type Curve, interpolate } from '../../interpolate.ts';

/** Sides in pixels. */
export interface StripSize {
  readonly width: number;
  readonly rows: number;
}

/** Bytes of headers and tables of a file, and of the arena below the library's heap. */
const HEADER_BYTES = 1500;
const STATIC_BYTES = 300_000;
/** The library's part of the arena ends with a page of it. */
const PAGE_BYTES = 65_536;
/** Bytes of the library's heap as measured: for each pixel, for each pixel of width, for each byte of output, which is doubled. */
const BYTES_PER_PIXEL: Readonly<Record<ChromaSubsampling, number>> = { '4:2:0': 14.2, '4:4:4': 20.1 };
const BYTES_PER_COLUMN = 30;
const BYTES_PER_OUTPUT_BYTE = 4;
/**
 * Bytes a pixel of the file by quality, as measured with the worst pictures: noise of black and white, and of full and no red, green
 * and blue. Between the measured qualities the truth is convex.
 */
const FILE_BYTES_PER_PIXEL: Readonly<Record<ChromaSubsampling, Curve>> = {
  '4:2:0': [
    [40, 0.36],
    [82, 0.8],
    [89, 0.96],
    [95, 1.25],
    [98, 1.55],
    [100, 1.85],
  ],
  '4:4:4': [
    [90, 2.1],
    [95, 2.5],
    [98, 3.02],
    [100, 3.4],
  ],
};

/** The most bytes that a strip's file can take. Blocks on its edges are coded whole. */
export function stripFileBytes(strip: StripSize, chroma: ChromaSubsampling, quality: number): number {
  return HEADER_BYTES + Math.ceil(paddedPixels(strip, chroma) * interpolate(FILE_BYTES_PER_PIXEL[chroma], quality));
}

/** The most bytes of the arena that mozjpeg takes for a strip, however often it is used. */
export function libraryBytes(strip: StripSize, chroma: ChromaSubsampling, quality: number): number {
  const pixels = paddedPixels(strip, chroma) * BYTES_PER_PIXEL[chroma];
  const output = stripFileBytes(strip, chroma, quality) * BYTES_PER_OUTPUT_BYTE;
  return Math.ceil((STATIC_BYTES + pixels + strip.width * BYTES_PER_COLUMN + output) / PAGE_BYTES) * PAGE_BYTES;
}

function paddedPixels({ width, rows }: StripSize, chroma: ChromaSubsampling): number {
  const side = chroma === '4:2:0' ? 16 : 8;
  return Math.ceil(width / side) * side * Math.ceil(rows / side) * side;
}
