import { expect, test } from 'vitest';
import { decodeJpeg } from '../../../../src/image/formats/jpeg/decode-jpeg.ts';
import { readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { planJpegDecode } from '../../../../src/image/formats/jpeg/plan-jpeg-decode.ts';
import { resample } from '../../../../src/image/resample/resample.ts';
import { heldFile } from '../../../../src/image/source-file.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { cjpeg, hasNativeJpeg } from './native-jpeg.ts';

const native = hasNativeJpeg();
if (!native) console.log('skipped: made pictures at half size, since cjpeg is not installed');

/** A picture with fine detail everywhere, none of it finer than half size can hold. */
function detailedPpm(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave = Math.sin(x * 0.7 + y * 0.2) + Math.sin(y * 0.6 - x * 0.3);
      pixels.fill(Math.round(128 + 55 * wave), at, at + 3);
      at += 3;
    }
  }
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), pixels]);
}

/** Decodes as planned for `least`, then resamples to `target`. */
async function resized(file: Uint8Array, least: { width: number; height: number }, target: typeof least) {
  const header = readJpegHeader(file);
  const plan = planJpegDecode(header, file.length, least);
  const workspace = new HeapWorkspace();
  const pixels = new Uint8Array(target.width * target.height * 4);
  for await (const band of resample(
    decodeJpeg(heldFile(file), header, plan, workspace),
    plan.frame,
    target,
    workspace,
  )) {
    pixels.set(band.pixels, band.top * target.width * 4);
  }
  return { scale: plan.scale, pixels };
}

test.skipIf(!native).each([
  [640, 480],
  [641, 481],
  [333, 255],
])('a picture of %i × %i decoded at half size and resampled is the one decoded whole', async (width, height) => {
  const file = cjpeg(detailedPpm(width, height), '-quality', '95');
  const target = { width: Math.round(width * 0.4), height: Math.round(height * 0.4) };
  const half = await resized(file, target, target);
  const whole = await resized(file, { width, height }, target);
  expect([half.scale, whole.scale]).toEqual([2, 1]);
  const squares = half.pixels.reduce((sum, level, at) => sum + (level - whole.pixels[at]!) ** 2, 0);
  const psnr = 10 * Math.log10(255 ** 2 / (squares / half.pixels.length));
  expect(psnr).toBeGreaterThan(38);
});
