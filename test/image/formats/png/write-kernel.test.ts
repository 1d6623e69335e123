import { describe, expect, test } from 'vitest';
import { bytesPerPixel, rowBytes } from '../../../../src/image/formats/png/layout.ts';
import { CENSUS_BYTES, PixelCensus } from '../../../../src/image/formats/png/pixel-census.ts';
import { losslessEncodings, type PixelEncoding } from '../../../../src/image/formats/png/pixel-encoding.ts';
import { filterStrategies, RowCoder, rowCoderBytes } from '../../../../src/image/formats/png/row-coder.ts';
import { rowPacker } from '../../../reference/png-write/pack-row.ts';
import { PixelCensus as ReferenceCensus } from '../../../reference/png-write/pixel-census.ts';
import { RowFilter } from '../../../reference/png-write/row-filter.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { pictureKinds, randomPicture, seededRandom } from './collect.ts';

/** The same pixels with 16 bits a sample; `low` gives the lower bytes. */
function widened(pixels: Uint8Array, low: (byte: number) => number): Uint8Array {
  return Uint8Array.from({ length: pixels.length * 2 }, (_, at) => {
    const byte = pixels[at >> 1]!;
    return at & 1 ? low(byte) : byte;
  });
}

/** What the reference makes of a picture. */
function referenceRows(
  pixels: Uint8Array,
  width: number,
  bits: 8 | 16,
  encoding: PixelEncoding,
  filter: (typeof filterStrategies)[number],
): Uint8Array[] {
  const bytes = rowBytes(encoding.layout, width);
  const pack = rowPacker(encoding, bits);
  const filters = new RowFilter(filter, bytesPerPixel(encoding.layout), new Uint8Array(2 * bytes));
  const step = (width * 4 * bits) / 8;
  const rows: Uint8Array[] = [];
  for (let at = 0; at < pixels.length; at += step) {
    const row = new Uint8Array(bytes);
    pack(pixels.subarray(at, at + step), row, width);
    const out = new Uint8Array(bytes + 1);
    filters.apply(row, out);
    rows.push(out);
  }
  return rows;
}

function codedRows(
  pixels: Uint8Array,
  width: number,
  bits: 8 | 16,
  encoding: PixelEncoding,
  filter: (typeof filterStrategies)[number],
): Uint8Array[] {
  const workspace = new HeapWorkspace();
  const size = { width, height: 1, bitsPerSample: bits };
  const coder = new RowCoder(size, workspace);
  expect(workspace.arenaBytes).toBe(rowCoderBytes(size));
  const step = (width * 4 * bits) / 8;
  const rgba = workspace.arena(step);
  const fence = workspace.arena(16).fill(0xa5);
  const rows: Uint8Array[] = [];
  // What an earlier picture left must not matter.
  for (const _ of [0, 1]) {
    coder.begin(encoding, filter);
    rows.length = 0;
    for (let at = 0; at < pixels.length; at += step) {
      rgba.set(pixels.subarray(at, at + step));
      rows.push(new Uint8Array(rgba.buffer, coder.code(rgba), coder.bytes).slice());
    }
  }
  expect(fence.every((byte) => byte === 0xa5)).toBe(true);
  return rows;
}

describe.each(pictureKinds)('%s', (kind) => {
  const random = seededRandom(kind.length * 7);

  test.each([8, 16] as const)('is packed and filtered as by the reference, from %i bits a sample', (bits) => {
    for (let round = 0; round < 12; round++) {
      const width = 1 + random(round < 6 ? 12 : 90);
      const { pixels: narrow } = randomPicture(kind, width, 1 + random(9), random);
      const pixels = bits === 8 ? narrow : widened(narrow, (byte) => (round & 1 ? byte : random(256)));
      const census = new ReferenceCensus(bits);
      census.add(pixels);
      for (const encoding of losslessEncodings(census.facts)) {
        for (const filter of filterStrategies) {
          const rows = codedRows(pixels, width, bits, encoding, filter);
          const expected = referenceRows(pixels, width, bits, encoding, filter);
          expect(Buffer.compare(Buffer.concat(rows), Buffer.concat(expected))).toBe(0);
        }
      }
    }
  });

  test.each([8, 16] as const)('is known as by the reference, from %i bits a sample', (bits) => {
    for (let round = 0; round < 25; round++) {
      const width = 1 + random(60);
      const { pixels: narrow } = randomPicture(kind, width, 1 + random(12), random);
      const pixels = bits === 8 ? narrow : widened(narrow, (byte) => (random(50) ? byte : random(256)));
      const workspace = new HeapWorkspace();
      const census = new PixelCensus(bits, workspace);
      expect(workspace.arenaBytes).toBe(CENSUS_BYTES);
      const reference = new ReferenceCensus(bits);
      const rgba = workspace.arena(pixels.length);
      rgba.set(pixels);
      const cut = random(width + 1) * (bits / 2);
      for (const part of [rgba.subarray(0, cut), rgba.subarray(cut)]) {
        if (part.length === 0) continue;
        census.add(part);
        reference.add(part);
      }
      const { greyDepth, ...facts } = census.facts;
      const { greyDepth: expected, ...rest } = reference.facts;
      expect(facts).toEqual(rest);
      // Of other pictures it says nothing.
      if (rest.grey && !rest.wide) expect(greyDepth).toBe(expected);
    }
  });
});

test('a palette of 256 colours is full, one more is too many', () => {
  const workspace = new HeapWorkspace();
  const census = new PixelCensus(8, workspace);
  const pixels = workspace.arena(257 * 4);
  for (let index = 0; index < 257; index++) pixels.set([index & 255, index >> 4, 7, 255], index * 4);
  census.add(pixels.subarray(0, 1024));
  expect(census.facts.colours).toEqual(pixels.slice(0, 1024));
  census.add(pixels.subarray(0, 1024));
  expect(census.few).toBe(true);
  census.add(pixels);
  expect(census.few).toBe(false);
  expect(census.facts.colours).toBeUndefined();
});
