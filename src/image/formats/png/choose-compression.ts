import { constants, deflateSync } from 'node:zlib';
import type { Workspace } from '../../workspace.ts';
import { compressionLevel } from './compression-level.ts';
import { type FilterStrategy, filterStrategies, RowFilter } from './filter.ts';
import { DEFLATER_BYTES } from './image-data.ts';
import { bytesPerPixel, rowBytes } from './layout.ts';
import { rowPacker } from './pack-row.ts';
import type { PixelEncoding } from './pixel-encoding.ts';
import { type RowSample, sampleRows } from './row-sample.ts';

/** Filtered bytes up to which candidates are compared at the slowest level and with all of zlib's strategies. */
const SMALL_BYTES = 256 * 1024;

/** The level at which larger ones are compared: their order hardly changes above it. */
const TRIAL_LEVEL = 6;

const otherStrategies = [constants.Z_FILTERED, constants.Z_RLE, constants.Z_HUFFMAN_ONLY, constants.Z_FIXED];

/** A picture's size, and the depth of the RGBA rows that it comes in. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
  readonly bitsPerSample: 8 | 16;
}

/** Everything that is open in writing a PNG without loss. */
export interface Compression {
  readonly encoding: PixelEncoding;
  readonly filter: FilterStrategy;
  /** zlib's level, 1–9, and its strategy. */
  readonly level: number;
  readonly strategy: number;
}

/** Buffers that the choice takes beside the sample, in bytes: filtered rows, what they deflate to, and the deflater. */
export function chooseCompressionBytes(rgbaRowBytes: number, height: number): number {
  const filtered = sampleRows(rgbaRowBytes, height) * (rgbaRowBytes + 1);
  return 2 * filtered + 3 * rgbaRowBytes + DEFLATER_BYTES;
}

/**
 * Finds the encoding, filter and strategy that make the sample smallest, by trying them, and the level that suits the picture.
 */
export function chooseCompression(
  sample: RowSample,
  size: PixelSize,
  encodings: readonly PixelEncoding[],
  workspace: Workspace,
): Compression {
  let best: Compression & { readonly bytes: number } = {
    encoding: encodings[0]!,
    filter: 'none',
    strategy: constants.Z_DEFAULT_STRATEGY,
    level: 9,
    bytes: Number.POSITIVE_INFINITY,
  };
  for (const encoding of encodings) {
    const filtered = workspace.buffer(sample.rows * (rowBytes(encoding.layout, size.width) + 1));
    const small = filtered.length <= SMALL_BYTES;
    const attempt = (filter: FilterStrategy, strategy: number): void => {
      const data = deflateSync(filtered, {
        level: small ? 9 : TRIAL_LEVEL,
        memLevel: constants.Z_MAX_MEMLEVEL,
        strategy,
      }).length;
      const bytes = data + sideBytes(encoding);
      if (bytes >= best.bytes) return;
      const level = compressionLevel((filtered.length / sample.rows) * size.height, data / filtered.length);
      best = { encoding, filter, strategy, level, bytes };
    };
    for (const filter of filtersFor(encoding)) {
      filterSample(sample, size, encoding, filter, filtered);
      attempt(filter, constants.Z_DEFAULT_STRATEGY);
    }
    if (best.encoding === encoding) {
      filterSample(sample, size, encoding, best.filter, filtered);
      const { filter } = best;
      for (const strategy of small ? otherStrategies : [constants.Z_FILTERED]) attempt(filter, strategy);
    }
    workspace.release(filtered);
  }
  return best;
}

/** Differences of packed samples or of palette indices mean little, so few of the filters can help there. */
function filtersFor({ layout }: PixelEncoding): readonly FilterStrategy[] {
  if (layout.bitDepth < 8) return ['none', 'up', 'least-sum', 'least-entropy'];
  return filterStrategies;
}

function filterSample(
  sample: RowSample,
  { width, bitsPerSample }: PixelSize,
  encoding: PixelEncoding,
  strategy: FilterStrategy,
  out: Uint8Array,
): void {
  const bytes = rowBytes(encoding.layout, width);
  const pack = rowPacker(encoding, bitsPerSample);
  const row = new Uint8Array(bytes);
  const filter = new RowFilter(strategy, bytesPerPixel(encoding.layout), new Uint8Array(2 * bytes));
  for (let index = 0; index < sample.rows; index++) {
    pack(sample.row(index), row, width);
    filter.apply(row, out.subarray(index * (bytes + 1), (index + 1) * (bytes + 1)));
  }
}

/** Bytes that the encoding takes beside the picture data. */
function sideBytes({ palette, key }: PixelEncoding): number {
  if (!palette) return key ? 12 + 2 * key.length : 0;
  let transparent = 0;
  for (let at = 3; at < palette.length; at += 4) if (palette[at] !== 255) transparent++;
  return 12 + (palette.length / 4) * 3 + (transparent > 0 ? 12 + transparent : 0);
}
