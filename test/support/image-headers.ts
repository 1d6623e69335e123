import type { FormatId } from '../../src/image/formats/format.ts';
import type { ImageHeader } from '../../src/image/header.ts';
import type { ImageOptions } from '../../src/image/options.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Headers as the readers return them, without a file. */
export function jpeg({ width, height }: Size, more: Partial<ImageHeader> = {}, progressive = false): ImageHeader {
  const plane = { horizontal: 1, vertical: 1, quantTable: 1 };
  const components = [
    { id: 1, horizontal: 2, vertical: 2, quantTable: 0 },
    { ...plane, id: 2 },
    { ...plane, id: 3 },
  ];
  const scan = { components: [], start: 700, end: 20 * 1024 * 1024 };
  const scans = { scans: [scan], quantTables: [], complete: true };
  const detail = { components, colour: 'ycbcr', adobe: false, progressive, restartInterval: 0, firstScan: 600, scans };
  return { ...still({ width, height }), format: 'jpg', detail, ...more };
}

export function png(size: Size, more: Partial<ImageHeader> = {}): ImageHeader {
  const detail = { layout: { colourType: more.alpha ? 6 : 2, bitDepth: 8 }, interlaced: false, dataStart: 33 };
  return { ...still(size), format: 'png', detail, ...more };
}

export function webp(size: Size, more: Partial<ImageHeader> = {}): ImageHeader {
  const image = { id: 'VP8 ', start: 12, dataStart: 20, end: 1000 };
  return {
    ...still(size),
    format: 'webp',
    detail: { lossless: false, image, firstPartition: 100, extended: false },
    ...more,
  };
}

export const alphaWebp = (size: Size): ImageHeader => {
  const { detail, ...header } = webp(size, { alpha: true });
  return { ...header, detail: { ...(detail as object), alphaPlane: { id: 'ALPH', start: 1, dataStart: 9, end: 99 } } };
};

export const losslessWebp = (size: Size): ImageHeader => {
  const { detail, ...header } = webp(size, { alpha: true });
  return { ...header, detail: { ...(detail as object), lossless: true } };
};

export function avif(size: Size, more: Partial<ImageHeader> = {}): ImageHeader {
  return { ...still(size), format: 'avif', detail: { coded: size, subsampling: '420' }, ...more };
}

function still({ width, height }: Size) {
  return { width, height, orientation: 1, alpha: false, bitDepth: 8, model: 'rgb', animated: false } as const;
}

export function options(format: FormatId, more: Partial<ImageOptions> = {}): ImageOptions {
  return { format, quality: 82, ...more };
}
