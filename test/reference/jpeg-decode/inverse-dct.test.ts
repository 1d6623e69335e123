import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillFlatBlock, type InverseDct, inverseDct8 } from './inverse-dct.ts';
import { inverseDct1, inverseDct2, inverseDct4 } from './reduced-inverse-dct.ts';

const transforms: readonly (readonly [number, InverseDct])[] = [
  [8, inverseDct8],
  [4, inverseDct4],
  [2, inverseDct2],
  [1, inverseDct1],
];
const quant = Int32Array.from({ length: 64 }, (_, at) => 1 + (at % 7));
const blocks = fc.array(fc.tuple(fc.nat(63), fc.integer({ min: -60, max: 60 })), { maxLength: 30 });

describe.each(transforms)('%i × %i', (side, inverseDct) => {
  test('is the exact transform of the lowest coefficients, to one level', () => {
    fc.assert(
      fc.property(blocks, (entries) => {
        const coefficients = new Int16Array(64);
        for (const [at, value] of entries) coefficients[at] = value;
        const samples = transformed(inverseDct, side, coefficients);
        const exact = exactTransform(coefficients, side);
        for (const [at, level] of exact.entries()) {
          expect(Math.abs(samples[at]! - Math.min(255, Math.max(0, level)))).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('is flat, and equal to the short cut, when there is only DC', () => {
    for (let dc = -1100; dc <= 1100; dc += 7) {
      const shortCut = new Uint8ClampedArray(side * side);
      fillFlatBlock(dc * quant[0]!, shortCut, 0, side, side);
      expect(transformed(inverseDct, side, Int16Array.of(dc, ...new Int16Array(63)))).toEqual(shortCut);
    }
  });
});

function transformed(inverseDct: InverseDct, side: number, coefficients: Int16Array): Uint8ClampedArray {
  const samples = new Uint8ClampedArray(side * side);
  inverseDct(coefficients, 0, quant, samples, 0, side);
  return samples;
}

/** T.81 §A.3.3 in floating point for `side` points, at the same amplitude, shifted to 0 … 255 and not clamped. */
function exactTransform(coefficients: Int16Array, side: number): number[] {
  return Array.from({ length: side * side }, (_, sample) => {
    let sum = 0;
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const at = y * 8 + x;
        const value = coefficients[at]! * quant[at]!;
        sum += value * basis(x, sample % side, side) * basis(y, Math.floor(sample / side), side);
      }
    }
    return sum / 4 + 128;
  });
}

function basis(frequency: number, position: number, side: number): number {
  return (frequency === 0 ? Math.SQRT1_2 : 1) * Math.cos(((2 * position + 1) * frequency * Math.PI) / (2 * side));
}
