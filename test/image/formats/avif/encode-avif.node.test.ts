import '../../../../scripts/engine/load-wasm.ts';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { planEncoding } from '../../../../src/image/formats/avif/encode/plan-encoding.ts';
import { sum, type TileGrid, tileCount } from '../../../../src/image/formats/avif/encode/tile-grid.ts';
import type { Frame } from '../../../../src/image/frame.ts';
import { digest, hasTool, inFolder, run } from '../../../support/native-tool.ts';
import { meanDifference, type SyntheticPicture, syntheticPicture } from '../../../support/synthetic-picture.ts';

const { encodePicture } = await import('../../../support/code-picture.ts');
const { encodeTiles } = await import('../../../support/encode-tiles.ts');

const avifdec = hasTool('avifdec');
/** What one generation of lossy coding may change: mean difference of 0–255, with grain of ±8. */
const ONE_GENERATION = 4;

async function decode(file: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await sharp(file).ensureAlpha().raw().toBuffer());
}

/** The picture as both native decoders see it; undefined where one refuses it. */
function judge(file: Uint8Array): Promise<(string | undefined)[]> {
  return inFolder((write, folder) => {
    const path = write('judged.avif', file);
    return ['aom', 'dav1d'].map((codec) => {
      const shown = run('avifdec', '-c', codec, '--dimension-limit', '65536', path, `${folder}/${codec}.y4m`);
      return shown === undefined ? undefined : digest(readFileSync(`${folder}/${codec}.y4m`));
    });
  });
}

describe('a picture of several tiles', () => {
  const picture = syntheticPicture('photo', 1100, 620);
  const grid = gridOf(picture.frame, 82);
  const encoded = encodePicture('avif', picture);

  test.skipIf(!avifdec)('is the same to libaom and dav1d', async () => {
    const [aom, dav1d] = await judge(await encoded);
    expect(aom).toBeDefined();
    expect(dav1d).toBe(aom);
  });

  test('is what its tiles are, except where deblocking crosses their edges', async () => {
    expect(tileCount(grid)).toBeGreaterThan(1);
    const whole = await decode(await encoded);
    let top = 0;
    for (const height of grid.heights) {
      let left = 0;
      for (const width of grid.widths) {
        const alone = await decode(
          await encodeTiles(crop(picture, left, top, width, height), single(width, height, grid), 82),
        );
        expect(equalInside(whole, alone, { left, top, width, height }, picture.frame)).toBe(true);
        left += width;
      }
      top += height;
    }
  });

  test('shows no seams', async () => {
    const whole = await decode(await encoded);
    const error = (x: number) => columnError(whole, picture, x);
    const seams = [grid.widths[0]! - 1, grid.widths[0]!].map(error);
    const elsewhere = Array.from({ length: 40 }, (_, index) => error(100 + index * 20)).toSorted((a, b) => a - b);
    expect(Math.max(...seams)).toBeLessThan(elsewhere.at(-1)! * 1.5);
  });
});

describe.each([
  [1, 1],
  [2, 1],
  [1, 9],
  [7, 5],
  [63, 65],
  [129, 127],
  [970, 485],
  [4097, 3],
  [3, 4097],
  [65_535, 3],
  [3, 65_535],
] as const)('%i × %i pixels', (width, height) => {
  test.each([false, true])('come back (transparent: %s)', async (alpha) => {
    const picture = syntheticPicture('photo', width, height, alpha);
    const file = await encodePicture('avif', picture);
    const { width: w, height: h, hasAlpha } = await sharp(file).metadata();
    const opaque = picture.pixels.every((value, at) => (at & 3) !== 3 || value === 255);
    expect([w, h, hasAlpha]).toEqual([width, height, !opaque]);
    expect(meanDifference(await decode(file), picture.pixels)).toBeLessThan(ONE_GENERATION * 2);
    if (!avifdec) return;
    const [aom, dav1d] = await judge(file);
    expect(aom).toBeDefined();
    expect(dav1d).toBe(aom);
  });
});

describe('transparency', () => {
  /** Transparent in the last tile alone. */
  function cornered(): SyntheticPicture {
    const { frame, pixels } = syntheticPicture('photo', 1100, 620);
    for (let y = 560; y < 620; y++) for (let x = 1000; x < 1100; x++) pixels[(y * 1100 + x) * 4 + 3] = (x + y) & 127;
    return { frame: { ...frame, alpha: true }, pixels };
  }

  test('in one tile of several is kept', async () => {
    const picture = cornered();
    const file = await encodePicture('avif', picture);
    expect(meanDifference(await decode(file), picture.pixels)).toBeLessThan(ONE_GENERATION);
    if (!avifdec) return;
    const [aom, dav1d] = await judge(file);
    expect(aom).toBeDefined();
    expect(dav1d).toBe(aom);
  });

  test('that was declared and is not there costs nothing', async () => {
    const { frame, pixels } = syntheticPicture('photo', 700, 500);
    const declared = await encodePicture('avif', { frame: { ...frame, alpha: true }, pixels });
    expect(digest(declared)).toBe(digest(await encodePicture('avif', { frame, pixels })));
  });
});

test('in less room it has smaller tiles and is about the same picture', async () => {
  const picture = syntheticPicture('photo', 1500, 700);
  const room = 14 * 1024 * 1024;
  const { grid, cost } = planEncoding(picture.frame, { quality: 82, room });
  expect(tileCount(grid)).toBeGreaterThan(tileCount(gridOf(picture.frame, 82)));
  expect(cost.arena + cost.library).toBeLessThanOrEqual(room);
  const file = await encodePicture('avif', picture, 82, room);
  expect(meanDifference(await decode(file), picture.pixels)).toBeLessThan(ONE_GENERATION);
  expect(file.length).toBeLessThan(1.1 * (await encodePicture('avif', picture, 82)).length);
  if (!avifdec) return;
  const [aom, dav1d] = await judge(file);
  expect(aom).toBeDefined();
  expect(dav1d).toBe(aom);
});

describe('in haste', () => {
  test.each([
    ['several tiles', 1500, 700, false, 82, 2],
    ['several tiles with transparency and full chroma', 1100, 620, true, 92, 2],
    ['half chroma where full was asked for', 1100, 620, false, 92, 3],
  ] as const)('%s are about the same image, a little larger', async (_, width, height, alpha, quality, haste) => {
    const picture = syntheticPicture('photo', width, height, alpha);
    const { grid, settings } = planEncoding(picture.frame, { quality, haste });
    expect(settings.speed).toBe(9);
    expect(tileCount(grid)).toBeGreaterThan(1);
    const file = await encodePicture('avif', picture, quality, undefined, haste);
    expect(meanDifference(await decode(file), picture.pixels)).toBeLessThan(ONE_GENERATION);
    expect(file.length).toBeLessThan(1.25 * (await encodePicture('avif', picture, quality)).length);
    if (!avifdec) return;
    const [aom, dav1d] = await judge(file);
    expect(aom).toBeDefined();
    expect(dav1d).toBe(aom);
  });
});

describe('what cannot be held until the end', () => {
  const picture = syntheticPicture('photo', 600, 500, true);
  const grid: TileGrid = { widths: [256, 344], heights: [192, 192, 116], superblock: 64 };

  test.each([1, 4])('is written as it comes, %i tiles at a time, and is the same picture', async (tiles) => {
    const customary = await encodeTiles(picture, grid, 82);
    const streamed = await encodeTiles(picture, grid, 82, tiles);
    expect(digest(await decode(streamed))).toBe(digest(await decode(customary)));
    if (!avifdec) return;
    expect(await judge(streamed)).toEqual(await judge(customary));
  });
});

function gridOf(frame: Frame, quality: number): TileGrid {
  return planEncoding(frame, { quality }).grid;
}

function single(width: number, height: number, { superblock }: TileGrid): TileGrid {
  return { widths: [width], heights: [height], superblock };
}

function crop({ frame, pixels }: SyntheticPicture, left: number, top: number, width: number, height: number) {
  const cropped = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * frame.width + left) * 4;
    cropped.set(pixels.subarray(from, from + width * 4), y * width * 4);
  }
  return { frame: { ...frame, width, height }, pixels: cropped };
}

/** Rows and columns next to an edge that deblocking and the interpolation of chroma may change. */
const EDGE = 16;

function equalInside(
  whole: Uint8Array,
  alone: Uint8Array,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
  frame: Frame,
): boolean {
  for (let y = EDGE; y < height - EDGE; y++) {
    const from = ((top + y) * frame.width + left + EDGE) * 4;
    const expected = alone.subarray((y * width + EDGE) * 4, (y * width + width - EDGE) * 4);
    if (Buffer.compare(whole.subarray(from, from + expected.length), expected) !== 0) return false;
  }
  return true;
}

/** The mean square of what coding changed in a column. */
function columnError(decoded: Uint8Array, { frame, pixels }: SyntheticPicture, x: number): number {
  const squares = Array.from({ length: frame.height }, (_, y) => {
    const at = (y * frame.width + x) * 4;
    return [0, 1, 2].reduce((total, channel) => total + (decoded[at + channel]! - pixels[at + channel]!) ** 2, 0);
  });
  return sum(squares) / frame.height;
}
