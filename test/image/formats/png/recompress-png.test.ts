import { expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { expanderTo16 } from '../../../../src/image/formats/png/expand-row.ts';
import { type PngHeader, readPngHeader } from '../../../../src/image/formats/png/header.ts';
import { readRows } from '../../../../src/image/formats/png/read-rows.ts';
import { heldFile } from '../../../../src/image/source-file.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { decodeWhole, seededRandom } from './collect.ts';
import { chunk, ihdr, makePng } from './make-png.ts';
import { recompressWhole } from './recompress-whole.ts';

async function recompress(file: Uint8Array): Promise<{ file: Uint8Array; header: PngHeader }> {
  const result = await recompressWhole(file);
  return { file: result, header: readPngHeader(result) };
}

/** Unfiltered rows of samples of the given depth, from a function of pixel and channel. */
function rowsOf(
  width: number,
  height: number,
  channels: number,
  wide: boolean,
  sample: (x: number, c: number) => number,
) {
  const bytes: number[] = [];
  for (let y = 0; y < height; y++) {
    bytes.push(0);
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < channels; c++) {
        const value = sample(y * width + x, c);
        if (wide) bytes.push(value >> 8);
        bytes.push(value & 255);
      }
    }
  }
  return Uint8Array.from(bytes);
}

const random = seededRandom(11);
const noise = Uint16Array.from({ length: 4 * 900 }, () => random(65_536));
const at = (pixel: number, channel: number): number => noise[pixel * 4 + channel]!;

test.each([
  ['16 bits that are 8 bits twice', 2, 16, 3, (x: number, c: number) => (at(x, c) & 255) * 257, 2, 8],
  [
    '16 bits that differ in one sample',
    2,
    16,
    3,
    (x: number, c: number) => (x === 899 && c === 2 ? 1 : (at(x, c) & 255) * 257),
    2,
    16,
  ],
  ['RGB that is grey', 2, 8, 3, (x: number) => at(x, 0) & 255, 0, 8],
  ['RGB that is grey in 16 bits', 2, 16, 3, (x: number) => at(x, 0), 0, 16],
  ['RGBA that is opaque', 6, 8, 4, (x: number, c: number) => (c === 3 ? 255 : at(x, c) & 255), 2, 8],
  ['RGBA that is grey with alpha in 16 bits', 6, 16, 4, (x: number, c: number) => at(x, c === 3 ? 1 : 0), 4, 16],
  ['RGBA of three colours', 6, 8, 4, (x: number, c: number) => ((at(x, 0) % 3) * 50 + c * 60) & 255, 3, 2],
  ['grey of two values', 0, 8, 1, (x: number) => (at(x, 0) & 1) * 255, 0, 1],
] as const)('%s', async (_name, type, depth, channels, sample, expectedType, expectedDepth) => {
  const file = makePng(ihdr(30, 30, depth, type), rowsOf(30, 30, channels, depth === 16, sample));
  const result = await recompress(file);
  expect(result.header.detail.layout).toEqual({ colourType: expectedType, bitDepth: expectedDepth });
  expect((await decodeWhole(result.file)).pixels).toEqual((await decodeWhole(file)).pixels);
});

test('the lower bytes of 16-bit samples stay', async () => {
  const file = makePng(ihdr(30, 30, 16, 6), rowsOf(30, 30, 4, true, at));
  const read = async (png: Uint8Array): Promise<number[]> => {
    const header = readPngHeader(png);
    const rgba = new Uint8Array(30 * 8);
    const all: number[] = [];
    for (const row of await readRows(heldFile(png), header, png.length, new HeapWorkspace())) {
      if (row instanceof Promise) throw new TypeError('a window as large as the file is not loaded twice');
      expanderTo16(header.detail)(row, rgba, 30);
      all.push(...rgba);
    }
    return all;
  };
  expect(await read((await recompress(file)).file)).toEqual(await read(file));
});

test('a transparent colour stays one where that is smallest, at the depth that is left', async () => {
  const sample = (x: number, c: number): number => (x % 7 === 0 ? 5 : 6 + (at(x, c) % 250)) * 257;
  const key = chunk('tRNS', [5, 5, 5, 5, 5, 5]);
  const file = makePng(ihdr(30, 30, 16, 2), rowsOf(30, 30, 3, true, sample), key);
  const result = await recompress(file);
  expect(result.header.detail.layout).toEqual({ colourType: 2, bitDepth: 8 });
  expect(result.header.detail.transparency).toEqual(Uint8Array.of(0, 5, 0, 5, 0, 5));
  expect((await decodeWhole(result.file)).pixels).toEqual((await decodeWhole(file)).pixels);
});

test('palette entries that no pixel uses are left out', async () => {
  const palette = chunk(
    'PLTE',
    Array.from({ length: 768 }, (_, index) => index & 255),
  );
  const file = makePng(
    ihdr(30, 30, 8, 3),
    rowsOf(30, 30, 1, false, (x) => 100 + (at(x, 0) & 1)),
    palette,
  );
  const result = await recompress(file);
  expect(result.header.detail.palette?.length).toBe(6);
  expect((await decodeWhole(result.file)).pixels).toEqual((await decodeWhole(file)).pixels);
});

test('a file that breaks off is refused and nothing stays taken', async () => {
  const file = makePng(ihdr(30, 40, 16, 6), rowsOf(30, 30, 4, true, at));
  await expect(recompress(file)).rejects.toThrow(FileError);
});
