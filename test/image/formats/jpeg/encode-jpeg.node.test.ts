import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions } from '@jsquash/jpeg/meta.js';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import encoderWasm from '../../../../build/jpeg-encode.wasm';
import { encodeLayout } from '../../../../src/image/formats/jpeg/encode/encode-layout.ts';
import { encodeJpeg } from '../../../../src/image/formats/jpeg/encode-jpeg.ts';
import { type JpegDetail, readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { JobWorkspace } from '../../../../src/image/job-workspace.ts';
import { Arena } from '../../../../src/image/kernels/arena.ts';
import type { CodecFactory } from '../../../../src/image/workspace.ts';
import { bandsOf } from '../../../support/bands.ts';
import { type SyntheticPicture, syntheticPicture } from '../../../support/synthetic-picture.ts';
import { corpusFile, hasNativeJpeg, jpegtran } from './native-jpeg.ts';

const native = hasNativeJpeg();
if (!native) console.log('skipped: comparison with libjpeg-turbo, whose djpeg and jpegtran are not installed');
const arena = new Arena();
/** Where the library encodes pictures whole, as nothing in the product may. */
const largeArena = new Arena(512 * 1024 * 1024);

interface Library {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array;
}

/** @param onPiece is told, for each piece, how many rows were read before it left */
async function encode(
  { pixels, frame }: SyntheticPicture,
  quality: number,
  onPiece: (row: number) => void = () => undefined,
): Promise<Buffer> {
  const workspace = new JobWorkspace(arena);
  let read = 0;
  async function* bands() {
    for await (const band of bandsOf(pixels, frame, 8)) {
      read = band.top + band.rows;
      yield band;
    }
  }
  try {
    workspace.stage(encodeLayout(frame.width, frame.height, quality).cost);
    const parts: Uint8Array[] = [];
    for await (const piece of encodeJpeg(bands(), frame, { quality }, workspace)) {
      parts.push(piece);
      onPiece(read);
    }
    return Buffer.concat(parts);
  } finally {
    workspace.finish();
  }
}

async function library(): Promise<Library> {
  largeArena.clear();
  largeArena.reserve(0, 480 * 1024 * 1024);
  return largeArena.instantiate(createEncoder as CodecFactory<Library>, encoderWasm);
}

function settings(quality: number): typeof defaultOptions {
  return { ...defaultOptions, quality, auto_subsample: false, chroma_subsample: quality < 90 ? 2 : 1 };
}

/** RGB as libjpeg-turbo decodes it, each chroma sample standing for its pixels alone: so rows of strips stay apart. */
function plainPixels(file: Uint8Array): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'plume-djpeg-'));
  const path = join(folder, 'file.jpg');
  writeFileSync(path, file);
  const ppm = execFileSync('djpeg', ['-rgb', '-nosmooth', path], { maxBuffer: 2 ** 30 });
  rmSync(folder, { recursive: true });
  const header = ppm.subarray(0, 64).toString('latin1').split('\n', 3).join('\n');
  return ppm.subarray(header.length + 1);
}

function expectSame(actual: Buffer, expected: Buffer): void {
  expect(actual.equals(expected)).toBe(true);
}

describe.skipIf(!native)('libjpeg-turbo reads it', () => {
  test.each([
    [50, 900, 1500],
    [82, 1333, 1001],
    [89, 33, 4000],
    [95, 1001, 1200],
    [100, 700, 1100],
  ])('as exactly the pixels of the strips, quality %i, %i × %i', async (quality, width, height) => {
    const picture = syntheticPicture('photo', width, height);
    const { stripRows } = encodeLayout(width, height, quality);
    const encoder = await library();
    const strips: Buffer[] = [];
    for (let top = 0; top < height; top += stripRows) {
      const rows = Math.min(stripRows, height - top);
      const pixels = picture.pixels.subarray(top * width * 4, (top + rows) * width * 4);
      strips.push(plainPixels(encoder.encode(pixels, width, rows, { ...settings(quality), progressive: false })));
    }
    expectSame(plainPixels(await encode(picture, quality)), Buffer.concat(strips));
  });

  test.each([1, 8, 9, 16, 17, 100])('at %i pixels a side, and jpegtran writes it anew', async (side) => {
    for (const quality of [40, 82, 100]) {
      const file = await encode(syntheticPicture('photo', side, side), quality);
      const pixels = plainPixels(file);
      expect(pixels.length).toBe(side * side * 3);
      expectSame(plainPixels(jpegtran(file, '-optimize')), pixels);
      expectSame(plainPixels(jpegtran(file, '-progressive')), pixels);
    }
  });

  test('sequentially, where the picture is too much to be kept', { timeout: 60_000 }, async () => {
    const picture = syntheticPicture('noise', 65_500, 40);
    const rows: number[] = [];
    const file = await encode(picture, 100, (row) => rows.push(row));
    expect(rows[0], 'rows that were read when the first piece left').toBeLessThan(40);
    expect((readJpegHeader(new Uint8Array(file)).detail as JpegDetail).progressive).toBe(false);
    const rgb = Buffer.from(picture.pixels.filter((_, at) => (at & 3) !== 3));
    const decoded = plainPixels(file);
    expect(decoded.reduce((sum, sample, at) => sum + Math.abs(sample - rgb[at]!), 0) / decoded.length).toBeLessThan(1);
  });
});

const photos = ['photos/raindrops.jpg', 'photos/twowings.jpg', 'photos/storm.jpg'];

test('a photograph takes hardly more bytes than encoded whole, and looks the same', { timeout: 60_000 }, async () => {
  const ratios: number[] = [];
  for (const name of photos) {
    const source = corpusFile(name);
    if (source === undefined) continue;
    const { data, info } = await sharp(source).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const frame = { width: info.width, height: info.height, alpha: false, model: 'rgb' } as const;
    const pixels = new Uint8Array(data);
    const file = await encode({ frame, pixels }, 82);
    const whole = (await library()).encode(pixels, frame.width, frame.height, settings(82));
    const ratio = file.length / whole.length;
    expect(ratio, name).toBeLessThan(1.02);
    expect(await noise(file, data), name).toBeLessThan((await noise(Buffer.from(whole), data)) * 1.01);
    ratios.push(ratio);
  }
  if (ratios.length > 0) expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeLessThan(1.005);
});

/** Mean square of the differences to RGBA pixels. */
async function noise(file: Buffer, rgba: Buffer): Promise<number> {
  const decoded = await sharp(file).raw().toBuffer();
  let sum = 0;
  for (let at = 0, from = 0; at < decoded.length; at += 3, from += 4) {
    for (let channel = 0; channel < 3; channel++) sum += (decoded[at + channel]! - rgba[from + channel]!) ** 2;
  }
  return sum / decoded.length;
}
