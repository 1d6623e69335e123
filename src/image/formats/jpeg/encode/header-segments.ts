import { marker } from '../segments.ts';
import type { CodingLayout } from './coding-layout.ts';
import type { HuffmanCode } from './huffman-code.ts';

const SOF2 = 0xc2;

/** A part of the spectrum of some components, and the bits of it that a scan adds (T.81 B.2.3). */
export interface ScanHeader {
  readonly components: readonly number[];
  /** The band, in zig-zag order. */
  readonly first: number;
  readonly last: number;
  /** The point transform of the scan before (0: there is none) and of this one. */
  readonly high: number;
  readonly low: number;
}

/** A code with the place it is stored at: class 0 is DC, 1 is AC. */
export interface PlacedCode {
  readonly class: 0 | 1;
  readonly slot: number;
  readonly code: HuffmanCode;
}

/** SOI and JFIF (T.871 10.1): version 1.01, square pixels, no thumbnail. */
export const fileStart: Uint8Array<ArrayBuffer> = Uint8Array.of(
  ...[0xff, marker.SOI, 0xff, marker.APP0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0],
);

export const fileEnd: Uint8Array<ArrayBuffer> = Uint8Array.of(0xff, marker.EOI);

/** The frame header (T.81 B.2.2) of a Y′CbCr picture: luma has quantisation table 0, chroma 1. */
export function frameHeader(
  { width, height, components }: CodingLayout,
  progressive: boolean,
): Uint8Array<ArrayBuffer> {
  const perComponent = components.flatMap(({ horizontal, vertical }, index) => [
    index + 1,
    (horizontal << 4) | vertical,
    index === 0 ? 0 : 1,
  ]);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return segment(progressive ? SOF2 : marker.SOF0, [8, ...size, components.length, ...perComponent]);
}

/** Huffman tables (T.81 B.2.4.2). */
export function codeTables(codes: readonly PlacedCode[]): Uint8Array<ArrayBuffer> {
  const tables = codes.flatMap(({ class: kind, slot, code }) => [(kind << 4) | slot, ...code.counts, ...code.symbols]);
  return segment(marker.DHT, tables);
}

/** Luma uses the tables of slot 0, chroma, where it is in a scan with luma, those of slot 1. */
export function scanHeader({ components, first, last, high, low }: ScanHeader): Uint8Array<ArrayBuffer> {
  const selectors = components.flatMap((index) => [index + 1, components.length > 1 && index > 0 ? 0x11 : 0x00]);
  return segment(marker.SOS, [components.length, ...selectors, first, last, (high << 4) | low]);
}

function segment(code: number, data: readonly number[]): Uint8Array<ArrayBuffer> {
  const length = data.length + 2;
  return Uint8Array.of(0xff, code, length >> 8, length & 255, ...data);
}
