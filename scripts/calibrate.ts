import './engine/load-wasm.ts';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { chromaSubsampling } from '../src/image/formats/chroma-subsampling.ts';
import { type Point, pointAt, quantile } from './calibrate/curve.ts';
import { Difference } from './calibrate/difference.ts';
import { decodePicture, type Picture, readPicture } from './calibrate/picture.ts';

/*
 * Measures at which of their own settings the engine's WebP and AVIF look as good as its JPEG at each quality: the numbers of
 * `src/image/formats/quality.ts`. `npx node scripts/calibrate.ts [folder of pictures …]`; takes some minutes.
 */

const { avifFile, jpegFile, webpFile } = await import('./calibrate/encoders.ts');

/** 89 and 90 are both there because chroma changes from half to full resolution between them. */
const QUALITIES = [40, 50, 60, 70, 75, 82, 89, 90, 95, 100];
const WEBP_SETTINGS = [5, 15, 25, 35, 45, 55, 65, 70, 75, 80, 85, 89, 92, 95, 97, 100];
const AVIF_SETTINGS = {
  half: [20, 28, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90],
  full: [54, 60, 66, 72, 78, 84, 90, 94, 97, 99],
};
const PIXELS = 500_000;
const CORPUS = join(import.meta.dirname, '../../shared/corpus');

const RESULT = join(import.meta.dirname, 'calibrate/measured.json');

/** The median and the quartiles of a codec's setting, and its bytes against JPEG's. */
interface MeasuredCodec {
  readonly low: number;
  readonly setting: number;
  readonly high: number;
  readonly bytes: number;
}

interface Measured {
  readonly quality: number;
  readonly difference: number;
  readonly webp: MeasuredCodec;
  readonly avif: MeasuredCodec;
}

interface Match {
  readonly quality: number;
  readonly jpeg: Point;
  readonly webp: Point;
  readonly avif: Point;
}

async function matches(picture: Picture): Promise<Match[]> {
  const difference = new Difference(picture);
  const point = async (setting: number, file: Uint8Array): Promise<Point> => ({
    setting,
    difference: difference.to(await decodePicture(file)),
    bytes: file.length,
  });
  const curve = async (settings: readonly number[], encode: (setting: number) => Promise<Uint8Array>) => {
    const points: Point[] = [];
    for (const setting of settings) points.push(await point(setting, await encode(setting)));
    return points;
  };
  const jpeg = await curve(QUALITIES, (quality) => jpegFile(picture, quality));
  const webp = await curve(WEBP_SETTINGS, (setting) => webpFile(picture, setting));
  const half = await curve(AVIF_SETTINGS.half, (setting) => avifFile(picture, setting, '4:2:0'));
  const full = await curve(AVIF_SETTINGS.full, (setting) => avifFile(picture, setting, '4:4:4'));
  return jpeg.map((target) => ({
    quality: target.setting,
    jpeg: target,
    webp: pointAt(webp, target.difference),
    avif: pointAt(chromaSubsampling(target.setting) === '4:4:4' ? full : half, target.difference),
  }));
}

/** Medians over all pictures; bytes are against JPEG's on the same picture. */
function summary(all: readonly Match[]): Measured[] {
  return QUALITIES.map((quality) => {
    const some = all.filter((match) => match.quality === quality);
    const codec = (name: 'webp' | 'avif'): MeasuredCodec => {
      const settings = some.map((match) => match[name].setting);
      const setting = (share: number) => rounded(quantile(settings, share), 1);
      const bytes = some.map((match) => match[name].bytes / match.jpeg.bytes);
      return {
        low: setting(0.25),
        setting: setting(0.5),
        high: setting(0.75),
        bytes: rounded(quantile(bytes, 0.5), 2),
      };
    };
    const differences = some.map(({ jpeg }) => jpeg.difference);
    return { quality, difference: rounded(quantile(differences, 0.5), 4), webp: codec('webp'), avif: codec('avif') };
  });
}

function described({ low, setting, high, bytes }: MeasuredCodec): string {
  return `${setting} (${low} … ${high}), ${bytes} of JPEG's bytes`;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

const folders = process.argv.length > 2 ? process.argv.slice(2) : [join(CORPUS, 'photos'), join(CORPUS, 'screens')];
const files = folders.filter(existsSync).flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
if (files.length === 0) throw new Error(`There are no pictures in ${folders.join(' or ')}.`);
const all: Match[] = [];
for (const file of files) {
  const picture = await readPicture(file, PIXELS);
  const found = await matches(picture);
  all.push(...found);
  const line = found.map(({ webp, avif }) => `${webp.setting.toFixed(0)}/${avif.setting.toFixed(0)}`).join(' ');
  console.log(`${basename(file)} ${picture.width}×${picture.height}: webp/avif ${line}`);
}
const measured = summary(all);
for (const { quality, difference, webp, avif } of measured) {
  console.log(`${quality}: difference ${difference}; WebP ${described(webp)}; AVIF ${described(avif)}`);
}
writeFileSync(RESULT, `${JSON.stringify(measured, null, 2)}\n`);
