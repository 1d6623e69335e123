import { expect, test } from 'vitest';
import { identify } from '../../src/image/identify.ts';
import { type ImageOptions, watermarkPositions } from '../../src/image/options.ts';
import { placeWatermark } from '../../src/image/steps/place-watermark.ts';
import { decodePicture, encodePicture } from '../support/code-picture.ts';
import { MeasuredArena } from '../support/measured-arena.ts';
import { runJob } from '../support/run-job.ts';
import { syntheticPicture } from '../support/synthetic-picture.ts';

const WIDTH = 120;
const HEIGHT = 90;
const SCALE = 30;
const arena = new MeasuredArena();

test.each(watermarkPositions)('a watermark at %s changes its own rectangle and nothing else', async (position) => {
  const picture = syntheticPicture('photo', WIDTH, HEIGHT);
  const source = await encodePicture('png', picture);
  const file = await encodePicture('png', syntheticPicture('flat', 50, 25));
  const header = await identify(file);
  const watermark: ImageOptions['watermark'] = { file, header, scale: SCALE, opacity: 80, position };
  const run = await runJob(source, { format: 'png', quality: 82, watermark }, arena);
  expect(run.buffers).toBeLessThanOrEqual(run.plan.memory.decode.buffers);
  const { pixels } = await decodePicture(run.file);
  const place = placeWatermark({ width: WIDTH, height: HEIGHT }, header, SCALE, position);
  expect(place).toMatchObject({ width: 36, height: 18 });
  let changed = 0;
  for (let at = 0; at < pixels.length; at++) {
    if (pixels[at] === picture.pixels[at]) continue;
    const x = (at >> 2) % WIDTH;
    const y = Math.floor((at >> 2) / WIDTH);
    expect(x >= place.left && x < place.left + 36 && y >= place.top && y < place.top + 18, `${x}, ${y}`).toBe(true);
    changed++;
  }
  expect(changed).toBeGreaterThan(36 * 18 * 2);
});
