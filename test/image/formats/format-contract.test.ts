import { describe, expect, test } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import type { FormatId } from '../../../src/image/formats/format.ts';
import { formatIds } from '../../../src/image/formats/format-id.ts';
import { registry } from '../../../src/image/formats/registry.ts';
import { decodePicture, encodePicture } from '../../support/code-picture.ts';
import { meanDifference, syntheticPicture } from '../../support/synthetic-picture.ts';

const lossy = formatIds.filter((id) => id !== 'png');
const withAlpha = formatIds.filter((id) => registry[id].alpha);
/** One pixel, lines, sides around the block sizes of the coders (8, 16, 64), odd ones. */
const sizes = [
  [1, 1],
  [1, 40],
  [40, 1],
  [2, 3],
  [15, 17],
  [63, 65],
  [131, 77],
] as const;

/** Mean differences (0–255) that a picture with grain of ±8 may have at quality 82. */
const tolerance: Readonly<Record<FormatId, number>> = { png: 0, jpg: 4, webp: 4, avif: 4 };

describe.each(formatIds)('%s', (id) => {
  const format = registry[id];

  test.each(sizes)('says and shows what was encoded, %i × %i', { timeout: 30_000 }, async (width, height) => {
    const picture = syntheticPicture('photo', width, height);
    const { header, pixels } = await decodePicture(await encodePicture(id, picture));
    expect(header).toMatchObject({ format: id, width, height, alpha: false, orientation: 1, animated: false });
    expect(header.profile).toBeUndefined();
    expect(meanDifference(pixels, picture.pixels)).toBeLessThanOrEqual(tolerance[id]);
  });

  test('knows its own files by their first bytes, and no other format does', async () => {
    const start = (await encodePicture(id, syntheticPicture('photo', 20, 20))).subarray(0, 64);
    for (const other of formatIds) expect(registry[other].sniff(start), other).toBe(other === id);
    for (let length = 0; length < 3; length++) expect(format.sniff(start.subarray(0, length))).toBe(false);
  });

  test('is a FileError or a picture when it is cut off anywhere', { timeout: 60_000 }, async () => {
    const whole = await encodePicture(id, syntheticPicture('photo', 70, 50));
    let refused = 0;
    const cuts = cutLengths(whole.length);
    for (const length of cuts) {
      const error = await decodePicture(whole.slice(0, length)).catch((reason: unknown) => reason);
      if (!(error instanceof Error)) continue;
      expect(error, `cut at ${length} of ${whole.length}: ${error.stack}`).toBeInstanceOf(FileError);
      refused++;
    }
    expect(refused).toBeGreaterThan(cuts.length * 0.8);
    const { pixels } = await decodePicture(whole);
    expect(pixels).toHaveLength(70 * 50 * 4);
  });

  test('keeps every pixel when metadata is stripped from its own output', async () => {
    const whole = await encodePicture(id, syntheticPicture('photo', 70, 50, format.alpha));
    const before = await decodePicture(whole);
    const stripped = new Uint8Array(
      await new Blob(format.stripMetadata(whole, before.header) as Uint8Array<ArrayBuffer>[]).arrayBuffer(),
    );
    expect(stripped.length).toBeLessThanOrEqual(whole.length);
    const after = await decodePicture(stripped);
    expect(after.header).toMatchObject({ width: 70, height: 50, alpha: before.header.alpha });
    expect(meanDifference(after.pixels, before.pixels)).toBe(0);
  });

  test('promises an encoder and a decoder for small pictures within the isolate', () => {
    const { cost } = format.planEncode({ width: 640, height: 480, alpha: format.alpha, model: 'rgb' }, { quality: 82 });
    expect(cost.arena + cost.buffers).toBeLessThan(40 * 1024 * 1024);
    expect(Number.isSafeInteger(cost.arena) && Number.isSafeInteger(cost.buffers)).toBe(true);
  });
});

describe.each(withAlpha)('%s with transparency', (id) => {
  test.each(sizes)('keeps it, %i × %i', { timeout: 30_000 }, async (width, height) => {
    const picture = syntheticPicture('photo', width, height, true);
    const { header, pixels } = await decodePicture(await encodePicture(id, picture));
    expect(header).toMatchObject({ format: id, width, height, alpha: true });
    expect(meanDifference(pixels, picture.pixels)).toBeLessThanOrEqual(tolerance[id]);
    expect(worstAlpha(pixels, picture.pixels)).toBeLessThanOrEqual(id === 'avif' ? 12 : 0);
  });
});

describe.each(lossy)('%s and quality', (id) => {
  test('makes larger files that are closer to the picture as it rises', { timeout: 60_000 }, async () => {
    const picture = syntheticPicture('photo', 256, 192);
    const results: { readonly size: number; readonly difference: number }[] = [];
    for (const quality of [40, 82, 100]) {
      const file = await encodePicture(id, picture, quality);
      const { pixels } = await decodePicture(file);
      results.push({ size: file.length, difference: meanDifference(pixels, picture.pixels) });
    }
    const [low, middle, high] = results as [Result, Result, Result];
    expect(low.size).toBeLessThan(middle.size);
    expect(middle.size).toBeLessThan(high.size);
    expect(low.difference).toBeGreaterThan(middle.difference);
    expect(middle.difference).toBeGreaterThan(high.difference);
    expect(high.difference).toBeLessThan(2.5);
  });
});

type Result = { readonly size: number; readonly difference: number };

/** Every length in the header, then about fifty more. */
function cutLengths(length: number): number[] {
  const step = Math.max(1, Math.floor(length / 50));
  const all = Array.from({ length }, (_, cut) => cut);
  return all.filter((cut) => cut < 60 || cut % step === 0 || cut > length - 4);
}

function worstAlpha(actual: Uint8Array, expected: Uint8Array): number {
  let worst = 0;
  for (let at = 3; at < expected.length; at += 4) worst = Math.max(worst, Math.abs(actual[at]! - expected[at]!));
  return worst;
}
