import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { marker, segments } from '../../../../src/image/formats/jpeg/segments.ts';
import { decodeWhole } from './decode-whole.ts';
import {
  cjpeg,
  corpusFile,
  corpusFiles,
  differingPixels,
  djpeg,
  hasNativeJpeg,
  jpegtran,
  largestDifference,
  largestDifferenceOfMeans,
  testPpm,
} from './native-jpeg.ts';

const scales = [2, 4, 8] as const;
const native = hasNativeJpeg();
if (!native) console.log('skipped: comparison with libjpeg-turbo, whose cjpeg, djpeg and jpegtran are not installed');

async function expectExact(file: Uint8Array, name: string): Promise<void> {
  const { pixels } = await decodeWhole(file);
  expect(largestDifference(pixels, djpeg(file)), name).toBe(0);
}

/** Scaled pictures are sharper than libjpeg-turbo's, whose transform takes means: the mean over larger areas is the same. */
async function expectAlike(file: Uint8Array, scale: 2 | 4 | 8, name: string): Promise<void> {
  const { pixels, width } = await decodeWhole(file, scale);
  expect(largestDifferenceOfMeans(pixels, djpeg(file, scale), width), `${name} at 1/${scale}`).toBeLessThan(12);
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
        await expectExact(cjpeg(testPpm(width, height), ...args), `${width}×${height} ${args.join(' ')}`);
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
      await expectExact(file, `${width}×${height}`);
      for (const scale of scales) await expectAlike(file, scale, `${width}×${height}`);
      await expectExact(jpegtran(file, '-progressive', '-restart', '2'), `${width}×${height} progressive`);
    }
  });

  test('of the largest width and of the largest height', async () => {
    for (const [width, height] of [
      [65_500, 9],
      [9, 65_500],
    ] as const) {
      const file = cjpeg(testPpm(width, height), '-quality', '70');
      await expectExact(file, `${width}×${height}`);
      await expectExact(jpegtran(file, '-progressive'), `${width}×${height} progressive`);
    }
  });

  test('with 16-bit quantisation tables', async () => {
    const file = cjpeg(testPpm(70, 50), '-quality', '1');
    expect(Buffer.from(file).includes(Buffer.from([0xff, 0xdb, 0x00, 0x83, 0x10]))).toBe(true);
    await expectExact(file, 'quality 1');
    for (const scale of scales) await expectAlike(file, scale, 'quality 1');
  });

  test('as RGB without a colour transform', async () => {
    await expectExact(cjpeg(testPpm(50, 40), '-rgb', '-quality', '90'), 'rgb');
  });

  test('with restart markers in progressive scans', async () => {
    const file = jpegtran(cjpeg(testPpm(100, 90), '-quality', '90'), '-progressive', '-restart', '3B');
    await expectExact(file, 'progressive with restarts');
    for (const scale of scales) await expectAlike(file, scale, 'progressive with restarts');
  });

  test('in photographs, baseline and progressive', async () => {
    const names = ['photos/gps-tagged.jpg', 'photos/storm.jpg', 'photos/pineapple.jpg'];
    for (const name of names) {
      const file = corpusFile(name);
      if (file === undefined) continue;
      await expectExact(file, name);
      await expectAlike(jpegtran(file, '-progressive'), 2, `${name} made progressive`);
    }
  });

  test('in the small files of the corpus', async () => {
    for (const name of corpusFiles('jpeg')) {
      const file = corpusFile(name)!;
      const { width, height, model } = readJpegHeader(file);
      if (width * height > 500_000 || model === 'cmyk') continue;
      await expectExact(file, name);
      await expectAlike(file, 4, name);
    }
  });

  test('where a file was cut off behind the middle, the grey rest included', async () => {
    const ppm = testPpm(90, 170);
    // Not progressive ones, which libjpeg smooths where scans are missing.
    const variants = [['-sample', '2x2'], ['-sample', '1x1', '-restart', '3'], ['-grayscale']];
    for (const args of variants) {
      const file = cjpeg(ppm, '-quality', '80', ...args);
      let accepted = 0;
      for (let length = file.length >> 1; length < file.length; length += 131) {
        const cut = file.slice(0, length);
        const decoded = await decodeWhole(cut).catch(() => undefined);
        if (decoded === undefined) continue;
        accepted++;
        // Where a restart marker is missing, libjpeg makes up one MCU of zero bits first.
        const madeUp = args.includes('-restart') ? 64 : 0;
        const differing = differingPixels(decoded.pixels, djpeg(cut));
        expect(differing, `${args.join(' ')} cut at ${length}`).toBeLessThanOrEqual(madeUp);
      }
      expect(accepted, args.join(' ')).toBeGreaterThan(2);
    }
  });
});

test('CMYK equals libvips, with an Adobe marker and without', async () => {
  for (const path of corpusFiles('jpeg').filter((name) => name.includes('CMYK'))) {
    const file = corpusFile(path)!;
    for (const bytes of [file, withoutAdobeMarker(file)]) {
      const { pixels, model } = await decodeWhole(bytes);
      const reference = await sharp(bytes).pipelineColourspace('cmyk').toColourspace('cmyk').raw().toBuffer();
      expect(model).toBe('cmyk');
      expect(Buffer.compare(pixels, reference)).toBe(0);
    }
  }
});

test('files of the corpus that libvips refuses as damaged are refused, and no others', async () => {
  for (const path of corpusFiles('broken')) {
    const file = corpusFile(path)!;
    const accepted = await sharp(file, { failOn: 'warning' })
      .raw()
      .toBuffer()
      .then(
        () => true,
        () => false,
      );
    const decoding = decodeWhole(file);
    if (accepted) await expect(decoding, path).resolves.toBeDefined();
    else await expect(decoding, path).rejects.toThrow(FileError);
  }
});

/** Not the one in the thumbnail: the one of the picture itself. */
function withoutAdobeMarker(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file);
  const at = bytes.lastIndexOf(Buffer.from([0xff, 0xee, 0, 14, ...Buffer.from('Adobe')]));
  return new Uint8Array(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 16)]));
}

test.skipIf(!native)(
  'sampling factors 3, 2 and 1 in one picture, which libjpeg refuses, repeat the nearest sample',
  async () => {
    const [width, height] = [48, 16];
    const ramp = (side: number, step: number) =>
      Buffer.concat([
        Buffer.from(`P5\n${side} ${height}\n255\n`),
        Buffer.from(Array.from({ length: side * height }, (_, at) => (at % side) * step)),
      ]);
    const planes = [ramp(width, 5), ramp((width * 2) / 3, 7), ramp(width / 3, 15)];
    const picture = planesInOneFile(planes.map((plane) => cjpeg(plane, '-quality', '100')));
    const { pixels } = await decodeWhole(picture);
    for (let x = 0; x < width; x++) {
      expect(Math.abs(pixels[x * 4]! - x * 5)).toBeLessThanOrEqual(2);
      expect(Math.abs(pixels[x * 4 + 1]! - Math.floor((x * 2) / 3) * 7)).toBeLessThanOrEqual(2);
      expect(Math.abs(pixels[x * 4 + 2]! - Math.floor(x / 3) * 15)).toBeLessThanOrEqual(2);
    }
  },
);

/** One RGB picture of three grey ones with the same tables: 3 × 1, 2 × 1 and 1 × 1 blocks, a scan each. */
function planesInOneFile(planes: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [index, file] of planes.entries()) {
    for (const { code, start, end } of segments(file)) {
      const data = file.slice(start, end);
      if (code === marker.SOS) {
        data[5] = 82 + index;
        parts.push(data, file.slice(end, file.length - 2));
      } else if (code === marker.SOF0 && index === 0) {
        const components = [0x31, 0x21, 0x11].flatMap((sampling, at) => [82 + at, sampling, 0]);
        parts.push(Uint8Array.from([0xff, code, 0, 17, ...data.subarray(4, 9), 3, ...components]));
      } else if (index === 0 && code !== marker.APP0 && code !== marker.EOI) parts.push(data);
    }
  }
  const adobe = [0xff, marker.APP14, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0];
  return Uint8Array.from([0xff, marker.SOI, ...adobe, ...parts.flatMap((part) => [...part]), 0xff, marker.EOI]);
}
