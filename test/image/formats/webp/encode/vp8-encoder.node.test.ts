import '../../../../../scripts/engine/load-wasm.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Vp8Encoder as Encoder } from '../../../../../src/image/formats/webp/encode/vp8-encoder.ts';
import { corpusFiles, fileBytes } from '../../../../support/corpus-files.ts';
import { HeapWorkspace } from '../../../../support/heap-workspace.ts';
import { hasTool, inFolder, run } from '../../../../support/native-tool.ts';
import { syntheticPicture } from '../../../../support/synthetic-picture.ts';

const { Vp8Encoder } = await import('../../../../../src/image/formats/webp/encode/vp8-encoder.ts');
const { word } = await import('../../../../../src/image/formats/webp/encode/vp8-kernel.ts');
const { keyFrameStart, simpleFileStart } = await import('../../../../../src/image/formats/webp/encode/container.ts');

interface Rgba {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Planes as `dwebp -yuv` writes them: Y, U, V without padding. */
class Planes {
  readonly bytes: Uint8Array;
  readonly #width: number;
  readonly #height: number;

  constructor({ width, height }: Rgba) {
    this.#width = width;
    this.#height = height;
    const half = Math.ceil(width / 2) * Math.ceil(height / 2);
    this.bytes = new Uint8Array(width * height + 2 * half);
  }

  /** Copies what a row of macroblocks was rebuilt as. */
  take(encoder: Encoder, row: number): void {
    const { buffer, byteOffset } = encoder.rgba;
    // The encoder's state is the region in front of its rows.
    const words = new Uint32Array(buffer, byteOffset - encoder.layout.state, 64);
    const memory = new Uint8Array(buffer);
    const across = Math.ceil(this.#width / 2);
    const down = Math.ceil(this.#height / 2);
    const luma = this.#width * this.#height;
    const plane = (to: number, from: number, stride: number, rows: number, width: number, height: number) => {
      for (let y = 0; y < rows && row * rows + y < height; y++) {
        this.bytes.set(memory.subarray(from + y * stride, from + y * stride + width), to + (row * rows + y) * width);
      }
    };
    plane(0, words[word.lumaOut]!, words[word.lumaStride]!, 16, this.#width, this.#height);
    plane(luma, words[word.uOut]!, words[word.chromaStride]!, 8, across, down);
    plane(luma + across * down, words[word.vOut]!, words[word.chromaStride]!, 8, across, down);
  }
}

/** Lets the modes of all macroblocks have so many bits. */
function limitModes(encoder: Encoder, bits: number): void {
  const at = encoder.rgba.byteOffset - encoder.layout.state + word.modeBudget * 4;
  new Float64Array(encoder.rgba.buffer, at, 1)[0] = bits * 256;
}

/** A WebP and the planes that its encoder predicted from. */
function encode(
  picture: Rgba,
  quality: number,
  modeBits?: number,
): { file: Uint8Array; rebuilt: Uint8Array; firstPartition: number } {
  const encoder = new Vp8Encoder(picture, quality, 4, new HeapWorkspace());
  if (modeBits !== undefined) limitModes(encoder, modeBits);
  const planes = new Planes(picture);
  const { mbWidth, mbHeight } = encoder.layout;
  for (let row = 0; row < mbHeight; row++) {
    for (let y = 0; y < 16; y++) {
      for (let x = 0; x < mbWidth * 16; x++) {
        const from = Math.min(picture.height - 1, row * 16 + y) * picture.width + Math.min(picture.width - 1, x);
        encoder.rgba.set(picture.pixels.subarray(from * 4, from * 4 + 4), (y * mbWidth * 16 + x) * 4);
      }
    }
    expect([...encoder.encodeRow()]).toEqual([]);
    planes.take(encoder, row);
  }
  expect([...encoder.finish()]).toEqual([]);
  const tokens = encoder.tokens.slice();
  const first = encoder.writeFirstPartition();
  const start = keyFrameStart(picture, first.length);
  const bytes = start.length + first.length + tokens.length;
  const file = Buffer.concat([simpleFileStart(bytes), start, first, tokens, new Uint8Array(bytes & 1)]);
  return { file, rebuilt: planes.bytes, firstPartition: first.length };
}

function decodedUnfiltered(file: Uint8Array): Promise<Uint8Array> {
  return inFolder((write) => {
    const path = write('picture.webp', file);
    run('dwebp', '-quiet', '-nofilter', '-yuv', path, '-o', `${path}.yuv`);
    return new Uint8Array(readFileSync(`${path}.yuv`));
  });
}

async function part(path: Uint8Array, width: number, height: number): Promise<Rgba> {
  const pixels = await sharp(path).resize(width, height, { fit: 'cover' }).removeAlpha().ensureAlpha().raw().toBuffer();
  return { width, height, pixels };
}

const dwebp = hasTool('dwebp');

describe.skipIf(!dwebp)('what dwebp decodes is bit for bit what the encoder predicted from', () => {
  it.each([
    ['photo', 150, 101, 82],
    ['photo', 1, 1, 50],
    ['photo', 17, 16, 10],
    ['photo', 333, 5, 95],
    ['noise', 97, 61, 0],
    ['noise', 64, 64, 20],
    ['flat', 100, 40, 75],
  ] as const)('%s, %i × %i, quality %i', async (kind, width, height, quality) => {
    const { pixels } = syntheticPicture(kind, width, height);
    const { file, rebuilt } = encode({ width, height, pixels }, quality);
    expect(Buffer.compare(await decodedUnfiltered(file), rebuilt)).toBe(0);
  });

  it('when the first partition has less room than its modes would like', async () => {
    const { pixels } = syntheticPicture('noise', 640, 480);
    const macroblocks = 40 * 30;
    const picture = { width: 640, height: 480, pixels };
    const free = encode(picture, 90);
    const { file, rebuilt, firstPartition } = encode(picture, 90, macroblocks * 14);
    expect(free.firstPartition).toBeGreaterThan(macroblocks * 2.5);
    // The probabilities of coefficients come on top.
    expect(firstPartition).toBeLessThan((macroblocks * 14) / 8 + 1500);
    expect(Buffer.compare(await decodedUnfiltered(file), rebuilt)).toBe(0);
  });

  const photos = corpusFiles('photos', '.jpg').slice(0, 4);
  it.each(photos)('$name', { timeout: 60_000 }, async (file) => {
    const picture = await part(fileBytes(file), 701, 467);
    for (const quality of [5, 60, 90, 100]) {
      const { file: webp, rebuilt } = encode(picture, quality);
      expect(Buffer.compare(await decodedUnfiltered(webp), rebuilt), `quality ${quality}`).toBe(0);
      expect((await sharp(webp).metadata()).width).toBe(701);
    }
  });

  it('has seen photographs', ({ skip }) => {
    if (photos.length === 0) skip(`no corpus at ${join('..', 'shared', 'corpus', 'photos')}`);
    expect(photos.length).toBeGreaterThan(0);
  });
});
