import { bandRows, type Frame } from '../frame.ts';
import { windowSize } from './lanczos.ts';

/** Sides in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How one resampling is laid out in its region. All sizes in bytes unless said otherwise. */
export interface ResampleLayout {
  /** Taps of an output pixel across, padded with weights of 0 to whole vectors, and rows of the vertical window. */
  readonly columnTaps: number;
  readonly rowTaps: number;
  /** A weight, and a pixel of a row between the two passes. */
  readonly weight: 2 | 4;
  readonly pixel: 8 | 16;
  /** One input row: as bytes where it comes from outside the arena or is shorter than a window, premultiplied where there is alpha. */
  readonly row: number;
  readonly premultiplied: number;
  /** Distance of two rows of the ring. */
  readonly ringStride: number;
  /** Rows of an output band, in rows. */
  readonly bandRows: number;
  /** The pieces of the region. */
  readonly pieces: {
    readonly row: number;
    readonly premultiplied: number;
    readonly windows: number;
    readonly columnWeights: number;
    readonly rowWeights: number;
    readonly rowPointers: number;
    readonly ring: number;
    readonly band: number;
  };
  readonly bytes: number;
}

const CACHE_LINE = 64;

export function layOutResample(from: Frame, to: Size): ResampleLayout {
  const columnTaps = roundUp(windowSize({ from: from.width, to: to.width }), 4);
  const rowTaps = windowSize({ from: from.height, to: to.height });
  const weight = from.alpha ? 4 : 2;
  const pixel = from.alpha ? 16 : 8;
  const row = Math.max(from.width, columnTaps) * 4;
  const premultiplied = from.alpha ? row * 4 : 0;
  // An odd number of cache lines: rows then never share one set of the cache.
  const ringStride = (Math.ceil((to.width * pixel) / CACHE_LINE) | 1) * CACHE_LINE;
  const rows = Math.min(bandRows(to.width), to.height);
  const lengths = {
    row,
    premultiplied,
    windows: to.width * 4,
    columnWeights: to.width * columnTaps * weight,
    rowWeights: roundUp(rowTaps, 2) * weight,
    rowPointers: roundUp(rowTaps, 2) * 4,
    ring: rowTaps * ringStride,
    // The last vector of the last row may be written whole.
    band: rows * to.width * 4 + 16,
  };
  let bytes = 0;
  const place = (length: number) => {
    const at = bytes;
    bytes += roundUp(length, 16);
    return at;
  };
  const pieces = {
    row: place(lengths.row),
    premultiplied: place(lengths.premultiplied),
    windows: place(lengths.windows),
    columnWeights: place(lengths.columnWeights),
    rowWeights: place(lengths.rowWeights),
    rowPointers: place(lengths.rowPointers),
    ring: place(lengths.ring),
    band: place(lengths.band),
  };
  return { columnTaps, rowTaps, weight, pixel, row, premultiplied, ringStride, bandRows: rows, pieces, bytes };
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
