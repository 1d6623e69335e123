import { expect, test } from 'vitest';
import type { FormatId } from '../../src/image/formats/format-id.ts';
import type { Band } from '../../src/image/frame.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { effort, Pacer, type Pause } from '../../src/image/pacer.ts';
import { planImage } from '../../src/image/plan.ts';
import { readHeader } from '../../src/image/read-header.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import { MeasuredArena } from '../support/measured-arena.ts';
import { pictureFile } from '../support/picture-file.ts';
import { smallPng } from '../support/small-png.ts';

const arena = new MeasuredArena();
/** 3 megapixels. */
const picture = smallPng(2000, 1500);

/** Runs a job and counts the turns that a loop of another task gets meanwhile. */
async function turnsOfAnother(format: FormatId, pause?: Pause): Promise<number> {
  const workspace = new JobWorkspace(arena);
  let running = true;
  let turns = 0;
  const another = (async () => {
    for (; running; turns++) await scheduler.wait(0);
  })();
  try {
    const file = pictureFile(picture, workspace);
    const header = await readHeader(file, workspace);
    const options = { format, quality: 60 };
    const plan = planImage(header, file.size, options);
    const before = turns;
    for await (const piece of runPlan({ file, header, options, plan, ...(pause && { pause }) }, workspace)) {
      expect(piece.length).toBeGreaterThan(0);
    }
    return turns - before;
  } finally {
    running = false;
    workspace.finish();
    await another;
  }
}

test.each(['webp', 'jpg', 'png'] as const)('a long job to %s lets another task have its turns', async (format) => {
  expect(await turnsOfAnother(format, () => scheduler.wait(0))).toBeGreaterThanOrEqual(2);
});

test('a job that is not told how to pause has the thread for itself', async () => {
  expect(await turnsOfAnother('jpg')).toBe(0);
});

async function pausesFor(work: (pacer: Pacer) => AsyncIterable<unknown>): Promise<number> {
  let pauses = 0;
  const pacer = new Pacer(async () => void pauses++);
  for await (const _ of work(pacer));
  return pauses;
}

/** Nobody looks at them. */
const blank = new Uint8Array(0);

async function* blankBands(count: number): AsyncGenerator<Band> {
  for (let at = 0; at < count; at++) yield { top: at * 10, rows: 10, pixels: blank };
}

test('a pause comes after each ten million pixels that were decoded, and not in a small picture', async () => {
  const frame = { width: 10_000, height: 5000, alpha: false, model: 'rgb' } as const;
  expect(await pausesFor((pacer) => pacer.bands(blankBands(99), frame, 1))).toBe(0);
  expect(await pausesFor((pacer) => pacer.bands(blankBands(500), frame, 1))).toBe(5);
});

test('pixels that take longer count for more', async () => {
  const frame = { width: 1000, height: 5000, alpha: false, model: 'rgb' } as const;
  const pauses = await pausesFor((pacer) => pacer.bands(blankBands(500), frame, effort.encodedPixel));
  expect(pauses).toBe(4);
});

test('what is read and what is written for it count together', async () => {
  async function* pieces() {
    for (let at = 0; at < 100; at++) yield new Uint8Array(100_000);
  }
  expect(await pausesFor((pacer) => pacer.pieces(pieces()))).toBe(4);
  const pacer = new Pacer(async () => undefined);
  expect(pacer.worked(6_000_000)).toBeUndefined();
  expect(pacer.worked(6_000_000)).toBeInstanceOf(Promise);
  expect(pacer.worked(6_000_000)).toBeUndefined();
});
