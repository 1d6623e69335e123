import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { readWebpHeader } from '../../../../src/image/formats/webp/header.ts';
import { damaged, truncations } from '../../../support/damage.ts';
import { firstDifference } from '../../../support/first-difference.ts';
import { type Libwebp, loadLibwebp } from '../../../support/libwebp.ts';
import { syntheticPicture } from '../../../support/synthetic-picture.ts';
import { manyGroupsWebp } from '../../../support/vp8l-file.ts';
import { shortenedWebp } from '../../../support/webp-file.ts';
import { decodeFile } from './decode-file.ts';

let libwebp: Libwebp;
beforeAll(async () => {
  libwebp = await loadLibwebp();
});

type Options = NonNullable<Parameters<Libwebp['encode']>[1]>;
const lossless = (effort: number): Options => ({ lossless: 1, exact: 1, method: effort, quality: effort * 16 });

const settings: readonly [string, Options][] = [
  ['the usual settings', {}],
  ['the coarsest quantiser and the strongest filter', { quality: 0, filter_strength: 100, filter_sharpness: 0 }],
  ['the finest quantiser', { quality: 100 }],
  ['a sharp filter', { quality: 40, filter_strength: 60, filter_sharpness: 7 }],
  ['the simple filter', { quality: 30, filter_type: 0, filter_strength: 80 }],
  ['no filter', { quality: 50, filter_strength: 0 }],
  ['one segment', { segments: 1 }],
  // libwebp heeds it with its fastest methods only.
  ['four partitions', { partitions: 2, method: 0 }],
  ['the slowest method', { method: 6, pass: 3 }],
  ['the fastest method', { method: 0 }],
  ['lossless, fastest', lossless(0)],
  ['lossless', lossless(4)],
  ['lossless, slowest', lossless(6)],
  ['nearly lossless', { ...lossless(4), near_lossless: 40 }],
];

const sizes = [
  [1, 1],
  [2, 3],
  [15, 17],
  [16, 16],
  [33, 31],
  [90, 61],
  [700, 2],
  [3, 700],
] as const;

async function expectAsLibwebp(file: Uint8Array): Promise<void> {
  const ours = await decodeFile(file);
  expect(firstDifference(ours.pixels, libwebp.decode(file)!)).toBeUndefined();
}

describe.each(settings)('with %s', (_, options) => {
  test.each(sizes)('%i × %i is decoded as libwebp does, to the bit', async (width, height) => {
    for (const kind of ['photo', 'noise', 'flat'] as const) {
      for (const alpha of [false, true]) {
        await expectAsLibwebp(libwebp.encode(syntheticPicture(kind, width, height, alpha), options));
      }
    }
  });
});

test.each([0, 1, 2])('alpha of every kind is decoded, filter %i', async (filter) => {
  for (const compression of [0, 1]) {
    for (const quality of [100, 40]) {
      const options = { alpha_filtering: filter, alpha_compression: compression, alpha_quality: quality };
      for (const kind of ['photo', 'noise'] as const) {
        await expectAsLibwebp(libwebp.encode(syntheticPicture(kind, 70, 45, true), options));
      }
    }
  }
});

test.each([2, 3, 4, 5, 16, 17, 256])('palettes of %i colours are unpacked', async (colours) => {
  const { frame } = syntheticPicture('flat', 61, 37);
  const pixels = new Uint8Array(61 * 37 * 4);
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = (Math.imul(at, 2_654_435_761) >>> 20) % colours;
    pixels.set([colour * 7, 255 - colour, colour * 31, 255], at);
  }
  const file = libwebp.encode({ frame, pixels }, lossless(4));
  expect(firstDifference((await decodeFile(file)).pixels, pixels)).toBeUndefined();
});

test('copies reach back over the whole window of a lossless picture larger than it', async () => {
  // The second half repeats the first, 1,000,000 pixels further down, which is noise in between.
  const [width, height] = [1000, 2000];
  const picture = syntheticPicture('noise', width, height / 2);
  const pixels = new Uint8Array(width * height * 4);
  pixels.set(picture.pixels);
  pixels.set(picture.pixels, picture.pixels.length);
  const file = libwebp.encode({ frame: { ...picture.frame, height }, pixels }, { ...lossless(1), quality: 80 });
  expect(file.length).toBeLessThan(width * height * 2.5);
  expect(firstDifference((await decodeFile(file)).pixels, pixels)).toBeUndefined();
});

test.each([1, 300, 4096])('a lossless picture with %i groups of codes is decoded', async (groups) => {
  const file = manyGroupsWebp(256, groups, false);
  const { pixels } = await decodeFile(file);
  const group = (64 * 63 + 5) % groups;
  expect([...pixels.subarray((256 * 252 + 20) * 4).subarray(0, 4)]).toEqual([group >> 8, group & 255, 7, 255]);
  await expectAsLibwebp(file);
});

test('large codes are decoded while there is room for them, and refused as too large when not', async () => {
  await expectAsLibwebp(manyGroupsWebp(64, 256, true));
  const refused = decodeFile(manyGroupsWebp(512, 16_384, true));
  await expect(refused).rejects.toMatchObject({ name: 'FileError', code: 'image_too_large' });
});

const small = () => [
  libwebp.encode(syntheticPicture('photo', 40, 30)),
  libwebp.encode(syntheticPicture('photo', 40, 30, true)),
  libwebp.encode(syntheticPicture('photo', 40, 30, true), lossless(4)),
  libwebp.encode(syntheticPicture('flat', 40, 30), lossless(0)),
];

test('a file cut off anywhere is refused', async () => {
  for (const file of small()) {
    for (const cut of truncations(file)) await expect(decodeFile(cut)).rejects.toBeInstanceOf(FileError);
  }
});

test('picture data cut off anywhere in a file that says it is whole is refused, as libwebp does', async () => {
  for (const file of small()) {
    const { image } = readWebpHeader(file).detail;
    for (let end = image.end - 1; end > image.dataStart; end -= 1 + (end >> 6)) {
      const cut = shortenedWebp(file, image.start, end);
      if (libwebp.decode(cut) === undefined) await expect(decodeFile(cut)).rejects.toBeInstanceOf(FileError);
    }
  }
});

test('a damaged file is refused or gives a picture, and nothing is written outside', async () => {
  for (const file of small()) {
    await fc.assert(
      fc.asyncProperty(damaged(file), async (bytes) => {
        await decodeFile(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(FileError));
      }),
      { seed: 5, numRuns: 100 },
    );
  }
});

test('a lossless file that says it is opaque is, whatever its pixels say', async () => {
  const file = libwebp.encode(syntheticPicture('photo', 20, 20, true), lossless(4)).slice();
  const { image } = readWebpHeader(file).detail;
  file[image.dataStart + 4]! &= ~0x10;
  const { header, pixels } = await decodeFile(file);
  // The extended header is gone with the flag where the picture is a simple file.
  expect(header.alpha).toBe(false);
  expect(pixels.every((sample, at) => (at & 3) !== 3 || sample === 255)).toBe(true);
});
