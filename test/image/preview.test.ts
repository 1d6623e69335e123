import { expect, test } from 'vitest';
import { FileError } from '../../src/errors.ts';
import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import { makePreview, samplePixels } from '../../src/image/preview.ts';
import { encodePicture } from '../support/code-picture.ts';
import { pictureFile } from '../support/picture-file.ts';
import { smallPng } from '../support/small-png.ts';
import { syntheticPicture } from '../support/synthetic-picture.ts';

const arena = new Arena();

async function preview(file: Uint8Array) {
  const workspace = new JobWorkspace(arena);
  try {
    const made = await makePreview(pictureFile(file, workspace), workspace);
    workspace.finish();
    const sample = await samplePixels(made, workspace);
    return { ...made, sample, header: await identify(made.jpeg) };
  } finally {
    workspace.finish();
  }
}

test.each([
  [2000, 500, 768, 192],
  [300, 1536, 150, 768],
  [40, 30, 40, 30],
  [1, 1, 1, 1],
])('a picture of %i × %i pixels becomes a JPEG of %i × %i', async (width, height, smallWidth, smallHeight) => {
  const { header, transparent } = await preview(smallPng(width, height));
  expect(header).toMatchObject({ format: 'jpg', width: smallWidth, height: smallHeight, orientation: 1 });
  expect(transparent).toBe(false);
});

test.each(['webp', 'avif', 'jpg', 'png'] as const)('a picture of format %s has one', async (format) => {
  const file = await encodePicture(format, syntheticPicture('photo', 320, 224));
  const { header, jpeg } = await preview(file);
  expect([header.width, header.height]).toEqual([320, 224]);
  expect(jpeg.length).toBeLessThan(50_000);
});

test('the sample is a small version of it', async () => {
  const { sample } = await preview(await encodePicture('png', syntheticPicture('flat', 1200, 600)));
  expect(Math.max(sample.width, sample.height)).toBeLessThanOrEqual(128);
  expect(sample.width / sample.height).toBeCloseTo(2, 0);
  expect(sample.pixels).toHaveLength(sample.width * sample.height * 4);
  const [r, g, b, a] = sample.pixels;
  for (const [value, expected] of [
    [r, 90],
    [g, 140],
    [b, 200],
  ] as const)
    expect(Math.abs(value! - expected)).toBeLessThan(6);
  expect(a).toBe(255);
});

test('transparency is on white, and said', async () => {
  const picture = syntheticPicture('flat', 64, 64, true);
  const { sample, transparent } = await preview(await encodePicture('png', picture));
  expect(transparent).toBe(true);
  // The left edge is fully transparent.
  expect(sample.pixels[0]).toBeGreaterThan(235);
});

test('a file that cannot be read has none', async () => {
  await expect(preview(smallPng(30, 30).subarray(0, 60))).rejects.toThrow(FileError);
  expect(arena.measure()).toBe(0);
});
