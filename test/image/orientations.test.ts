import { expect, test } from 'vitest';
import type { Orientation } from '../../src/image/header.ts';
import type { ImageOptions } from '../../src/image/options.ts';
import { decodePicture, encodePicture } from '../support/code-picture.ts';
import { exifBlock } from '../support/exif-block.ts';
import { firstDifference } from '../support/first-difference.ts';
import { joined, jpegSegment } from '../support/jpeg-file.ts';
import { MeasuredArena } from '../support/measured-arena.ts';
import { runJob } from '../support/run-job.ts';
import { meanDifference, type SyntheticPicture, syntheticPicture } from '../support/synthetic-picture.ts';
import { chunk, concat } from './formats/png/make-png.ts';

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** Whole blocks in both directions, so that JPEG codes a turned picture in the same blocks. */
const upright = syntheticPicture('photo', 160, 96);
const arena = new MeasuredArena();

/** Where the upright pixel (x, y) is stored (CIPA DC-008, table of Orientation: which sides row 0 and column 0 are). */
function storedAt(orientation: Orientation, x: number, y: number, width: number, height: number): [number, number] {
  const right = width - 1 - x;
  const bottom = height - 1 - y;
  const places = { 1: [x, y], 2: [right, y], 3: [right, bottom], 4: [x, bottom], 5: [y, x], 6: [y, right] } as const;
  if (orientation === 7) return [bottom, right];
  if (orientation === 8) return [bottom, x];
  return [...places[orientation]];
}

/** The picture as a camera held that way stores it. */
function stored({ pixels, frame }: SyntheticPicture, orientation: Orientation): SyntheticPicture {
  const turned = orientation >= 5;
  const width = turned ? frame.height : frame.width;
  const height = turned ? frame.width : frame.height;
  const rows = new Uint8Array(pixels.length);
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      const [column, row] = storedAt(orientation, x, y, frame.width, frame.height);
      const from = (y * frame.width + x) * 4;
      rows.set(pixels.subarray(from, from + 4), (row * width + column) * 4);
    }
  }
  return { pixels: rows, frame: { ...frame, width, height } };
}

async function storedPng(orientation: Orientation): Promise<Uint8Array> {
  const file = await encodePicture('png', stored(upright, orientation));
  const behindIhdr = 8 + 25;
  return concat(file.subarray(0, behindIhdr), chunk('eXIf', exifBlock(orientation)), file.subarray(behindIhdr));
}

async function storedJpeg(orientation: Orientation): Promise<Uint8Array> {
  const file = await encodePicture('jpg', stored(upright, orientation), 95);
  const exif = joined(new TextEncoder().encode('Exif\0\0'), exifBlock(orientation));
  return joined(file.subarray(0, 2), jpegSegment(0xe1, exif), file.subarray(2));
}

async function shown(file: Uint8Array, options: ImageOptions) {
  const run = await runJob(file, options, arena);
  expect(run.buffers).toBeLessThanOrEqual(Math.max(run.plan.memory.decode.buffers, run.plan.memory.encode.buffers));
  return await decodePicture(run.file);
}

test.each(orientations)('orientation %i of a PNG shows the same pixels', async (orientation) => {
  const { header, pixels } = await shown(await storedPng(orientation), { format: 'png', quality: 82 });
  expect(header).toMatchObject({ width: 160, height: 96, orientation: 1 });
  expect(firstDifference(pixels, upright.pixels)).toBeUndefined();
});

test.each(orientations)('orientation %i of a JPEG shows the same picture', async (orientation) => {
  const { header, pixels } = await shown(await storedJpeg(orientation), { format: 'png', quality: 82 });
  expect(header).toMatchObject({ width: 160, height: 96, orientation: 1 });
  expect(meanDifference(pixels, upright.pixels)).toBeLessThan(2);
});

test.each(orientations)('orientation %i fits the sides that were asked for upright', async (orientation) => {
  const options = { format: 'png', quality: 82, maxWidth: 70, maxHeight: 60 } as const;
  const straight = await shown(await storedPng(1), options);
  const { header, pixels } = await shown(await storedPng(orientation), options);
  expect(header).toMatchObject({ width: 70, height: 42, orientation: 1 });
  expect(meanDifference(pixels, straight.pixels)).toBeLessThan(0.5);
});

test.each(orientations)('orientation %i is dropped with the tag in every other format', async (orientation) => {
  for (const format of ['jpg', 'webp', 'avif'] as const) {
    const { header, pixels } = await shown(await storedPng(orientation), { format, quality: 82 });
    expect(header, format).toMatchObject({ format, width: 160, height: 96, orientation: 1 });
    expect(meanDifference(pixels, upright.pixels), format).toBeLessThan(6);
  }
});
