import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../src/image/frame.ts';
import { lanczosWindow, windowSize } from '../../../src/image/resample/lanczos.ts';
import { resample, resampleBytes } from '../../../src/image/resample/resample.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { firstDifference } from '../../support/first-difference.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';

const side = fc.integer({ min: 1, max: 60 });
const byte = fc.integer({ min: 0, max: 255 });

function filled({ width, height }: Frame, pixel: (x: number, y: number) => readonly number[]): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) pixels.set(pixel(i % width, Math.floor(i / width)), i * 4);
  return pixels;
}

async function run(pixels: Uint8Array, from: Frame, to: { width: number; height: number }): Promise<Uint8Array> {
  const workspace = new HeapWorkspace();
  const out = await gatherBands(resample(bandsOf(pixels, from, 3), from, to, workspace), to);
  expect(workspace.peakBuffers).toBe(resampleBytes(from, to));
  expect(workspace.heldBuffers).toBe(0);
  return out;
}

describe('resample', () => {
  test('a constant colour stays exactly that colour at every size, up and down', async () => {
    await fc.assert(
      fc.asyncProperty(side, side, side, side, byte, byte, async (width, height, toWidth, toHeight, value, alpha) => {
        for (const frame of [{ alpha: false }, { alpha: true }]) {
          const from = { width, height, model: 'rgb', ...frame } as const;
          const pixel = [value, 255 - value, 77, from.alpha ? alpha : 255];
          const out = await run(
            filled(from, () => pixel),
            from,
            { width: toWidth, height: toHeight },
          );
          const expected = pixel[3] === 0 ? [0, 0, 0, 0] : pixel;
          for (let i = 0; i < out.length; i += 4) expect([...out.subarray(i, i + 4)]).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('the colour under transparent pixels never shows at an edge', async () => {
    const from = { width: 64, height: 64, alpha: true, model: 'rgb' } as const;
    const pixels = filled(from, (x, y) => (((x >> 4) + (y >> 4)) & 1 ? [200, 40, 10, 255] : [0, 255, 255, 0]));
    for (const size of [17, 40, 100]) {
      const out = await run(pixels, from, { width: size, height: size });
      const expected = out.slice();
      for (let i = 0; i < out.length; i += 4) if (out[i + 3] !== 0) expected.set([200, 40, 10], i);
      expect(firstDifference(out, expected)).toBeUndefined();
    }
  });

  test('the same size gives the same picture', async () => {
    const from = { width: 37, height: 23, alpha: false, model: 'rgb' } as const;
    const pixels = filled(from, (x, y) => [x * 6, y * 10, (x * y) & 255, 255]);
    expect(firstDifference(await run(pixels, from, from), pixels)).toBeUndefined();
  });

  test('a mirrored picture gives the mirrored result', async () => {
    const from = { width: 53, height: 31, alpha: false, model: 'rgb' } as const;
    const value = (x: number, y: number) => (x * x * 3 + y * 29) & 255;
    const to = { width: 20, height: 12 };
    const out = await run(
      filled(from, (x, y) => [value(x, y), 0, 0, 255]),
      from,
      to,
    );
    const mirrored = await run(
      filled(from, (x, y) => [value(52 - x, 30 - y), 0, 0, 255]),
      from,
      to,
    );
    for (let y = 0; y < 12; y++) {
      for (let x = 0; x < 20; x++) {
        const other = mirrored[((11 - y) * 20 + (19 - x)) * 4]!;
        expect(Math.abs(out[(y * 20 + x) * 4]! - other)).toBeLessThanOrEqual(1);
      }
    }
  });

  test('a smooth ramp stays a ramp', async () => {
    const from = { width: 256, height: 4, alpha: false, model: 'rgb' } as const;
    const out = await run(
      filled(from, (x) => [x, x, x, 255]),
      from,
      { width: 64, height: 4 },
    );
    for (let x = 3; x < 61; x++) expect(Math.abs(out[x * 4]! - (x * 4 + 1.5))).toBeLessThanOrEqual(1);
  });

  test('very long and thin pictures pass', async () => {
    const from = { width: 1, height: 5000, alpha: false, model: 'rgb' } as const;
    const out = await run(
      filled(from, () => [9, 8, 7, 255]),
      from,
      { width: 1, height: 1 },
    );
    expect([...out]).toEqual([9, 8, 7, 255]);
  });

  test('memory follows the output width and the ratio, not the size of the picture', () => {
    const from = { width: 10_000, height: 10_000, alpha: true, model: 'rgb' } as const;
    expect(resampleBytes(from, { width: 1920, height: 1920 })).toBeLessThan(2 * 1024 * 1024);
    expect(resampleBytes({ ...from, height: 1_000_000 }, { width: 1920, height: 192_000 })).toBe(
      resampleBytes(from, { width: 1920, height: 1920 }),
    );
  });

  test('what is left unread is freed when the reader stops', async () => {
    const from = { width: 20, height: 20, alpha: false, model: 'rgb' } as const;
    const workspace = new HeapWorkspace();
    for await (const _ of resample(
      bandsOf(
        filled(from, () => [1, 1, 1, 255]),
        from,
      ),
      from,
      from,
      workspace,
    ))
      break;
    expect(workspace.heldBuffers).toBe(0);
  });
});

test('every window lies inside its side and its weights sum to one', () => {
  const sides = fc.integer({ min: 1, max: 3000 });
  fc.assert(
    fc.property(sides, sides, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (from, to, place) => {
      const axis = { from, to };
      const weights = new Float32Array(windowSize(axis));
      const first = lanczosWindow(axis, Math.floor(place * to), weights, 0);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(first + weights.length).toBeLessThanOrEqual(from);
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
    }),
  );
});
