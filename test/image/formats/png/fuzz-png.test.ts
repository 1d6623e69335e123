import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { readPngHeader } from '../../../../src/image/formats/png/header.ts';
import { stripPngMetadata } from '../../../../src/image/formats/png/strip-metadata.ts';
import { decodeWhole, seededRandom } from './collect.ts';
import { chunk, concat, ihdr, makePng } from './make-png.ts';
import { recompressWhole } from './recompress-whole.ts';

const exif = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0];
const extras = [
  chunk('cICP', [12, 13, 0, 1]),
  chunk('iCCP', concat(Uint8Array.of(65, 0, 0), deflateSync(new Uint8Array(300)))),
  chunk('PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
  chunk('tRNS', [0, 1]),
  chunk('eXIf', exif),
  chunk('acTL', [0, 0, 0, 1, 0, 0, 0, 0]),
];

/** Small files of every colour type, plain and interlaced, with every chunk that is read. */
const seeds = [
  [1, 0],
  [16, 0],
  [8, 2],
  [4, 3],
  [8, 4],
  [16, 6],
].flatMap(([depth, type]) =>
  [0, 1].map((interlace) =>
    makePng(ihdr(6, 5, depth!, type!, interlace), new Uint8Array(400).fill(1, 3, 9), ...extras),
  ),
);

/** Changes a few bytes, then makes the checksums right again in most cases, so that the change gets past them. */
function mutate(seed: Uint8Array, random: (limit: number) => number): Uint8Array {
  const file = seed.slice(0, random(8) === 0 ? random(seed.length) : seed.length);
  for (let changes = random(4); changes >= 0 && file.length > 0; changes--) {
    const at = random(file.length);
    file[at] = random(3) === 0 ? random(256) : file[at]! ^ (1 << random(8));
  }
  if (random(10) > 0) repairChecksums(file);
  return file;
}

function repairChecksums(file: Uint8Array): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > file.length) return;
    view.setUint32(end, crc32(file.subarray(at + 4, end)));
    at = end + 4;
  }
}

/** The planner refuses what is larger than any picture that is taken; here only time matters. */
function isLarge(file: Uint8Array): boolean {
  const { width, height } = readPngHeader(file);
  return width * height > 200_000;
}

/** What comes of reading a file: its pixels, or the code of the error. Of two faults, either may be seen first. */
async function outcome(file: Uint8Array, window?: number): Promise<Uint8Array | string> {
  try {
    if (isLarge(file)) return 'large';
    return (await decodeWhole(file, window)).pixels;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.code;
  }
}

test('changed files are read or refused as files, within their plan, and never fail otherwise', async () => {
  const random = seededRandom(2024);
  const outcomes = { read: 0, refused: 0 };
  for (let round = 0; round < 1500; round++) {
    const file = mutate(seeds[round % seeds.length]!, random);
    try {
      const header = readPngHeader(file);
      if (isLarge(file)) continue;
      const { pixels } = await decodeWhole(file);
      const stripped = concat(...stripPngMetadata(file, header));
      expect((await decodeWhole(stripped)).pixels).toEqual(pixels);
      if (round % 5 === 0) {
        const smaller = await recompressWhole(file);
        expect((await decodeWhole(smaller)).pixels).toEqual(pixels);
      }
      outcomes.read++;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      outcomes.refused++;
    }
  }
  expect(outcomes.read).toBeGreaterThan(100);
  expect(outcomes.refused).toBeGreaterThan(100);
}, 60_000);

test('changed files come to the same in windows of any size', async () => {
  const random = seededRandom(2025);
  const outcomes = { read: 0, refused: 0 };
  for (let round = 0; round < 3000; round++) {
    const file = mutate(seeds[round % seeds.length]!, random);
    const whole = await outcome(file);
    expect(await outcome(file, 8 + random(random(2) ? 60 : 600))).toEqual(whole);
    if (typeof whole === 'string') outcomes.refused++;
    else outcomes.read++;
  }
  expect(outcomes.read).toBeGreaterThan(300);
  expect(outcomes.refused).toBeGreaterThan(300);
}, 60_000);

test('a file that ends anywhere comes to the same in windows', async () => {
  for (const seed of seeds) {
    for (let length = seed.length; length > 60; length -= 3) {
      const file = seed.slice(0, length);
      expect(await outcome(file, 8 + (length % 50))).toEqual(await outcome(file));
    }
  }
}, 60_000);
