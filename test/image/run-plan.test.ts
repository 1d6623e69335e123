import { describe, expect, test } from 'vitest';
import { budget } from '../../src/image/budget.ts';
import type { Cost, FormatId } from '../../src/image/formats/format.ts';
import { formatIds } from '../../src/image/formats/format-id.ts';
import { registry } from '../../src/image/formats/registry.ts';
import type { Frame } from '../../src/image/frame.ts';
import { decodePicture, encodePicture } from '../support/code-picture.ts';
import { loadLibwebp } from '../support/libwebp.ts';
import { MeasuredArena } from '../support/measured-arena.ts';
import { type JobRun, runJob } from '../support/run-job.ts';
import {
  meanDifference,
  type PictureKind,
  type SyntheticPicture,
  syntheticPicture,
} from '../support/synthetic-picture.ts';

const PAGE = 65_536;
/** What two generations of lossy coding may change, mean difference of 0–255, with grain of ±8. */
const TWO_GENERATIONS = 6;

const pairs = formatIds.flatMap((input) => formatIds.map((output) => ({ input, output })));
/** Every format once decoded and once encoded. */
const cycle = formatIds.map((input, index) => ({ input, output: formatIds[(index + 1) % formatIds.length]! }));
/** For breadth; what a single job commits is seen on arenas of their own. */
const sharedArena = new MeasuredArena();

/** A plan that promised less than was used would end an isolate some day. */
function expectKeptPromise({ plan, stages, buffers }: JobRun): void {
  const { decode, encode } = plan.memory;
  expect(stages.map(({ planned }) => planned)).toEqual(
    (plan.route === 'pixels' && plan.encode.wholeFrame ? [decode, encode] : [decode]).map(arenaBytes),
  );
  for (const { planned, written } of stages) {
    expect(written, 'bytes of the arena').toBeLessThanOrEqual(planned);
    expect(planned).toBeLessThanOrEqual(budget.arena);
  }
  expect(buffers, 'bytes on the heap').toBeLessThanOrEqual(Math.max(decode.buffers, encode.buffers));
}

function arenaBytes({ arena, library = 0 }: Cost): number {
  return arena + library;
}

/** A codec that had to grow the memory needed more than its plan reserved. */
function expectNoGrowth({ stages }: JobRun): void {
  let reserved = PAGE;
  for (const { planned, committed } of stages) {
    reserved = Math.max(reserved, Math.ceil(planned / PAGE) * PAGE);
    expect(committed, 'bytes that the memory grew to').toBeLessThanOrEqual(reserved);
  }
}

/** What a picture becomes on its way into a format: opaque on white where it holds no transparency. */
function asHeldBy(id: FormatId, { pixels, frame }: SyntheticPicture): SyntheticPicture {
  if (registry[id].alpha || !frame.alpha) return { pixels, frame };
  const flat = pixels.map((sample, at) => {
    const opacity = pixels[at | 3]! / 255;
    return (at & 3) === 3 ? 255 : Math.round(sample * opacity + 255 * (1 - opacity));
  });
  return { pixels: flat, frame: { ...frame, alpha: false } };
}

function holdsAlpha(input: FormatId, output: FormatId, { alpha }: Frame): boolean {
  return alpha && registry[input].alpha && registry[output].alpha;
}

describe.each(pairs)('$input to $output', ({ input, output }) => {
  test.each([false, true])('is the same picture (transparent: %s)', { timeout: 60_000 }, async (alpha) => {
    const picture = asHeldBy(input, syntheticPicture('photo', 150, 101, alpha));
    const source = await encodePicture(input, picture);
    const run = await runJob(source, { format: output, quality: 82 });
    const { header, pixels } = await decodePicture(run.file);
    expect(header).toMatchObject({ format: output, width: 150, height: 101 });
    expect(header.alpha).toBe(holdsAlpha(input, output, picture.frame));
    expect(header.profile).toBeUndefined();
    const bound = input === 'png' && output === 'png' ? 0 : TWO_GENERATIONS;
    expect(meanDifference(pixels, asHeldBy(output, picture).pixels)).toBeLessThanOrEqual(bound);
    expectKeptPromise(run);
    expectNoGrowth(run);
  });

  test('smaller', { timeout: 60_000 }, async () => {
    const source = await encodePicture(input, syntheticPicture('photo', 150, 101));
    const run = await runJob(source, { format: output, quality: 82, maxWidth: 61 }, sharedArena);
    expect((await decodePicture(run.file)).header).toMatchObject({ format: output, width: 61, height: 41 });
    expectKeptPromise(run);
  });
});

describe('uses no more than its plan promised', () => {
  const cases = (['photo', 'noise', 'flat'] as const).flatMap((kind) =>
    [false, true].map((alpha) => ({ kind, alpha })),
  );

  describe.each(pairs)('$input to $output', ({ input, output }) => {
    test.each(cases)('$kind, 64 × 64, transparent: $alpha', { timeout: 60_000 }, async ({ kind, alpha }) => {
      await runWithinPromise({ input, output, kind, width: 64, height: 64, alpha, quality: 82 });
    });
  });

  describe.each(cycle)('$input to $output', ({ input, output }) => {
    test.each(['photo', 'noise'] as const)('%s, 640 × 480', { timeout: 60_000 }, async (kind) => {
      await runWithinPromise({ input, output, kind, width: 640, height: 480, alpha: kind === 'noise', quality: 82 });
    });

    test('the best quality', { timeout: 60_000 }, async () => {
      await runWithinPromise({ input, output, kind: 'noise', width: 360, height: 300, alpha: true, quality: 100 });
    });

    test('long and narrow pictures', { timeout: 60_000 }, async () => {
      await runWithinPromise({ input, output, kind: 'noise', width: 4000, height: 9, alpha: true, quality: 82 });
      await runWithinPromise({ input, output, kind: 'noise', width: 9, height: 4000, alpha: true, quality: 82 });
    });
  });
});

describe('a lossless WebP uses no more than its plan promised', () => {
  test.each([
    ['photo', 800, 600],
    ['noise', 640, 480],
    ['flat', 64, 64],
    ['noise', 4000, 9],
    ['noise', 9, 4000],
  ] as const)('%s, %i × %i', { timeout: 60_000 }, async (kind, width, height) => {
    const libwebp = await loadLibwebp();
    const picture = syntheticPicture(kind, width, height, true);
    const source = libwebp.encode(picture, { lossless: 1, exact: 1, method: 2 });
    const run = await runJob(source, { format: 'png', quality: 82 }, sharedArena);
    expectKeptPromise(run);
    expect(meanDifference((await decodePicture(run.file)).pixels, picture.pixels)).toBe(0);
  });
});

interface Case {
  readonly input: FormatId;
  readonly output: FormatId;
  readonly kind: PictureKind;
  readonly width: number;
  readonly height: number;
  readonly alpha: boolean;
  readonly quality: number;
}

async function runWithinPromise({ input, output, kind, width, height, alpha, quality }: Case): Promise<void> {
  const picture = asHeldBy(input, syntheticPicture(kind, width, height, alpha));
  const source = await encodePicture(input, picture, quality);
  const run = await runJob(source, { format: output, quality }, sharedArena);
  expectKeptPromise(run);
  expect((await decodePicture(run.file)).header).toMatchObject({ format: output, width, height });
}
