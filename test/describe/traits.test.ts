import { describe, expect, it } from 'vitest';
import { type ColourName, colourName, toOklch } from '../../src/describe/colour-name.ts';
import { measureTraits } from '../../src/describe/traits.ts';

type Colour = readonly [red: number, green: number, blue: number, alpha?: number];

/** A picture in horizontal stripes of the colours, each with its number of rows. */
function striped(width: number, stripes: readonly (readonly [Colour, number])[]) {
  const height = stripes.reduce((sum, [, rows]) => sum + rows, 0);
  const pixels = new Uint8Array(width * height * 4);
  let at = 0;
  for (const [[red, green, blue, alpha = 255], rows] of stripes)
    for (let pixel = 0; pixel < rows * width; pixel++, at += 4) pixels.set([red, green, blue, alpha], at);
  return { pixels, size: { width, height } };
}

const measure = (width: number, stripes: readonly (readonly [Colour, number])[], transparent = false) => {
  const { pixels, size } = striped(width, stripes);
  return measureTraits(pixels, size, transparent);
};

describe('colourName', () => {
  it.each<[string, ColourName]>([
    ['000000', 'black'],
    ['191970', 'blue'],
    ['808080', 'grey'],
    ['ffffff', 'white'],
    ['fffff0', 'white'],
    ['ff0000', 'red'],
    ['dc143c', 'red'],
    ['8b0000', 'red'],
    ['ffa500', 'orange'],
    ['ff8c00', 'orange'],
    ['8b4513', 'brown'],
    ['5c4033', 'brown'],
    ['ffff00', 'yellow'],
    ['ffd700', 'yellow'],
    ['00ff00', 'green'],
    ['228b22', 'green'],
    ['808000', 'green'],
    ['40e0d0', 'turquoise'],
    ['008080', 'turquoise'],
    ['0000ff', 'blue'],
    ['87ceeb', 'blue'],
    ['800080', 'purple'],
    ['4b0082', 'purple'],
    ['ffc0cb', 'pink'],
    ['ff69b4', 'pink'],
    ['f5f5dc', 'beige'],
    ['d2b48c', 'beige'],
  ])('#%s is %s', (hex, name) => {
    const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    expect(colourName(toOklch(red!, green!, blue!))).toBe(name);
  });
});

describe('measureTraits', () => {
  it('names the colours, the most frequent first, without those that are rare', () => {
    const traits = measure(40, [
      [[30, 120, 40], 20],
      [[60, 110, 220], 50],
      [[250, 250, 250], 25],
      [[255, 0, 0], 5],
    ]);
    expect(traits.colours).toEqual(['blue', 'white', 'green']);
  });

  it('samples large pictures evenly', () => {
    const traits = measure(900, [
      [[0, 0, 0], 500],
      [[255, 255, 255], 300],
    ]);
    expect(traits.colours).toEqual(['black', 'white']);
    expect(traits.shape).toBe('landscape');
  });

  it('looks only at what can be seen', () => {
    const traits = measure(
      10,
      [
        [[255, 0, 0, 0], 8],
        [[0, 0, 255, 255], 2],
      ],
      true,
    );
    expect(traits).toEqual({ shape: 'square', colours: ['blue'], brightness: 'medium', transparent: true });
    expect(measure(10, [[[255, 0, 0, 0], 8]], true).colours).toEqual([]);
  });

  it.each([
    [200, 100, 'panorama'],
    [199, 100, 'landscape'],
    [105, 100, 'square'],
    [100, 105, 'square'],
    [106, 100, 'landscape'],
    [100, 106, 'portrait'],
    [1, 400, 'portrait'],
    [400, 1, 'panorama'],
    [1, 1, 'square'],
  ] as const)('calls %i × %i %s', (width, height, shape) => {
    expect(measure(width, [[[9, 9, 9], height]]).shape).toBe(shape);
  });

  it.each([
    [20, 'dark'],
    [128, 'medium'],
    [240, 'bright'],
  ] as const)('calls a grey of %i %s', (level, brightness) => {
    expect(measure(8, [[[level, level, level], 8]]).brightness).toBe(brightness);
  });
});
