import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/errors.ts';
import { identify } from '../../src/image/identify.ts';
import { colour } from '../../src/image/steps/colour.ts';
import { encodePicture } from '../support/code-picture.ts';
import { jpeg } from '../support/image-headers.ts';
import { stepContext } from '../support/step-context.ts';
import { syntheticPicture } from '../support/synthetic-picture.ts';
import { chunk, concat, ihdr, makePng } from './formats/png/make-png.ts';

/* What is done before a plan is paid for by nobody: it must not grow with what a file of 20 MB can repeat a million times. */

const picture = syntheticPicture('flat', 16, 16);

function repeated(piece: Uint8Array, times: number): Uint8Array {
  const all = new Uint8Array(piece.length * times);
  for (let at = 0; at < all.length; at += piece.length) all.set(piece, at);
  return all;
}

async function refusal(file: Uint8Array): Promise<string | undefined> {
  try {
    await identify(file);
    return undefined;
  } catch (error) {
    if (error instanceof FileError && error.code === 'broken_image') return error.message;
    throw error;
  }
}

describe('PNG', () => {
  const png = (...before: Uint8Array[]) => makePng(ihdr(1, 1, 8, 0), Uint8Array.of(0, 0), ...before);

  test('10,000 chunks in front of the data pass, more do not', async () => {
    expect(await refusal(png(repeated(chunk('tEXt'), 10_000)))).toBeUndefined();
    expect(await refusal(png(repeated(chunk('tEXt'), 10_001)))).toContain('more than 10000 chunks');
  });

  test('only the first profile is inflated: 4 KB become 4 MiB, and there may be thousands', async () => {
    const bomb = chunk('iCCP', concat(Uint8Array.of(65, 0, 0), deflateSync(new Uint8Array(4 * 1024 * 1024 - 1))));
    expect(bomb.length).toBeLessThan(5000);
    expect(await refusal(png(repeated(bomb, 4000)))).toBeUndefined();
  }, 5000);
});

describe('JPEG', () => {
  const withSegments = async (segments: Uint8Array) => {
    const file = await encodePicture('jpg', picture);
    return concat(file.subarray(0, 2), segments, file.subarray(2));
  };

  test('20,000 segments are too many', async () => {
    const comment = Uint8Array.of(0xff, 0xfe, 0, 2);
    expect(await refusal(await withSegments(repeated(comment, 10_000)))).toBeUndefined();
    expect(await refusal(await withSegments(repeated(comment, 20_000)))).toContain('more than 20000 segments');
  });

  test('a profile of more than 4 MiB, or with a curve of more than 65,536 entries, is ignored', () => {
    const frame = { width: 16, height: 16, alpha: false, model: 'rgb' } as const;
    const stepFor = (bytes: Uint8Array) =>
      colour.plan(frame, stepContext(jpeg(frame, { profile: { kind: 'icc', bytes } })));
    expect(stepFor(matrixProfile(65_536, 200_000))).toBeDefined();
    expect(stepFor(matrixProfile(65_537, 200_000))).toBeUndefined();
    expect(stepFor(matrixProfile(65_536, 4 * 1024 * 1024 + 1))).toBeUndefined();
  });
});

test('WebP: 100,000 parts are too many', async () => {
  const size = new Uint8Array(4);
  const parts = repeated(Uint8Array.of(88, 88, 88, 88, 0, 0, 0, 0), 100_001);
  const vp8x = Uint8Array.of(86, 80, 56, 88, 10, 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 15, 0, 0);
  new DataView(size.buffer).setUint32(0, 4 + vp8x.length + parts.length, true);
  const text = (value: string) => new TextEncoder().encode(value);
  expect(await refusal(concat(text('RIFF'), size, text('WEBP'), vp8x, parts))).toContain('more than 100000 parts');
});

test('AVIF: 150,000 boxes in one container are too many', async () => {
  const text = (value: string) => new TextEncoder().encode(value);
  const box = (type: string, data: Uint8Array) => {
    const head = new Uint8Array(4);
    new DataView(head.buffer).setUint32(0, 8 + data.length);
    return concat(head, text(type), data);
  };
  const brands = box('ftyp', concat(text('avif'), new Uint8Array(4), text('avifmif1')));
  const meta = box('meta', concat(new Uint8Array(4), repeated(box('free', new Uint8Array(0)), 150_001)));
  expect(await refusal(concat(brands, meta))).toContain('more boxes than is possible');
});

/** A profile of three primaries and one curve of so many entries, padded. */
function matrixProfile(entries: number, bytes: number): Uint8Array {
  const profile = new Uint8Array(bytes);
  const view = new DataView(profile.buffer);
  const put = (value: string, at: number) => profile.set(new TextEncoder().encode(value), at);
  view.setUint32(0, bytes);
  profile[8] = 4;
  put('mntrRGB XYZ ', 12);
  put('acsp', 36);
  view.setUint32(128, 6);
  for (const [index, name] of ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'].entries()) {
    put(name, 132 + index * 12);
    view.setUint32(136 + index * 12, index < 3 ? 300 + index * 20 : 400);
    view.setUint32(140 + index * 12, index < 3 ? 20 : bytes - 400);
    if (index >= 3) continue;
    put('XYZ ', 300 + index * 20);
    view.setInt32(308 + index * 20 + index * 4, 40_000);
  }
  put('curv', 400);
  view.setUint32(408, entries);
  for (let at = 0; at < Math.min(entries, (bytes - 412) / 2 - 1); at++)
    view.setUint16(412 + at * 2, (at / entries) ** 3 * 65_535);
  return profile;
}
