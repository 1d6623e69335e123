import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions } from '@jsquash/jpeg/meta.js';
import { expect, test } from 'vitest';
import jpegEncode from '../../../build/jpeg-encode.wasm';
import { FileError } from '../../../src/errors.ts';
import { Arena } from '../../../src/image/kernels/arena.ts';
import type { CodecFactory } from '../../../src/image/workspace.ts';
import { encodePicture } from '../../support/code-picture.ts';
import { MeasuredArena } from '../../support/measured-arena.ts';
import { runJob } from '../../support/run-job.ts';
import { syntheticPicture } from '../../support/synthetic-picture.ts';

const PAGE = 65_536;

test('regions are aligned to 16 bytes, zeroed, one after the other, in the memory that was reserved', () => {
  const arena = new Arena();
  arena.reserve(1000);
  const regions = [1, 16, 17, 100].map((bytes) => arena.region(bytes));
  expect(regions.map(({ byteOffset, length }) => [byteOffset, length])).toEqual([
    [0, 1],
    [16, 16],
    [32, 17],
    [64, 100],
  ]);
  for (const region of regions) {
    expect(region.every((byte) => byte === 0)).toBe(true);
    expect(arena.holds(region)).toBe(true);
  }
  expect(arena.holds(new Uint8Array(16))).toBe(false);
});

test('a region beyond the reservation is refused, one that just fits is not', () => {
  const arena = new Arena();
  arena.reserve(PAGE);
  expect(arena.region(PAGE - 16)).toHaveLength(PAGE - 16);
  expect(() => arena.region(17)).toThrow(RangeError);
  expect(arena.region(16)).toHaveLength(16);
  expect(() => arena.region(1)).toThrow(RangeError);
  expect(arena.committed).toBe(PAGE);
});

test('grows to what is reserved in whole pages, never shrinks, and never passes its limit', () => {
  const arena = new Arena(4 * PAGE);
  arena.reserve(PAGE + 1);
  expect(arena.committed).toBe(2 * PAGE);
  arena.reserve(10);
  expect(arena.committed).toBe(2 * PAGE);
  expect(() => arena.reserve(4 * PAGE + 1)).toThrow(RangeError);
  arena.reserve(4 * PAGE);
  expect(arena.committed).toBe(4 * PAGE);
});

test('clearing zeroes everything that was written and gives the regions back', () => {
  const arena = new Arena();
  arena.reserve(3 * PAGE);
  const first = arena.region(100).fill(1);
  const second = arena.region(2 * PAGE).fill(255);
  expect(arena.measure()).toBe(112 + 2 * PAGE);
  arena.clear();
  expect(arena.measure()).toBe(0);
  expect([...first, ...second].every((byte) => byte === 0)).toBe(true);
  expect(arena.region(8).byteOffset).toBe(0);
});

test('measures up to the last byte that is not zero, in whole words', () => {
  const arena = new Arena();
  const region = arena.region(64);
  expect(arena.measure()).toBe(0);
  region[0] = 1;
  expect(arena.measure()).toBe(4);
  region[41] = 1;
  expect(arena.measure()).toBe(44);
});

test('regions lie above the part of the library, which starts at a whole page', () => {
  const arena = new Arena();
  arena.reserve(100, PAGE + 1);
  expect(arena.committed).toBe(3 * PAGE);
  expect(arena.region(8).byteOffset).toBe(2 * PAGE);
  expect(() => arena.reserve(1)).toThrow(RangeError);
});

test('a library codec keeps to its part: what it is refused fails there, and the regions above are untouched', async () => {
  const arena = new Arena();
  arena.reserve(1 << 20, 8 << 20);
  const region = arena.region(1 << 20).fill(7);
  const encoder = await arena.instantiate(createEncoder as CodecFactory<Encoder>, jpegEncode);
  const small = new Uint8Array(32 * 32 * 4).fill(200);
  expect(encoder.encode(small, 32, 32, defaultOptions)!.length).toBeGreaterThan(20);
  // Its pixels alone would fill the eight mebibytes there are.
  const large = new Uint8Array(1400 * 1400 * 4).fill(200);
  expect(() => encoder.encode(large, 1400, 1400, defaultOptions) ?? fail()).toThrow();
  expect(region.every((byte) => byte === 7)).toBe(true);
  expect(arena.committed).toBe(9 << 20);
});

test('jobs share one instance of a library codec, which begins each time as if it were new', async () => {
  const arena = new Arena();
  const picture = new Uint8Array(64 * 48 * 4).map((_, at) => (at * 7919) % 251);
  const encodeIn = async (library: number) => {
    arena.clear();
    arena.reserve(1000, library);
    const encoder = await arena.instantiate(createEncoder as CodecFactory<Encoder>, jpegEncode);
    return { encoder, file: encoder.encode(picture, 64, 48, defaultOptions)! };
  };
  // As large as it will be, so that it need not grow in between: the glue's views would be of a memory that is gone.
  arena.reserve(1000, 8 << 20);
  const first = await encodeIn(8 << 20);
  for (const library of [8 << 20, 4 << 20, 6 << 20]) {
    const { encoder, file } = await encodeIn(library);
    expect(encoder).toBe(first.encoder);
    expect(file).toEqual(first.file);
  }
  const afterGrowth = await encodeIn(10 << 20);
  expect(afterGrowth.encoder).not.toBe(first.encoder);
  expect(afterGrowth.file).toEqual(first.file);
  arena.clear();
  expect(arena.measure()).toBe(0);
});

test('a library codec that failed in the middle is not used again', async () => {
  const arena = new Arena();
  arena.reserve(1000, 8 << 20);
  const instance = () => arena.instantiate(createEncoder as CodecFactory<Encoder>, jpegEncode);
  const small = new Uint8Array(32 * 32 * 4).fill(200);
  const failed = await instance();
  const expected = failed.encode(small, 32, 32, defaultOptions);
  expect(await instance()).toBe(failed);
  const large = new Uint8Array(1400 * 1400 * 4).fill(200);
  expect(() => failed.encode(large, 1400, 1400, defaultOptions) ?? fail()).toThrow();
  const next = await instance();
  expect(next).not.toBe(failed);
  expect(next.encode(small, 32, 32, defaultOptions)).toEqual(expected);
});

function fail(): never {
  throw new Error('the encoder returned nothing');
}

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array | null;
}

test('a codec leaves nothing behind', { timeout: 60_000 }, async () => {
  const arena = new MeasuredArena();
  const source = await encodePicture('png', syntheticPicture('noise', 120, 90, true));
  for (const format of ['webp', 'avif', 'jpg'] as const) {
    const { stages } = await runJob(source, { format, quality: 82 }, arena);
    expect(stages.at(-1)!.written).toBeGreaterThan(100_000);
    expect(arena.measure(), format).toBe(0);
  }
});

test.each(['webp', 'avif'] as const)(
  'damaged %s through its decoder does not disturb the next job',
  { timeout: 60_000 },
  async (id) => {
    const arena = new MeasuredArena();
    const picture = syntheticPicture('photo', 120, 90, true);
    const good = await encodePicture(id, picture);
    const expected = (await runJob(good, { format: 'png', quality: 82 }, arena)).file;
    let refused = 0;
    for (let share = 1; share < 8; share++) {
      const start = Math.floor((good.length * share) / 8);
      const bad = good.map((byte, at) => (at >= start && at < start + 40 ? byte ^ (0x5a + share) : byte));
      const error = await runJob(bad, { format: 'jpg', quality: 82 }, arena).catch((reason: unknown) => reason);
      if (error instanceof Error) {
        expect(error, error.stack).toBeInstanceOf(FileError);
        refused++;
      }
      expect(arena.measure()).toBe(0);
      const cut = await runJob(good.slice(0, -1 - share * 9), { format: 'jpg', quality: 82 }, arena).catch((e) => e);
      if (cut instanceof Error) expect(cut, cut.stack).toBeInstanceOf(FileError);
    }
    expect(refused).toBeGreaterThan(0);
    expect((await runJob(good, { format: 'png', quality: 82 }, arena)).file).toEqual(expected);
  },
);
