import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPngHeader } from '../../../../src/image/formats/png/header.ts';
import { bitsPerPixel, layoutOf, rowBytes } from '../../../../src/image/formats/png/layout.ts';
import { placeFile, readRows, readRowsBytes } from '../../../../src/image/formats/png/read-rows.ts';
import { planPngRecompress } from '../../../../src/image/formats/png/recompress-png.ts';
import { HELD_BYTES } from '../../../../src/image/source-file.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { StoredFile } from '../../../support/stored-file.ts';
import { decodeWhole, seededRandom } from './collect.ts';
import { chunk, concat, ihdr, signature } from './make-png.ts';
import { recompressWhole } from './recompress-whole.ts';

const layouts = [
  [1, 0],
  [2, 0],
  [4, 0],
  [8, 0],
  [16, 0],
  [8, 2],
  [16, 2],
  [1, 3],
  [8, 3],
  [8, 4],
  [16, 4],
  [8, 6],
  [16, 6],
] as const;

/** Noise of a layout under all filters, its data cut into chunks of up to so many bytes. */
function noise(
  [depth, type]: readonly [number, number],
  interlace: number,
  [width, height]: readonly [number, number],
  perChunk: number,
  seed: number,
): Uint8Array {
  const random = seededRandom(seed);
  const layout = layoutOf(type, depth)!;
  // Enough for all passes of an interlaced picture; the surplus is not minded.
  const rows = Uint8Array.from(
    { length: (rowBytes(layout, width) + 2) * height * 2 + (8 * bitsPerPixel(layout) + 8) * 16 },
    () => (random(3) === 0 ? random(5) : random(2)),
  );
  if (interlace === 0) for (let y = 0; y < height; y++) rows[y * (rowBytes(layout, width) + 1)] = y % 5;
  const data = deflateSync(rows, { level: 1 + random(9) });
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += perChunk) chunks.push(chunk('IDAT', data.subarray(at, at + perChunk)));
  const palette = type === 3 ? [chunk('PLTE', new Uint8Array(3 << depth).fill(9, 3))] : [];
  return concat(signature, ihdr(width, height, depth, type, interlace), ...palette, ...chunks, chunk('IEND'));
}

describe.each([0, 1])('interlace method %i', (interlace) => {
  test.each(layouts)('depth %i of type %i is the same through windows of any size', async (depth, type) => {
    for (const [perChunk, size] of [
      [8192, [23, 17]],
      [100, [17, 9]],
      [1, [3, 2]],
    ] as const) {
      const file = noise([depth, type], interlace, size, perChunk, depth * 7 + type);
      const { pixels } = await decodeWhole(file);
      for (const window of [8, 9, 31, 100, 1000, file.length]) {
        expect((await decodeWhole(file, window)).pixels).toEqual(pixels);
      }
    }
  });

  test('pictures, chunks and windows of any size go together', async () => {
    const side = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...layouts),
        fc.tuple(side, side),
        fc.integer({ min: 1, max: 4000 }),
        fc.integer({ min: 8, max: 2000 }),
        fc.nat(),
        async (layout, size, perChunk, window, seed) => {
          const file = noise(layout, interlace, size, perChunk, seed);
          expect((await decodeWhole(file, window)).pixels).toEqual((await decodeWhole(file)).pixels);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a file is written smaller through windows to the same bytes', async () => {
    for (const layout of [
      [16, 6],
      [8, 3],
    ] as const) {
      const file = noise(layout, interlace, [37, 41], 300, 5);
      expect(await recompressWhole(file, 50)).toEqual(await recompressWhole(file));
    }
  });

  test('no part of the file is read again by the same reader, and none behind its end', async () => {
    const bytes = noise([8, 6], interlace, [60, 60], 500, 3);
    const header = readPngHeader(bytes);
    const file = new StoredFile(bytes);
    const rows = await readRows(file, header, 64, new HeapWorkspace());
    for (const row of rows) if (row instanceof Promise) await row;
    const readers = interlace === 0 ? 1 : 7;
    // Each reader begins at the start of the data and goes on where its last read ended.
    const ends: number[] = new Array<number>(readers).fill(header.detail.dataStart);
    for (const [start, end] of file.reads) {
      const reader = ends.indexOf(start);
      expect(reader).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(bytes.length);
      ends[reader] = end;
    }
    expect(Math.max(...ends)).toBe(bytes.length);
  });
});

describe('the place of a file', () => {
  const header = (interlace: number) => readPngHeader(noise([8, 2], interlace, [3000, 4], 9000, 1));

  test('is the arena up to what is held, windows above', () => {
    expect(placeFile(header(0), HELD_BYTES)).toEqual({ fileIn: 'arena' });
    expect(placeFile(header(0), HELD_BYTES + 1)).toMatchObject({ fileIn: 'windows' });
    expect(planPngRecompress(header(0), HELD_BYTES)).toMatchObject({ fileIn: 'arena' });
    expect(planPngRecompress(header(0), HELD_BYTES + 1)).toMatchObject({ fileIn: 'windows' });
  });

  test.each([0, 1])('a large file takes at most 4 MiB for its windows (interlace method %i)', (interlace) => {
    const bytes = (fileBytes: number) => {
      const { window } = placeFile(header(interlace), fileBytes);
      return readRowsBytes(header(interlace), fileBytes, window);
    };
    const windows = bytes(20 * 1024 * 1024) - bytes(HELD_BYTES);
    expect(windows).toBeGreaterThan(1024 * 1024 - 1);
    expect(windows).toBeLessThanOrEqual(4 * 1024 * 1024);
  });
});
