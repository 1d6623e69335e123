import { describe, expect, test } from 'vitest';
import { readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { decodeWhole } from './decode-whole.ts';
import {
  cjpeg,
  corpusFile,
  corpusFiles,
  djpeg,
  hasNativeJpeg,
  jpegtran,
  largestDifference,
  testPpm,
} from './native-jpeg.ts';

const scales = [1, 2, 4, 8] as const;
const native = hasNativeJpeg();
if (!native) console.log('skipped: comparison with libjpeg-turbo, whose cjpeg, djpeg and jpegtran are not installed');

async function expectExact(file: Uint8Array, scale: 1 | 2 | 4 | 8, name: string): Promise<void> {
  const { pixels } = await decodeWhole(file, scale);
  expect(largestDifference(pixels, djpeg(file, scale)), `${name} at 1/${scale}`).toBe(0);
}

describe.skipIf(!native)('pixels equal libjpeg-turbo', () => {
  test('at every size from 1 × 1 to 17 × 17', async () => {
    const variants = [
      ['-quality', '90'],
      ['-quality', '75', '-sample', '1x1'],
      ['-quality', '50', '-progressive'],
      ['-quality', '95', '-sample', '2x1', '-restart', '1B'],
      ['-quality', '80', '-sample', '1x2', '-progressive'],
      ['-quality', '80', '-grayscale'],
    ];
    for (let width = 1; width <= 17; width++) {
      for (let height = 1; height <= 17; height++) {
        const args = variants[(width * 17 + height) % variants.length]!;
        await expectExact(cjpeg(testPpm(width, height), ...args), 1, `${width}×${height} ${args.join(' ')}`);
      }
    }
  });

  const samplings = ['1x1', '2x1', '1x2', '2x2', '4x1', '1x4', '4x2', '2x4', '3x1', '1x3', '3x2', '2x2,2x1', '2x2,1x2'];
  const unusual = ['1x1,2x1,1x2', '1x1,2x2,2x2', '1x2,1x2,1x2', '2x1,1x1,2x1', '4x1,2x1,1x1', '2x2,1x1,2x1'];
  test.each([...samplings, ...unusual])('with sampling factors %s at every scale', async (sampling) => {
    for (const [width, height] of [
      [83, 61],
      [9, 50],
    ] as const) {
      const ppm = testPpm(width, height);
      const file = cjpeg(ppm, '-sample', sampling, '-quality', '85');
      for (const scale of scales) await expectExact(file, scale, `${width}×${height}`);
      await expectExact(jpegtran(file, '-progressive', '-restart', '2'), 1, `${width}×${height} progressive`);
    }
  });

  test('with 16-bit quantisation tables', async () => {
    const file = cjpeg(testPpm(70, 50), '-quality', '1');
    expect(Buffer.from(file).includes(Buffer.from([0xff, 0xdb, 0x00, 0x83, 0x10]))).toBe(true);
    for (const scale of scales) await expectExact(file, scale, 'quality 1');
  });

  test('as RGB without a colour transform', async () => {
    await expectExact(cjpeg(testPpm(50, 40), '-rgb', '-quality', '90'), 1, 'rgb');
  });

  test('with restart markers in progressive scans', async () => {
    const file = jpegtran(cjpeg(testPpm(100, 90), '-quality', '90'), '-progressive', '-restart', '3B');
    for (const scale of scales) await expectExact(file, scale, 'progressive with restarts');
  });

  test('in photographs, baseline and progressive', async () => {
    const names = ['photos/gps-tagged.jpg', 'photos/storm.jpg', 'photos/pineapple.jpg'];
    for (const name of names) {
      const file = corpusFile(name);
      if (file === undefined) continue;
      await expectExact(file, 1, name);
      await expectExact(jpegtran(file, '-progressive'), 2, `${name} made progressive`);
    }
  });

  test('in the small files of the corpus', async () => {
    for (const name of corpusFiles('jpeg')) {
      const file = corpusFile(name)!;
      const { width, height, model } = readJpegHeader(file);
      if (width * height > 500_000 || model === 'cmyk') continue;
      for (const scale of [1, 4] as const) await expectExact(file, scale, name);
    }
  });
});
