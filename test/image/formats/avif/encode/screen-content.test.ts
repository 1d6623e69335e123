import { expect, test } from 'vitest';
import { isScreenContent } from '../../../../../src/image/formats/avif/encode/screen-content.ts';
import { syntheticPicture } from '../../../../support/synthetic-picture.ts';

const SIDE = 256;

function tile(pixels: Uint8Array) {
  return { width: SIDE, height: SIDE, pixels };
}

/** Dark strokes on a plain ground, as an interface or a scanned page has them. */
function graphics(): Uint8Array {
  const pixels = new Uint8Array(SIDE * SIDE * 4).fill(255);
  for (let at = 0; at < pixels.length; at += 4) {
    if ((at / 4) % 7 === 0) pixels.set([20, 20, 40], at);
  }
  return pixels;
}

test('flat graphics with few shades are screen content, photographs and plain surfaces are not', () => {
  expect(isScreenContent([tile(graphics())])).toBe(true);
  expect(isScreenContent([tile(syntheticPicture('photo', SIDE, SIDE).pixels)])).toBe(false);
  expect(isScreenContent([tile(syntheticPicture('noise', SIDE, SIDE).pixels)])).toBe(false);
  expect(isScreenContent([tile(syntheticPicture('flat', SIDE, SIDE).pixels)])).toBe(false);
});

test('a page with a large photograph is treated as a photograph', () => {
  const photo = tile(syntheticPicture('photo', SIDE, SIDE).pixels);
  expect(isScreenContent([tile(graphics()), photo])).toBe(true);
  expect(isScreenContent([tile(graphics()), photo, photo])).toBe(false);
});

test('a clear sky is none: it has few shades, but they are close to each other', () => {
  const sky = new Uint8Array(SIDE * SIDE * 4).map((_, at) =>
    (at & 3) === 3 ? 255 : 180 + Math.floor(at / (SIDE * 4 * 24)),
  );
  expect(isScreenContent([tile(sky)])).toBe(false);
});

test('a picture smaller than a block is none', () => {
  expect(isScreenContent([{ width: 5, height: 5, pixels: new Uint8Array(100) }])).toBe(false);
});
