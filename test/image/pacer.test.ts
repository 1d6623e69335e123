import { expect, test } from 'vitest';
import { type FormatId, formatIds } from '../../src/image/formats/format-id.ts';
import type { Band } from '../../src/image/frame.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { Pacer, type Pause } from '../../src/image/pacer.ts';
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
async function turnsOfAnother(format: FormatId, pause?: Pause, maxWidth?: number): Promise<number> {
  const workspace = new JobWorkspace(arena);
  let running = true;
  let turns = 0;
  const another = (async () => {
    for (; running; turns++) await scheduler.wait(0);
  })();
  try {
    const file = pictureFile(picture, workspace);
    const header = await readHeader(file, workspace);
    const options = { format, quality: 60, ...(maxWidth && { maxWidth }) };
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

test.each(['webp', 'jpg', 'png'] as const)(
  'a long job to %s lets another task have its turns in between',
  async (format) => {
    expect(await turnsOfAnother(format, () => scheduler.wait(0), 1000)).toBeGreaterThanOrEqual(2);
  },
);

test('the same picture written smaller lets another task have its turns too', async () => {
  expect(await turnsOfAnother('png', () => scheduler.wait(0))).toBeGreaterThanOrEqual(5);
});

test.each(formatIds)('a job to %s that is not told how to pause still ends', async (format) => {
  expect(await turnsOfAnother(format, undefined, 300)).toBe(0);
});

async function pausesFor(work: (pacer: Pacer) => AsyncIterable<unknown>): Promise<number> {
  let pauses = 0;
  const pacer = new Pacer(async () => void pauses++);
  for await (const _ of work(pacer));
  return pauses;
}

async function* blankBands(count: number, width: number): AsyncGenerator<Band> {
  for (let at = 0; at < count; at++) yield { top: at * 10, rows: 10, pixels: new Uint8Array(width * 40) };
}

test('a pause comes after each megapixel, and not in a small picture', async () => {
  const frame = { width: 1000, height: 5000, alpha: false, model: 'rgb' } as const;
  expect(await pausesFor((pacer) => pacer.bands(blankBands(99, 1000), frame, 1))).toBe(0);
  expect(await pausesFor((pacer) => pacer.bands(blankBands(500, 1000), frame, 1))).toBe(5);
});

test('a decoder that scales pauses by what it looks at', async () => {
  const frame = { width: 1000, height: 5000, alpha: false, model: 'rgb' } as const;
  expect(await pausesFor((pacer) => pacer.bands(blankBands(500, 1000), frame, 16))).toBe(71);
});

test('a file that is written for long pauses too, together with what is read for it', async () => {
  async function* pieces() {
    for (let at = 0; at < 100; at++) yield new Uint8Array(10_000);
  }
  expect(await pausesFor((pacer) => pacer.pieces(pieces()))).toBe(4);
});
