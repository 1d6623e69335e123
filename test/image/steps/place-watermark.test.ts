import fc from 'fast-check';
import { expect, test } from 'vitest';
import { watermarkPositions } from '../../../src/image/options.ts';
import { placeWatermark } from '../../../src/image/steps/place-watermark.ts';

const picture = { width: 1001, height: 600 };
const mark = { width: 300, height: 100 };

test.each([
  ['TL', 0, 0],
  ['TC', 400, 0],
  ['TR', 801, 0],
  ['ML', 0, 266],
  ['MC', 400, 266],
  ['MR', 801, 266],
  ['BL', 0, 533],
  ['BC', 400, 533],
  ['BR', 801, 533],
] as const)('%s is flush to its edges', (position, left, top) => {
  expect(placeWatermark(picture, mark, 20, position)).toEqual({ left, top, width: 200, height: 67 });
});

test('a mark that would be taller than the picture is as tall as the picture', () => {
  const place = placeWatermark({ width: 1000, height: 100 }, { width: 100, height: 400 }, 50, 'BR');
  expect(place).toEqual({ left: 975, top: 0, width: 25, height: 100 });
});

test('a mark is enlarged where its share asks for it', () => {
  expect(placeWatermark({ width: 4000, height: 3000 }, { width: 10, height: 10 }, 50, 'TL')).toMatchObject({
    width: 2000,
    height: 2000,
  });
});

test('a mark always lies inside the picture and has at least one pixel', () => {
  const side = fc.integer({ min: 1, max: 20_000 });
  const size = fc.record({ width: side, height: side });
  const scale = fc.double({ min: 5, max: 50, noNaN: true });
  fc.assert(
    fc.property(size, size, scale, fc.constantFrom(...watermarkPositions), (inside, each, percent, position) => {
      const place = placeWatermark(inside, each, percent, position);
      expect(place.width).toBeGreaterThanOrEqual(1);
      expect(place.height).toBeGreaterThanOrEqual(1);
      expect(place.left).toBeGreaterThanOrEqual(0);
      expect(place.top).toBeGreaterThanOrEqual(0);
      expect(place.left + place.width).toBeLessThanOrEqual(inside.width);
      expect(place.top + place.height).toBeLessThanOrEqual(inside.height);
    }),
  );
});
