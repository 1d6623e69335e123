import './engine/load-wasm.ts';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Point, pointAt, quantile } from './calibrate/curve.ts';
import { Difference } from './calibrate/difference.ts';
import { decodePicture, type Picture, readPicture } from './calibrate/picture.ts';

/*
 * Measures which settings of libwebp and libavif look as good as mozjpeg at each quality of the interface: the numbers of
 * `src/image/formats/quality.ts`. `npx node scripts/calibrate.ts [folder of pictures …]`; takes some minutes.
 */

const { encodeAvif, encodeJpeg, encodeWebp } = await import('./calibrate/encoders.ts');

/** 89 and 90 are both there because chroma changes from half to full resolution between them. */
const QUALITIES = [40, 50, 60, 70, 75, 82, 89, 90, 95, 100];
const FULL_CHROMA_QUALITY = 90;
const WEBP_SETTINGS = [5, 15, 25, 35, 45, 55, 65, 70, 75, 80, 85, 89, 92, 95, 97, 100];
const AVIF_SETTINGS = {
  half: [20, 28, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90],
  full: [54, 60, 66, 72, 78, 84, 90, 94, 97, 99],
};
const PIXELS = 500_000;
const CORPUS = join(import.meta.dirname, '../../shared/corpus');

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
  const jpeg = await curve(QUALITIES, (quality) => encodeJpeg(picture, quality, quality >= FULL_CHROMA_QUALITY));
  const webp = await curve(WEBP_SETTINGS, (setting) => encodeWebp(picture, setting));
  const half = await curve(AVIF_SETTINGS.half, (setting) => encodeAvif(picture, setting, false));
  const full = await curve(AVIF_SETTINGS.full, (setting) => encodeAvif(picture, setting, true));
  return jpeg.map((target) => ({
    quality: target.setting,
    jpeg: target,
    webp: pointAt(webp, target.difference),
    avif: pointAt(target.setting >= FULL_CHROMA_QUALITY ? full : half, target.difference),
  }));
}

function report(all: readonly Match[]): void {
  console.log('quality  difference   webp (quartiles)       bytes/jpeg   avif (quartiles)       bytes/jpeg');
  for (const quality of QUALITIES) {
    const some = all.filter((match) => match.quality === quality);
    const middle = (values: readonly number[]) => quantile(values, 0.5);
    const column = (codec: 'webp' | 'avif') => {
      const settings = some.map((match) => match[codec].setting);
      const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(settings, share).toFixed(1).padStart(5));
      const bytes = middle(some.map((match) => match[codec].bytes / match.jpeg.bytes));
      return `${median} (${low} … ${high})   ${bytes.toFixed(2).padStart(10)}`;
    };
    const difference = middle(some.map(({ jpeg }) => jpeg.difference)).toFixed(4);
    console.log(`${String(quality).padStart(7)}  ${difference.padStart(10)}  ${column('webp')}  ${column('avif')}`);
  }
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
report(all);
