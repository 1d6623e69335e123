import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../src/image/frame.ts';
import { resample } from '../../../src/image/resample/resample.ts';
import { fitWithin } from '../../../src/image/steps/resize.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';

const corpus = new URL('../../../../shared/corpus/', import.meta.url).pathname;
if (!existsSync(corpus)) console.log('resample: no corpus, 6 pictures skipped');

/** PSNR in dB against sharp's Lanczos3; colours count by their alpha. */
async function psnr(file: Buffer, maxWidth: number): Promise<number> {
  const { data, info } = await sharp(file, { ignoreIcc: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { hasAlpha } = await sharp(file).metadata();
  const from: Frame = { width: info.width, height: info.height, alpha: hasAlpha, model: 'rgb' };
  const to = fitWithin(from, maxWidth, undefined, 1);
  const theirs = await sharp(data, { raw: { width: from.width, height: from.height, channels: 4 } })
    .resize(to.width, to.height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer();
  const ours = await gatherBands(resample(bandsOf(data, from, 32), from, to, new HeapWorkspace()), to);
  let squares = 0;
  for (let at = 0; at < ours.length; at += 4) {
    const [alpha, other] = [ours[at + 3]! / 255, theirs[at + 3]! / 255];
    squares += ((alpha - other) * 255) ** 2;
    for (let k = 0; k < 3; k++) squares += (ours[at + k]! * alpha - theirs[at + k]! * other) ** 2;
  }
  return 10 * Math.log10((255 ** 2 * (hasAlpha ? 1 : 0.75) * ours.length) / squares);
}

describe.skipIf(!existsSync(corpus))('resample looks like sharp’s Lanczos3', () => {
  test.each([
    ['photos/ultra-hdr.jpg', 1920, 50],
    ['photos/wood.jpg', 1280, 50],
    ['photos/twowings.jpg', 1999, 50],
    ['photos/storm.jpg', 333, 45],
    ['screens/report-1440x1000.png', 700, 40],
    ['watermarks/text-alpha.png', 200, 40],
  ] as const)('%s to %i: at least %i dB', async (path, width, least) => {
    expect(await psnr(readFileSync(corpus + path), width)).toBeGreaterThanOrEqual(least);
  });
});

test('sides are rounded as sharp rounds them', async () => {
  for (let width = 40; width < 80; width += 3) {
    for (const maxWidth of [7, 20, 33, 60]) {
      for (const maxHeight of [9, 31, undefined]) {
        const size = { width, height: 97 - width };
        const blank = { create: { ...size, channels: 3 as const, background: 'red' } };
        const { info } = await sharp(blank)
          .resize({ width: maxWidth, ...(maxHeight && { height: maxHeight }), fit: 'inside', withoutEnlargement: true })
          .raw()
          .toBuffer({ resolveWithObject: true });
        expect({ width: info.width, height: info.height }).toEqual(fitWithin(size, maxWidth, maxHeight, 1));
      }
    }
  }
});
