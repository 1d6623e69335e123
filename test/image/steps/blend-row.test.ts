import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blendRow } from '../../../src/image/steps/blend-row.ts';

const byte = fc.integer({ min: 0, max: 255 });
const pixel = fc.tuple(byte, byte, byte, byte);
const percent = fc.integer({ min: 0, max: 100 });

function blend(below: readonly number[], over: readonly number[], opacity: number): number[] {
  const row = Uint8Array.from(below);
  blendRow(row, Uint8Array.from(over), opacity);
  return [...row];
}

describe('blendRow', () => {
  test('it is source over destination on straight alpha, each value rounded once', () => {
    fc.assert(
      fc.property(pixel, pixel, percent, (below, over, opacity) => {
        const top = (over[3] / 255) * (opacity / 100);
        const bottom = below[3] / 255;
        const alpha = top + bottom * (1 - top);
        const out = blend(below, over, opacity);
        expect(Math.abs(out[3]! - alpha * 255)).toBeLessThanOrEqual(0.5 + 1e-9);
        if (top === 0) expect(out).toEqual(below);
        else {
          for (let k = 0; k < 3; k++) {
            const exact = (over[k]! * top + below[k]! * bottom * (1 - top)) / alpha;
            expect(Math.abs(out[k]! - exact)).toBeLessThanOrEqual(0.5 + 1e-9);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('alpha only grows, and opaque stays opaque', () => {
    fc.assert(
      fc.property(pixel, pixel, percent, (below, over, opacity) => {
        expect(blend(below, over, opacity)[3]).toBeGreaterThanOrEqual(below[3]);
        expect(blend([...below.slice(0, 3), 255], over, opacity)[3]).toBe(255);
      }),
    );
  });

  test('full opacity replaces, none leaves', () => {
    expect(blend([1, 2, 3, 40], [9, 8, 7, 255], 100)).toEqual([9, 8, 7, 255]);
    expect(blend([1, 2, 3, 40], [9, 8, 7, 255], 0)).toEqual([1, 2, 3, 40]);
    expect(blend([0, 0, 0, 255], [255, 255, 255, 255], 50)).toEqual([128, 128, 128, 255]);
  });

  test('the row may go on past the mark', () => {
    expect(blend([1, 1, 1, 255, 2, 2, 2, 255], [5, 5, 5, 255], 100)).toEqual([5, 5, 5, 255, 2, 2, 2, 255]);
  });
});
