import { describe, expect, test } from 'vitest';
import { Difference } from '../../../scripts/calibrate/difference.ts';
import measured from '../../../scripts/calibrate/measured.json' with { type: 'json' };
import { avifQuality, vp8Quality, webpQuality } from '../../../src/image/formats/quality.ts';
import { decodePicture, encodePicture } from '../../support/code-picture.ts';
import { texturedPicture } from '../../support/textured-picture.ts';

const qualities = Array.from({ length: 61 }, (_, index) => 40 + index);

describe.each([
  ['webp', vp8Quality],
  ['libwebp', webpQuality],
  ['avif', avifQuality],
])('the quality scale of %s', (_, setting) => {
  test('never falls while the quality rises', () => {
    const settings = qualities.map(setting);
    expect(settings).toEqual(settings.toSorted((a, b) => a - b));
  });

  // AVIF rises by 0.4 of a setting a step where it is flattest, and knows only whole settings.
  test('tells qualities apart that are three steps apart', () => {
    for (const quality of qualities.slice(0, -3)) expect(setting(quality + 3)).toBeGreaterThan(setting(quality));
  });

  test('jumps nowhere by more than full chroma makes up for', () => {
    for (const quality of qualities.slice(0, -1))
      expect(setting(quality + 1) - setting(quality)).toBeLessThanOrEqual(4);
  });

  test('stays within what the encoder accepts, also outside of the interface', () => {
    for (const quality of [-10, 0, 39.9, ...qualities, 100.5, 1000]) {
      expect(setting(quality)).toBeGreaterThanOrEqual(setting(40));
      expect(setting(quality)).toBeLessThanOrEqual(setting(100));
    }
    expect(setting(40)).toBeGreaterThan(0);
    expect(setting(100)).toBeLessThanOrEqual(100);
  });
});

test('takes whole settings of libavif, which knows no others', () => {
  for (const quality of qualities) expect(Number.isInteger(avifQuality(quality))).toBe(true);
});

test('stays below the settings from which libavif takes more memory', () => {
  expect(avifQuality(100)).toBeLessThan(98);
});

test('lets AVIF do with a lower setting than JPEG up to high quality, since it codes more efficiently', () => {
  for (const quality of qualities.filter((q) => q >= 60 && q < 95)) expect(avifQuality(quality)).toBeLessThan(quality);
});

test('gives what was measured, up to where the other formats look as good as JPEG', () => {
  const below = (limit: number) => measured.filter(({ quality }) => quality < limit);
  for (const { quality, webp } of below(90)) expect(Math.abs(vp8Quality(quality) - webp.setting)).toBeLessThan(0.5);
  // Where a median lies between two whole settings either may be the closest.
  for (const { quality, avif } of below(100)) expect(Math.abs(avifQuality(quality) - avif.setting)).toBeLessThan(1);
});

describe('a picture of the same quality', () => {
  /** Single pictures are not the median: the worst here is 1.5. */
  const FACTOR = 1.6;
  const picture = texturedPicture(320, 240);
  const original = { ...picture.frame, rgba: picture.pixels };
  const difference = new Difference(original);
  const differenceOf = async (format: 'jpg' | 'webp' | 'avif', quality: number) => {
    const { pixels } = await decodePicture(await encodePicture(format, picture, quality));
    return difference.to({ ...original, rgba: pixels });
  };

  test.each([40, 60, 75, 82, 89])('is about as different from its original in each format, %i', async (quality) => {
    const jpeg = await differenceOf('jpg', quality);
    for (const format of ['webp', 'avif'] as const) {
      const ratio = (await differenceOf(format, quality)) / jpeg;
      expect(ratio, format).toBeGreaterThan(1 / FACTOR);
      expect(ratio, format).toBeLessThan(FACTOR);
    }
  });

  test.each([90, 95])('is so in AVIF with full chroma too, %i', async (quality) => {
    const ratio = (await differenceOf('avif', quality)) / (await differenceOf('jpg', quality));
    expect(ratio).toBeGreaterThan(1 / FACTOR);
    expect(ratio).toBeLessThan(FACTOR);
  });

  test('differs less the higher the quality, in each format', async () => {
    for (const format of ['jpg', 'webp', 'avif'] as const) {
      const [low, middle, high] = [
        await differenceOf(format, 45),
        await differenceOf(format, 70),
        await differenceOf(format, 88),
      ];
      expect(middle, format).toBeLessThan(low);
      expect(high, format).toBeLessThan(middle);
    }
  });
});
