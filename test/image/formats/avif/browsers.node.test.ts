import '../../../../scripts/engine/load-wasm.ts';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { planEncoding } from '../../../../src/image/formats/avif/encode/plan-encoding.ts';
import { tileCount } from '../../../../src/image/formats/avif/encode/tile-grid.ts';
import { type BrowserName, shownBy } from '../../../support/browser.ts';
import { hasProgram } from '../../../support/native-tool.ts';
import { syntheticPicture } from '../../../support/synthetic-picture.ts';

const { encodePicture } = await import('../../../support/code-picture.ts');

/**
 * Decoders agree on planes bit for bit, but each has its own arithmetic from there to RGB: rounding, and for halved chroma
 * another way of making it whole. By quality: the largest and the mean difference, of 0–255.
 */
const pictures = [
  { name: 'full-chroma', kind: 'photo', quality: 95, most: 3, mean: 1 },
  { name: 'halved-chroma', kind: 'photo', quality: 70, most: 40, mean: 1.5 },
  { name: 'graphics', kind: 'flat', quality: 95, most: 3, mean: 1 },
] as const;

it.for(['chromium', 'firefox-esr'] as const)(
  'a picture in tiles is in %s what it is to libheif',
  { timeout: 180_000 },
  async (browser: BrowserName, { skip, signal }) => {
    if (!hasProgram(browser)) skip(`${browser} is not installed`);
    const files = new Map<string, Uint8Array>();
    for (const { name, kind, quality } of pictures) {
      const picture = syntheticPicture(kind, 1100, 620);
      expect(tileCount(planEncoding(picture.frame, { quality }).grid)).toBeGreaterThan(1);
      files.set(name, await encodePicture('avif', picture, quality));
    }
    const shown = await shownBy(browser, files, signal);
    for (const { name, most, mean } of pictures) {
      const expected = await sharp(files.get(name)!).ensureAlpha().raw().toBuffer();
      const { largest, average } = differences(shown.get(name)!, expected);
      expect(average, `${name}, on average`).toBeLessThanOrEqual(mean);
      expect(largest, `${name}, at the most`).toBeLessThanOrEqual(most);
    }
  },
);

function differences(one: Uint8Array, other: Uint8Array): { readonly largest: number; readonly average: number } {
  expect(one.length).toBe(other.length);
  let largest = 0;
  let sum = 0;
  for (let at = 0; at < one.length; at++) {
    const difference = Math.abs(one[at]! - other[at]!);
    largest = Math.max(largest, difference);
    sum += difference;
  }
  return { largest, average: sum / one.length };
}
