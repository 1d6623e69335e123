import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { decodePng, planPngDecode } from '../../../../src/image/formats/png/decode-png.ts';
import { readPngHeader } from '../../../../src/image/formats/png/header.ts';
import { heldFile } from '../../../../src/image/source-file.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { decodeWhole, seededRandom } from './collect.ts';
import { adam7, chunk, concat, ihdr, makePng, signature } from './make-png.ts';

const greyRows = (width: number, height: number): Uint8Array => new Uint8Array((width + 1) * height);
const pngWithData = (width: number, height: number, ...idats: Uint8Array[]): Uint8Array =>
  concat(signature, ihdr(width, height, 8, 0), ...idats.map((data) => chunk('IDAT', data)), chunk('IEND'));

describe('picture data', () => {
  test('is read from IDAT chunks of any size, empty ones and single bytes included', async () => {
    const data = deflateSync(Uint8Array.of(0, 10, 20, 0, 30, 40));
    const bytes = Array.from(data, (byte) => Uint8Array.of(byte));
    const { pixels } = await decodeWhole(pngWithData(2, 2, new Uint8Array(0), ...bytes, new Uint8Array(0)));
    expect([...pixels]).toEqual([10, 20, 30, 40].flatMap((grey) => [grey, grey, grey, 255]));
  });

  test.each([
    ['missing rows', pngWithData(4, 4, deflateSync(greyRows(4, 3))), /ends after 3 of 4 rows/],
    ['no bytes', pngWithData(4, 4, new Uint8Array(0)), /cannot be read|ends after 0 of 4 rows/],
    ['bytes that are not zlib', pngWithData(4, 4, new Uint8Array(40).fill(0xff)), /cannot be read/],
    ['an invalid filter', pngWithData(1, 1, deflateSync(Uint8Array.of(5, 0))), /filter type/],
    ['a cut stream', pngWithData(4, 4, deflateSync(greyRows(4, 4)).subarray(0, -6)), /cannot be read/],
  ])('with %s is refused', async (_name, file, cause) => {
    await expect(decodeWhole(file)).rejects.toThrow(FileError);
    await expect(decodeWhole(file)).rejects.toThrow(cause);
  });

  test('that is damaged is said to fail its checksum, however late in its chunk that is seen', async () => {
    const random = seededRandom(12);
    const rows = greyRows(60, 60).map((_, at) => (at % 61 === 0 ? 0 : random(256)));
    const file = pngWithData(60, 60, deflateSync(rows));
    for (let round = 0; round < 40; round++) {
      const changed = file.slice();
      // From the data of the first IDAT to its end: signature, IHDR and the chunk's head are 41 bytes.
      const at = 41 + random(file.length - 41 - 12);
      changed[at] = changed[at]! ^ (1 << random(8));
      const message = /picture data fails its checksum/;
      await expect(decodeWhole(changed)).rejects.toThrow(message);
      await expect(decodeWhole(changed, 8 + random(200))).rejects.toThrow(message);
    }
  });

  test('with more rows than declared is read as far as declared', async () => {
    const { pixels } = await decodeWhole(pngWithData(4, 2, deflateSync(greyRows(4, 3).fill(0))));
    expect(pixels.length).toBe(4 * 2 * 4);
  });

  test('that inflates to far more than the picture costs neither memory nor time', async () => {
    const bomb = deflateSync(new Uint8Array(64 * 1024 * 1024));
    const { pixels } = await decodeWhole(pngWithData(2, 1, bomb));
    expect([...pixels]).toEqual([0, 0, 0, 255, 0, 0, 0, 255]);
  });

  test('is not inflated ahead of a slow reader', async () => {
    const height = 20_000;
    const file = pngWithData(1000, height, deflateSync(greyRows(1000, height)));
    const header = readPngHeader(file);
    const plan = planPngDecode(header, file.length, { fileIn: 'windows', window: 1000 });
    const bands = decodePng(heldFile(file), header, plan, new HeapWorkspace());
    expect((await bands.next()).done).toBe(false);
    // Giving up in the middle releases everything at once.
    await bands.return(undefined);
    expect((await bands.next()).done).toBe(true);
  });
});

describe('interlaced pictures', () => {
  test.each([1, 2, 3, 4, 5, 7, 8, 9, 33])('of %i columns equal the same picture stored row by row', async (width) => {
    const random = seededRandom(width);
    for (const [depth, type, channels] of [
      [1, 0, 1],
      [2, 0, 1],
      [4, 0, 1],
      [8, 2, 3],
      [16, 6, 4],
    ] as const) {
      const height = 1 + random(20);
      const bits = depth * channels;
      const pixels = Array.from({ length: width * height }, () => Array.from({ length: bits }, () => random(2)));
      const plain = packRows(pixels, width, [[0, 0, 1, 1]], height);
      const interlaced = packRows(pixels, width, adam7, height);
      const expected = await decodeWhole(makePng(ihdr(width, height, depth, type), plain));
      const actual = await decodeWhole(makePng(ihdr(width, height, depth, type, 1), interlaced));
      expect(actual.pixels).toEqual(expected.pixels);
    }
  });

  test('take memory for rows only, whatever their height', () => {
    const file = makePng(ihdr(10_000, 10_000, 8, 6, 1), new Uint8Array(0));
    const { cost } = planPngDecode(readPngHeader(file), file.length);
    expect(cost.buffers).toBe(0);
    expect(cost.arena).toBeLessThan(4 * 1024 * 1024);
  });
});

/** Rows of bits with filter byte 0, pass after pass. */
function packRows(
  pixels: readonly number[][],
  width: number,
  passes: readonly (readonly [number, number, number, number])[],
  height: number,
): Uint8Array {
  const bytes: number[] = [];
  for (const [left, top, stepX, stepY] of passes) {
    for (let y = top; y < height && left < width; y += stepY) {
      const bits: number[] = [];
      for (let x = left; x < width; x += stepX) bits.push(...pixels[y * width + x]!);
      while (bits.length % 8 !== 0) bits.push(0);
      bytes.push(0);
      for (let at = 0; at < bits.length; at += 8) bytes.push(Number.parseInt(bits.slice(at, at + 8).join(''), 2));
    }
  }
  return Uint8Array.from(bytes);
}
