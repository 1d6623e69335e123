import { aligned } from '../../kernels/aligned.ts';
import type { Workspace } from '../../workspace.ts';
import { bytesPerPixel, rowBytes } from './layout.ts';
import { CENSUS_BYTES } from './pixel-census.ts';
import type { PixelEncoding } from './pixel-encoding.ts';
import { type PixelSize, rgbaRowBytes } from './pixel-size.ts';
import { setPattern, VECTOR_BYTES, type WriteKernel, writeKernel } from './write-kernel.ts';

/**
 * How the filter of each row is chosen: one for all rows, or the one of the five whose result has the least sum of absolute
 * differences (third edition, 12.7) or the least entropy.
 */
export const filterStrategies = ['none', 'sub', 'up', 'paeth', 'least-sum', 'least-entropy'] as const;
export type FilterStrategy = (typeof filterStrategies)[number];

const fixedTypes: Partial<Record<FilterStrategy, number>> = { none: 0, sub: 1, up: 2, paeth: 4 };
const SUB = 1;
const UP = 2;

const PALETTE_BYTES = 1024;
const LOG_BYTES = 4096;
const COUNT_BYTES = 4096;

/** A row between zeros and room for a vector. */
function rowRoom(bytes: number): number {
  return aligned(bytes) + 2 * VECTOR_BYTES;
}

/** Bytes of the arena that a `RowCoder` takes. */
export function rowCoderBytes(size: PixelSize): number {
  const rows = 4 * rowRoom(rgbaRowBytes(size)) + rowRoom(size.width) + rowRoom(size.width * 4);
  return rows + 2 * VECTOR_BYTES + PALETTE_BYTES + CENSUS_BYTES + LOG_BYTES + COUNT_BYTES;
}

/** Turns rows of RGBA into rows of a PNG, packed and filtered (third edition, clauses 7.2 and 9). All of it lies in the arena. */
export class RowCoder {
  readonly #kernel: WriteKernel;
  readonly #size: PixelSize;
  /** This row, the one above it, and the result behind its type. */
  #row: Uint8Array;
  #above: Uint8Array;
  readonly #result: Uint8Array;
  readonly #trial: number;
  /** One byte a pixel; 8 bits a sample. */
  readonly #samples: number;
  readonly #narrow: number;
  readonly #pattern: Uint8Array;
  readonly #narrowPattern: Uint8Array;
  readonly #palette: Uint8Array;
  readonly #census: number;
  readonly #logs: number;
  readonly #counts: number;
  #encoding: PixelEncoding = { layout: { colourType: 6, bitDepth: 8 } };
  #strategy: FilterStrategy = 'none';
  #bytes = 0;
  #kept = 0;
  /** The filter of the row above; undefined above the first. */
  #last: number | undefined;

  constructor(size: PixelSize, workspace: Workspace) {
    this.#kernel = writeKernel(workspace);
    this.#size = size;
    const most = rowRoom(rgbaRowBytes(size));
    this.#row = workspace.arena(most);
    this.#above = workspace.arena(most);
    this.#result = workspace.arena(most);
    this.#trial = workspace.arena(most).byteOffset;
    this.#samples = workspace.arena(rowRoom(size.width)).byteOffset;
    this.#narrow = workspace.arena(rowRoom(size.width * 4)).byteOffset;
    this.#pattern = workspace.arena(VECTOR_BYTES);
    this.#narrowPattern = workspace.arena(VECTOR_BYTES);
    this.#palette = workspace.arena(PALETTE_BYTES);
    this.#census = workspace.arena(CENSUS_BYTES).byteOffset;
    const logs = workspace.arena(LOG_BYTES);
    this.#logs = logs.byteOffset;
    fillLogs(new Float32Array(logs.buffer, logs.byteOffset, LOG_BYTES / 4));
    this.#counts = workspace.arena(COUNT_BYTES).byteOffset;
  }

  /** Begins a picture in an encoding that is known to hold its pixels. */
  begin(encoding: PixelEncoding, strategy: FilterStrategy): void {
    this.#encoding = encoding;
    this.#strategy = strategy;
    this.#bytes = rowBytes(encoding.layout, this.#size.width);
    this.#last = undefined;
    this.#above.fill(0);
    if (encoding.palette) {
      this.#palette.set(encoding.palette);
      this.#kernel.setColours(this.#census, this.#palette.byteOffset, encoding.palette.length / 4);
    }
    const { bitsPerSample } = this.#size;
    const kept = keptBytes(encoding, bitsPerSample);
    this.#kept = kept.length;
    setPattern(this.#pattern, kept, bitsPerSample >> 1);
    setPattern(this.#narrowPattern, [0, 2, 4, 6], 8);
  }

  /** Bytes of a row that comes out. */
  get bytes(): number {
    return this.#bytes + 1;
  }

  /** Packs and filters the next row. Returns where it is, its filter's type first, until the next one. @param rgba in the arena */
  code(rgba: Uint8Array): number {
    const row = this.#row.byteOffset + VECTOR_BYTES;
    const above = this.#above.byteOffset + VECTOR_BYTES;
    const result = this.#result.byteOffset + VECTOR_BYTES;
    this.#pack(rgba.byteOffset, row);
    const distance = bytesPerPixel(this.#encoding.layout);
    const type = this.#type(row, above, distance);
    this.#kernel.filterRow(type, row, above, result, this.#bytes, distance);
    this.#result[VECTOR_BYTES - 1] = type;
    this.#last = type;
    [this.#row, this.#above] = [this.#above, this.#row];
    return result - 1;
  }

  #pack(rgba: number, row: number): void {
    const { layout, palette } = this.#encoding;
    const { width, bitsPerSample } = this.#size;
    const kernel = this.#kernel;
    const packed = layout.bitDepth < 8;
    const bytes = packed ? this.#samples : row;
    if (!palette) {
      kernel.selectBytes(rgba, bytes, width, this.#pattern.byteOffset, bitsPerSample >> 1, this.#kept);
    } else {
      let pixels = rgba;
      if (bitsPerSample === 16) {
        pixels = this.#narrow;
        kernel.selectBytes(rgba, pixels, width, this.#narrowPattern.byteOffset, 8, 4);
      }
      kernel.indexPixels(this.#census, pixels, bytes, width);
    }
    if (packed) kernel.packBits(bytes, row, width, layout.bitDepth, palette ? 0 : 8 - layout.bitDepth);
  }

  #type(row: number, above: number, distance: number): number {
    const fixed = fixedTypes[this.#strategy];
    // Nothing is above the first row, so there "up" would leave it as it is.
    if (fixed !== undefined) return fixed === UP && this.#last === undefined ? SUB : fixed;
    const last = this.#last ?? -1;
    const bytes = this.#bytes;
    if (this.#strategy === 'least-sum') return this.#kernel.leastSum(row, above, bytes, distance, last);
    return this.#kernel.leastEntropy(row, above, this.#trial, bytes, distance, last, this.#counts, this.#logs);
  }
}

/** The bytes of a pixel that an encoding without a palette keeps. */
function keptBytes({ layout }: PixelEncoding, bitsPerSample: 8 | 16): number[] {
  const step = bitsPerSample >> 3;
  const channels = { 0: [0], 2: [0, 1, 2], 3: [0], 4: [0, 3], 6: [0, 1, 2, 3] }[layout.colourType];
  return channels.flatMap((channel) => (layout.bitDepth === 16 ? [channel * 2, channel * 2 + 1] : [channel * step]));
}

/** Base-2 logarithms of 1 … 2. */
function fillLogs(logs: Float32Array): void {
  for (let index = 0; index < logs.length; index++) logs[index] = Math.log2(1 + (index + 0.5) / logs.length);
}
