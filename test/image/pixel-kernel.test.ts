import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matrixTransform, matrixTransformBytes } from '../../src/image/colour/matrix-transform.ts';
import { pixelKernel } from '../../src/image/pixel-kernel.ts';
import { convertMatrix } from '../reference/pixels/convert-matrix.ts';
import { convertPlainCmyk } from '../reference/pixels/convert-plain-cmyk.ts';
import { flattenOnWhite } from '../reference/pixels/flatten-on-white.ts';
import { firstDifference } from '../support/first-difference.ts';
import { HeapWorkspace } from '../support/heap-workspace.ts';

const workspace = new HeapWorkspace();
const kernel = pixelKernel(workspace);

/** Every value of one channel with every value of the fourth. */
const everyPair = Uint8Array.from({ length: 256 * 256 * 4 }, (_, at) => {
  const pixel = at >> 2;
  return [pixel, 255 - pixel, pixel * 7, pixel >> 8][at & 3]! & 255;
});

/** Runs a kernel on pixels between guards; what is before and behind them must stay. */
function inPlace(pixels: Uint8Array, run: (pointer: number, count: number) => void): Uint8Array {
  const room = workspace.arena(pixels.length + 64).fill(0x5a);
  room.set(pixels, 32);
  run(room.byteOffset + 32, pixels.length / 4);
  expect(room.subarray(0, 32).every((byte) => byte === 0x5a)).toBe(true);
  expect(room.subarray(pixels.length + 32).every((byte) => byte === 0x5a)).toBe(true);
  return room.slice(32, pixels.length + 32);
}

const pixels = fc.uint8Array({ maxLength: 80 }).map((bytes) => bytes.subarray(0, bytes.length & ~3));

describe('the kernel equals its reference', () => {
  test('flattening, for every value at every alpha and at every length', () => {
    const expected = everyPair.slice();
    flattenOnWhite(expected, 65_536);
    expect(firstDifference(inPlace(everyPair, kernel.flatten), expected)).toBeUndefined();
    fc.assert(
      fc.property(pixels, (some) => {
        const flat = some.slice();
        flattenOnWhite(flat, flat.length / 4);
        expect(inPlace(some, kernel.flatten)).toEqual(flat);
      }),
    );
  });

  test('CMYK without a profile, for every ink at every black and at every length', () => {
    const expected = everyPair.slice();
    convertPlainCmyk(expected, 65_536);
    expect(firstDifference(inPlace(everyPair, kernel.convertPlainCmyk), expected)).toBeUndefined();
    fc.assert(
      fc.property(pixels, (some) => {
        const converted = some.slice();
        convertPlainCmyk(converted, converted.length / 4);
        expect(inPlace(some, kernel.convertPlainCmyk)).toEqual(converted);
      }),
    );
  });

  test('curves and matrix, also where they lead outside sRGB, and at every length', () => {
    const factor = fc.double({ min: -2, max: 2, noNaN: true });
    const matrices = fc.tuple(factor, factor, factor, factor, factor, factor, factor, factor, factor);
    const gamma = fc.double({ min: 0.3, max: 3, noNaN: true });
    const tables = workspace.arena(matrixTransformBytes);
    fc.assert(
      fc.property(pixels, matrices, fc.tuple(gamma, gamma, gamma), (some, matrix, [r, g, b]) => {
        const curves = [(v: number) => v ** r, (v: number) => v ** g, (v: number) => v ** b] as const;
        const source = { kind: 'matrix', curves, matrix } as const;
        const transform = matrixTransform(source, tables, kernel);
        const room = workspace.arena(some.length);
        room.set(some);
        transform(room, some.length / 4);
        expect(room.slice()).toEqual(convertMatrix(some, source));
      }),
      { numRuns: 30 },
    );
  });

  test('curves that lead nowhere give some colour', () => {
    const tables = workspace.arena(matrixTransformBytes);
    const curves = [() => Number.NaN, () => Number.POSITIVE_INFINITY, () => -1e300] as const;
    const matrix = [1, 1, 1, -1, 1, 1, 1, -1, 0.5] as const;
    const transform = matrixTransform({ kind: 'matrix', curves, matrix }, tables, kernel);
    const room = workspace.arena(8);
    room.set([1, 2, 3, 4, 5, 6, 7, 8]);
    transform(room, 2);
    expect([room[3], room[7]]).toEqual([4, 8]);
  });

  test('grey', () => {
    const table = workspace.arena(256);
    for (let value = 0; value < 256; value++) table[value] = 255 - value;
    const out = inPlace(Uint8Array.of(0, 0, 0, 9, 200, 200, 200, 255, 255, 255, 255, 0), (at, count) =>
      kernel.convertGrey(at, count, table.byteOffset),
    );
    expect([...out]).toEqual([255, 255, 255, 9, 55, 55, 55, 255, 0, 0, 0, 0]);
  });
});
