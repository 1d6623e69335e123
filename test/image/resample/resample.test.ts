import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../src/image/frame.ts';
import { fixedWeights, weightBits } from '../../../src/image/resample/fixed-weights.ts';
import { lanczosWindow, windowSize } from '../../../src/image/resample/lanczos.ts';
import { resample, resampleBytes } from '../../../src/image/resample/resample.ts';
import { resampleReference } from '../../reference/resample/resample-reference.ts';
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
  expect(workspace.arenaBytes).toBe(resampleBytes(from, to));
  expect(workspace.peakBuffers).toBe(0);
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

  test('bands that lie in the arena give the same as bands from the heap, and so does what follows in the arena', async () => {
    for (const [width, height, alpha] of [
      [150, 40, false],
      [150, 40, true],
      [5, 90, false],
      [5, 90, true],
    ] as const) {
      const from = { width, height, alpha, model: 'rgb' } as const;
      const pixels = filled(from, (x, y) => [x * 7, y * 5, x ^ y, alpha ? (x * y) & 255 : 255]);
      const workspace = new HeapWorkspace();
      async function* inArena() {
        for await (const band of bandsOf(pixels, from, 16)) {
          const region = workspace.arena(band.pixels.length);
          region.set(band.pixels);
          workspace.arena(64).fill(0xff);
          yield { ...band, pixels: region };
        }
      }
      const to = { width: 61, height: 23 };
      const out = await gatherBands(resample(inArena(), from, to, workspace), to);
      expect(firstDifference(out, await run(pixels, from, to))).toBeUndefined();
    }
  });
});

describe('the kernel equals its reference bit for bit', () => {
  const sides = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 90 }));
  test.each([false, true])('on random pictures at every ratio (alpha: %s)', async (alpha) => {
    await fc.assert(
      fc.asyncProperty(
        sides,
        sides,
        sides,
        sides,
        fc.integer(),
        fc.boolean(),
        async (...[w, h, tw, th, seed, hard]) => {
          const from = { width: w, height: h, alpha, model: 'rgb' } as const;
          let state = seed | 1;
          const noise = () => {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            // Hard: black or white only, which overshoots the most.
            return hard ? -(state & 1) & 255 : state & 255;
          };
          const pixels = filled(from, () => [noise(), noise(), noise(), alpha ? noise() : 255]);
          const to = { width: tw, height: th };
          const out = await run(pixels, from, to);
          expect(firstDifference(out, resampleReference(pixels, from, to))).toBeUndefined();
        },
      ),
      { numRuns: 120 },
    );
  });
});

describe('windows of thousands of taps keep their precision', () => {
  test.each([
    ['across', 30_000, 1],
    ['down', 1, 30_000],
  ] as const)('%s', async (_direction, width, height) => {
    const from = { width, height, alpha: false, model: 'rgb' } as const;
    const pixels = filled(from, (x, y) => {
      const at = x + y;
      return [(at * 40_503) & 255, at % 2 ? 255 : 0, (at * 255) / 30_000, 255];
    });
    const axis = { from: 30_000, to: 2 };
    const to = width === 1 ? { width: 1, height: 2 } : { width: 2, height: 1 };
    const out = await run(pixels, from, to);
    const weights = new Float64Array(windowSize(axis));
    for (const index of [0, 1]) {
      const first = lanczosWindow(axis, index, weights);
      for (const k of [0, 1, 2]) {
        const exact = weights.reduce((sum, weight, tap) => sum + weight * pixels[(first + tap) * 4 + k]!, 0);
        expect(Math.abs(out[index * 4 + k]! - exact)).toBeLessThan(0.6);
      }
    }
  });
});

describe('weights', () => {
  const axes = fc.record({ from: fc.integer({ min: 1, max: 65_535 }), to: fc.integer({ min: 1, max: 4000 }) });
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test('every window lies inside its side and its weights sum to one', () => {
    fc.assert(
      fc.property(axes, place, (axis, at) => {
        const weights = new Float64Array(windowSize(axis));
        const first = lanczosWindow(axis, Math.floor(at * axis.to), weights);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(first + weights.length).toBeLessThanOrEqual(axis.from);
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  test('in fixed point they fit 16 bits, sum to one exactly and never sum up to what overflows', () => {
    fc.assert(
      fc.property(axes, place, fc.constantFrom(15, 22), (axis, at, most) => {
        const exact = new Float64Array(windowSize(axis));
        lanczosWindow(axis, Math.floor(at * axis.to), exact);
        const bits = weightBits(axis, most);
        const fixed = new Int16Array(exact.length);
        fixedWeights(exact, exact.length, bits, fixed);
        expect(fixed.reduce((sum, weight) => sum + weight, 0)).toBe(2 ** bits);
        expect(fixed.reduce((sum, weight) => sum + Math.abs(weight), 0)).toBeLessThan(1.6 * 2 ** bits);
        expect(fixed.every((weight, tap) => Math.abs(weight - exact[tap]! * 2 ** bits) <= 1)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
