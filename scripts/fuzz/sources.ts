import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { FormatId } from '../../src/image/formats/format-id.ts';
import { syntheticPicture } from '../../test/support/synthetic-picture.ts';
import { mediaFirst } from './avif-anatomy.ts';

const CORPUS = resolve(import.meta.dirname, '../../../shared/corpus');
const FOLDERS: Readonly<Record<FormatId, readonly string[]>> = {
  webp: ['webp'],
  avif: ['avif'],
  jpg: ['jpeg', 'broken'],
  png: ['png', 'broken'],
};
const EXTENSIONS: Readonly<Record<FormatId, string>> = { webp: '.webp', avif: '.avif', jpg: '.jpg', png: '.png' };
/** Larger files of the corpus are left out: thousands of jobs are to be run. */
const MOST_BYTES = 40_000;

/** Small files of a format, of every kind that sharp can make. With `corpus` also those of the corpus, where it is there. */
export async function fuzzSources(format: FormatId, corpus: boolean): Promise<Uint8Array[]> {
  const made = await Promise.all(makers[format]().map(async (picture) => new Uint8Array(await picture.toBuffer())));
  const files = [...made, ...(corpus ? fromCorpus(format) : [])];
  return format === 'avif' ? files.flatMap((file) => [file, mediaFirst(file)]) : files;
}

function fromCorpus(format: FormatId): Uint8Array[] {
  return FOLDERS[format]
    .map((folder) => join(CORPUS, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith(EXTENSIONS[format]))
    .map((path) => new Uint8Array(readFileSync(path)))
    .filter(({ length }) => length <= MOST_BYTES);
}

const makers: Readonly<Record<FormatId, () => Sharp[]>> = {
  jpg: () => [
    ...['4:2:0', '4:4:4'].flatMap((chromaSubsampling) =>
      [false, true].map((progressive) => picture(75, 58).jpeg({ chromaSubsampling, progressive, quality: 70 })),
    ),
    picture(40, 33).greyscale().jpeg(),
    picture(40, 33).toColourspace('cmyk').jpeg({ quality: 60 }),
    picture(67, 35)
      .withExif({ IFD0: { Copyright: 'nobody' } })
      .withMetadata({ orientation: 6, icc: 'p3' })
      .jpeg(),
  ],
  png: () => [
    picture(37, 29, true).png(),
    picture(37, 29).png({ progressive: true }),
    picture(37, 29).png({ palette: true, colours: 12 }),
    picture(37, 29).toColourspace('rgb16').png(),
    picture(37, 29, true).greyscale().png({ progressive: true }),
    picture(21, 19).withMetadata({ orientation: 3, icc: 'p3' }).png(),
  ],
  webp: () => [
    picture(75, 58).webp({ quality: 60 }),
    picture(75, 58, true).webp({ quality: 60, alphaQuality: 100 }),
    picture(75, 58, true).webp({ quality: 60, alphaQuality: 40 }),
    picture(61, 47).webp({ lossless: true }),
    picture(61, 47, true).webp({ lossless: true, effort: 6 }),
    flat(64, 64).webp({ lossless: true }),
    picture(40, 40).withMetadata({ orientation: 8, icc: 'p3' }).webp(),
  ],
  avif: () => [
    picture(75, 58).avif({ quality: 50, effort: 2 }),
    picture(75, 58, true).avif({ quality: 50, effort: 2 }),
    picture(70, 54).avif({ chromaSubsampling: '4:4:4', effort: 2 }),
    picture(48, 48).avif({ lossless: true, effort: 2 }),
    picture(64, 40).greyscale().avif({ effort: 2 }),
    picture(40, 40).withMetadata({ orientation: 5, icc: 'p3' }).avif({ effort: 2 }),
  ],
};

function picture(width: number, height: number, alpha = false): Sharp {
  return sharpOf(syntheticPicture('photo', width, height, alpha).pixels, width, height, alpha);
}

function flat(width: number, height: number): Sharp {
  return sharpOf(syntheticPicture('flat', width, height).pixels, width, height, false);
}

function sharpOf(pixels: Uint8Array, width: number, height: number, alpha: boolean): Sharp {
  const made = sharp(pixels, { raw: { width, height, channels: 4 } });
  return alpha ? made : made.removeAlpha();
}
