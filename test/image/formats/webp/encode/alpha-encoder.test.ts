import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePicture, encodePicture } from '../../../../support/code-picture.ts';

interface Plane {
  readonly width: number;
  readonly height: number;
  readonly alpha: (x: number, y: number) => number;
}

async function roundTrip({
  width,
  height,
  alpha,
}: Plane): Promise<{ before: Uint8Array; after: Uint8Array; file: Uint8Array }> {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const x = at % width;
    const y = Math.floor(at / width);
    pixels.set([x & 255, y & 255, 99, alpha(x, y)], at * 4);
  }
  const file = await encodePicture('webp', { pixels, frame: { width, height, alpha: true, model: 'rgb' } });
  const decoded = await decodePicture(file);
  const alphaOf = (rgba: Uint8Array) => rgba.filter((_, at) => (at & 3) === 3);
  return { before: alphaOf(pixels), after: alphaOf(decoded.pixels), file };
}

describe('an alpha plane', () => {
  test('comes back as it was, whatever it is', { timeout: 60_000 }, async () => {
    const values = fc.array(fc.constantFrom(0, 1, 128, 254, 255, 7), { minLength: 1, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 40 }),
        async (list, width, height) => {
          const { before, after } = await roundTrip({
            width,
            height,
            alpha: (x, y) => list[(x * 3 + y * width) % list.length]!,
          });
          expect(Buffer.compare(after, before)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each([
    ['a slope', (x: number, y: number) => (x + y) >> 2, 3000],
    ['noise', (x: number, y: number) => (Math.imul(x * 7919 + y * 104_729, 2_654_435_761) >>> 13) & 255, 300_000],
    ['a disc', (x: number, y: number) => (Math.hypot(x - 200, y - 200) < 150 ? 255 : 0), 4000],
    ['rare values', (x: number, y: number) => (x === y ? x & 255 : 0), 12_000],
  ])('of %s comes back, in bounded bytes', async (_, alpha, most) => {
    const { before, after, file } = await roundTrip({ width: 501, height: 400, alpha });
    expect(Buffer.compare(after, before)).toBe(0);
    expect(file.length).toBeLessThan(most + 6000);
  });

  test('that hides nothing is left out', async () => {
    const { file } = await roundTrip({ width: 60, height: 40, alpha: () => 255 });
    expect((await decodePicture(file)).header.alpha).toBe(false);
  });

  test('of more than is kept is read again', { timeout: 60_000 }, async () => {
    const { before, after } = await roundTrip({
      width: 2400,
      height: 1800,
      alpha: (x, y) => ((x ^ y) & 64 ? 255 : y & 255),
    });
    expect(Buffer.compare(after, before)).toBe(0);
  });
});
