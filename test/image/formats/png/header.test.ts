import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { readPngHeader, sniffPng } from '../../../../src/image/formats/png/header.ts';
import { chunk, concat, damage, ihdr, makePng, signature } from './make-png.ts';

const pixel = Uint8Array.of(0, 1, 2, 3);
const rgb = (...before: Uint8Array[]): Uint8Array => makePng(ihdr(1, 1, 8, 2), pixel, ...before);
const exif = (orientation: number): number[] => [
  ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1],
  ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0],
];

function profile(space: string, length = 200): Uint8Array {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, length);
  bytes.set(new TextEncoder().encode(space), 16);
  bytes.set(new TextEncoder().encode('acsp'), 36);
  return bytes;
}

const iccp = (bytes: Uint8Array): Uint8Array => chunk('iCCP', concat(Uint8Array.of(65, 0, 0), deflateSync(bytes)));

test('a PNG is known by its first eight bytes', () => {
  expect(sniffPng(rgb())).toBe(true);
  expect(sniffPng(signature.subarray(0, 7))).toBe(false);
  expect(sniffPng(Uint8Array.of(...signature).fill(0x0a, 4, 5))).toBe(false);
});

describe('IHDR', () => {
  const allowed = [
    [0, 1, 2, 4, 8, 16],
    [2, 8, 16],
    [3, 1, 2, 4, 8],
    [4, 8, 16],
    [6, 8, 16],
  ];

  test('exactly the fifteen combinations of colour type and depth are read', () => {
    let read = 0;
    for (let type = 0; type < 8; type++) {
      for (let depth = 0; depth <= 32; depth++) {
        const file = makePng(ihdr(5, 7, depth, type), pixel, chunk('PLTE', [1, 2, 3]));
        const legal = allowed.some(([first, ...depths]) => first === type && depths.includes(depth));
        if (!legal) expect(() => readPngHeader(file)).toThrow(FileError);
        else {
          const header = readPngHeader(file);
          expect([header.width, header.height, header.bitDepth, header.alpha]).toEqual([5, 7, depth, type >= 4]);
          expect(header.model).toBe({ 0: 'grey', 2: 'rgb', 3: 'palette', 4: 'grey', 6: 'rgb' }[type]);
          read++;
        }
      }
    }
    expect(read).toBe(15);
  });

  test.each([
    ['no width', ihdr(0, 1, 8, 2)],
    ['no height', ihdr(1, 0, 8, 2)],
    ['a side over 2³¹ − 1', ihdr(0x80000000, 1, 8, 2)],
    ['an unknown interlace', ihdr(1, 1, 8, 2, 2)],
    ['a damaged one', damage(ihdr(1, 1, 8, 2))],
    ['one that is not first', concat(chunk('gAMA', [0, 0, 0, 0]), ihdr(1, 1, 8, 2))],
  ])('with %s is refused', (_name, head) => {
    expect(() => readPngHeader(makePng(head, pixel))).toThrow(/damaged/);
  });

  test('the largest legal side is read: whether it can be processed is for the planner', () => {
    expect(readPngHeader(makePng(ihdr(0x7fffffff, 0x7fffffff, 16, 6), pixel)).width).toBe(0x7fffffff);
  });

  test("Apple's private variant is told apart from damage", () => {
    const file = concat(signature, chunk('CgBI', [0, 0, 0, 0]), ihdr(1, 1, 8, 6));
    expect(() => readPngHeader(file)).toThrow(expect.objectContaining({ code: 'unsupported_image' }));
  });
});

describe('critical chunks', () => {
  test.each([
    ['no picture data', concat(signature, ihdr(1, 1, 8, 2), chunk('IEND'))],
    ['an unknown one', rgb(chunk('CRIT'))],
    ['no palette', makePng(ihdr(1, 1, 8, 3), pixel)],
    ['a palette of no whole entries', makePng(ihdr(1, 1, 8, 3), pixel, chunk('PLTE', [1, 2, 3, 4]))],
    ['a damaged palette', makePng(ihdr(1, 1, 8, 3), pixel, damage(chunk('PLTE', [1, 2, 3])))],
    ['two palettes', makePng(ihdr(1, 1, 8, 3), pixel, chunk('PLTE', [1, 2, 3]), chunk('PLTE', [1, 2, 3]))],
    ['bytes between chunks', rgb(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))],
  ])('%s: refused', (_name, file) => {
    expect(() => readPngHeader(file)).toThrow(expect.objectContaining({ code: 'broken_image' }));
  });

  test('a declared length of 2³² − 1 allocates nothing and is refused', () => {
    const file = concat(
      signature,
      ihdr(1, 1, 8, 2),
      Uint8Array.of(255, 255, 255, 255, 0x74, 0x45, 0x58, 0x74, 0, 0, 0, 0),
    );
    expect(() => readPngHeader(file)).toThrow(/tEXt chunk runs past the end/);
  });
});

describe('transparency', () => {
  test.each([
    ['grey', 0, [0, 1], true],
    ['RGB', 2, [0, 1, 0, 2, 0, 3], true],
    ['grey of the wrong size', 0, [0, 1, 0, 2, 0, 3], false],
    ['grey with alpha', 4, [0, 1], true],
  ])('tRNS in %s', (_name, type, data, alpha) => {
    const header = readPngHeader(makePng(ihdr(1, 1, 8, type), pixel, chunk('tRNS', data)));
    expect(header.alpha).toBe(alpha);
  });

  test('a damaged tRNS, or one longer than the palette, is ignored', () => {
    const palette = chunk('PLTE', [1, 2, 3]);
    const file = (tRNS: Uint8Array): Uint8Array => makePng(ihdr(1, 1, 8, 3), pixel, palette, tRNS);
    expect(readPngHeader(file(chunk('tRNS', [9]))).alpha).toBe(true);
    expect(readPngHeader(file(damage(chunk('tRNS', [9])))).alpha).toBe(false);
    expect(readPngHeader(file(chunk('tRNS', [9, 9]))).alpha).toBe(false);
  });
});

describe('colour', () => {
  test('an ICC profile is inflated', () => {
    expect(readPngHeader(rgb(iccp(profile('RGB ')))).profile).toEqual({ kind: 'icc', bytes: profile('RGB ') });
  });

  test.each([
    ['of another colour space', iccp(profile('GRAY'))],
    ['without its mark', iccp(profile('RGB ').fill(0, 36, 40))],
    ['too short', iccp(profile('RGB ', 100))],
    ['that inflates to 64 MiB', iccp(profile('RGB ', 64 * 1024 * 1024))],
    ['that is not zlib', chunk('iCCP', [65, 0, 0, 1, 2, 3])],
    ['without a name', chunk('iCCP', [0, 0, 1, 2, 3])],
    ['whose chunk is damaged', damage(iccp(profile('RGB ')))],
  ])('a profile %s is ignored', (_name, iccChunk) => {
    expect(readPngHeader(rgb(iccChunk)).profile).toBeUndefined();
  });

  test('cICP wins over iCCP, sRGB code points mean no profile, unusable ones are ignored', () => {
    const icc = iccp(profile('RGB '));
    const withCicp = (...code: number[]) => readPngHeader(rgb(icc, chunk('cICP', code))).profile;
    expect(withCicp(12, 13, 0, 1)).toEqual({ kind: 'cicp', primaries: 12, transfer: 13 });
    expect(withCicp(1, 13, 0, 1)).toBeUndefined();
    expect(withCicp(2, 13, 0, 1)?.kind).toBe('icc');
    expect(withCicp(12, 13, 1, 1)?.kind).toBe('icc');
    expect(withCicp(12, 13, 0)?.kind).toBe('icc');
  });
});

test('orientation is read from eXIf before and behind the picture data', () => {
  const file = rgb();
  const behind = concat(file.subarray(0, -12), chunk('eXIf', exif(8)), chunk('IEND'));
  expect(readPngHeader(file).orientation).toBe(1);
  expect(readPngHeader(rgb(chunk('eXIf', exif(6)))).orientation).toBe(6);
  expect(readPngHeader(rgb(damage(chunk('eXIf', exif(6))))).orientation).toBe(1);
  expect(readPngHeader(behind).orientation).toBe(8);
});

test('a picture is animated from two frames on', () => {
  const frames = (count: number) => readPngHeader(rgb(chunk('acTL', [0, 0, 0, count, 0, 0, 0, 0]))).animated;
  expect([frames(0), frames(1), frames(2)]).toEqual([false, false, true]);
});
