import { expect, test } from 'vitest';
import { flatten, flattenEarly } from '../../../src/image/steps/flatten.ts';
import { flattenOnWhite } from '../../reference/pixels/flatten-on-white.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { firstDifference } from '../../support/first-difference.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';
import { stepContext } from '../../support/step-context.ts';

const frame = { width: 256, height: 256, alpha: true, model: 'rgb' } as const;

/** Every alpha with every value. */
function everyPixel(): Uint8Array {
  const pixels = new Uint8Array(256 * 256 * 4);
  for (let i = 0; i < 256 * 256; i++) pixels.set([i & 255, 255 - (i & 255), i & 255, i >> 8], i * 4);
  return pixels;
}

test('every value at every alpha is the exact composite on white, rounded', () => {
  const pixels = everyPixel();
  flattenOnWhite(pixels, 256 * 256);
  let worst = 0;
  for (let i = 0; i < 256 * 256; i++) {
    const [value, alpha] = [i & 255, i >> 8];
    worst = Math.max(worst, Math.abs(pixels[i * 4]! - (alpha * value + (255 - alpha) * 255) / 255));
  }
  expect(worst).toBeLessThanOrEqual(0.5);
  expect(pixels.filter((_, i) => (i & 3) === 3).every((alpha) => alpha === 255)).toBe(true);
});

test('opaque pixels stay and transparent ones become white', () => {
  const pixels = Uint8Array.of(1, 2, 3, 255, 9, 9, 9, 0);
  flattenOnWhite(pixels, 2);
  expect([...pixels]).toEqual([1, 2, 3, 255, 255, 255, 255, 255]);
});

test('only a picture with alpha for a format without it is flattened', () => {
  const context = stepContext(frame);
  expect(flatten.plan(frame, { ...context, outputAlpha: true })).toBeUndefined();
  expect(flatten.plan({ ...frame, alpha: false }, context)).toBeUndefined();
  expect(flatten.plan(frame, context)).toMatchObject({ frame: { alpha: false }, buffers: 0 });
});

test('an image that is rotated is flattened before, but where a watermark is drawn on it', () => {
  const context = stepContext({ ...frame, orientation: 6 });
  expect(flattenEarly.plan(frame, context)).toMatchObject({ step: 'flatten', frame: { alpha: false } });
  expect(flattenEarly.plan(frame, stepContext(frame))).toBeUndefined();
  expect(flattenEarly.plan(frame, { ...context, outputAlpha: true })).toBeUndefined();
  const mark = { file: new Uint8Array(), header: context.header, scale: 20, opacity: 80, position: 'BR' } as const;
  expect(flattenEarly.plan(frame, { ...context, options: { ...context.options, watermark: mark } })).toBeUndefined();
});

test('bands pass one after the other', async () => {
  const context = stepContext(frame);
  const planned = flatten.plan(frame, context)!;
  const bands = flatten.apply(bandsOf(everyPixel(), frame, 10), frame, planned, context, new HeapWorkspace());
  const expected = everyPixel();
  flattenOnWhite(expected, 256 * 256);
  expect(firstDifference(await gatherBands(bands, frame), expected)).toBeUndefined();
});
