import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import type { ImageOptions } from '../../src/image/options.ts';
import type { Plan } from '../../src/image/plan.ts';
import { MeasuredArena } from '../support/measured-arena.ts';
import { runJob } from '../support/run-job.ts';

const arena = new MeasuredArena();
const WIDTH = 3300;
const HEIGHT = 2900;

/** Larger than what is kept in one piece, and different everywhere. */
function largePicture(): Sharp {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, at += 3) {
      pixels[at] = (x * 255) / WIDTH;
      pixels[at + 1] = (y * 255) / HEIGHT;
      pixels[at + 2] = ((x >> 5) + (y >> 5)) & 1 ? 200 : 60;
    }
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
}

function turning(plan: Plan) {
  if (plan.route !== 'pixels') throw new Error(plan.route);
  return plan.steps.find(({ step }) => step === 'orient');
}

async function run(source: Buffer, options: ImageOptions) {
  // A copy: `slice` of Node's buffers is none.
  const done = await runJob(new Uint8Array(source), options, arena);
  for (const { planned, written } of done.stages) expect(written).toBeLessThanOrEqual(planned);
  expect(done.buffers).toBeLessThanOrEqual(Math.max(done.plan.memory.decode.buffers, done.plan.memory.encode.buffers));
  return done;
}

async function raw(file: Uint8Array) {
  return await sharp(file, { autoOrient: true }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}

test.each([3, 6])('a large PNG of orientation %i is read twice and comes out pixel for pixel', async (orientation) => {
  const source = await largePicture().png({ compressionLevel: 1 }).withMetadata({ orientation }).toBuffer();
  const { plan, file } = await run(source, { format: 'png', quality: 82 });
  expect(turning(plan)).toMatchObject({ passes: 2, params: { strips: { store: 'rgba' } } });
  const [ours, theirs] = [await raw(file), await raw(source)];
  expect(ours.info).toMatchObject({ width: theirs.info.width, height: theirs.info.height });
  expect(ours.data.equals(theirs.data)).toBe(true);
});

test('a large progressive JPEG on its side is read twice for a PNG', async () => {
  const jpeg = largePicture().jpeg({ quality: 90, progressive: true });
  const source = await jpeg.withMetadata({ orientation: 6 }).toBuffer();
  const { plan, file } = await run(source, { format: 'png', quality: 82 });
  expect(turning(plan)).toMatchObject({ passes: 2, params: { strips: { store: 'rgba' } } });
  const [ours, theirs] = [await raw(file), await raw(source)];
  expect(ours.info).toMatchObject({ width: HEIGHT, height: WIDTH });
  let sum = 0;
  for (let at = 0; at < ours.data.length; at++) sum += Math.abs(ours.data[at]! - theirs.data[at]!);
  expect(sum / ours.data.length).toBeLessThan(0.5);
});
