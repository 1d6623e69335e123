import { describe, expect, test } from 'vitest';
import { type Frame, frameBytes } from '../../../src/image/frame.ts';
import type { Orientation } from '../../../src/image/header.ts';
import { orient } from '../../../src/image/steps/orient.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { firstDifference } from '../../support/first-difference.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';
import { stepContext } from '../../support/step-context.ts';

/** Where the stored row 0 and column 0 are in the upright picture, in the words of the Exif standard. */
const exif: Record<Orientation, readonly [row: string, column: string]> = {
  1: ['top', 'left'],
  2: ['top', 'right'],
  3: ['bottom', 'right'],
  4: ['bottom', 'left'],
  5: ['left', 'top'],
  6: ['right', 'top'],
  7: ['right', 'bottom'],
  8: ['left', 'bottom'],
};
const orientations = Object.keys(exif).map(Number) as Orientation[];
const upright = { width: 131, height: 77, alpha: true, model: 'rgb' } as const;

function picture({ width, height }: Frame): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) pixels.set([i & 255, (i >> 8) & 255, (i * 7) & 255, (i * 13) & 255], i * 4);
  return pixels;
}

/** The picture as a camera that was held in that way stores it. */
function stored(pixels: Uint8Array, orientation: Orientation): { frame: Frame; pixels: Uint8Array } {
  const [rowEdge, columnEdge] = exif[orientation];
  const sideways = rowEdge === 'left' || rowEdge === 'right';
  const frame = sideways ? { ...upright, width: upright.height, height: upright.width } : upright;
  const out = new Uint8Array(pixels.length);
  const along = (edge: string, step: number) =>
    ({ top: step, left: step, bottom: upright.height - 1 - step, right: upright.width - 1 - step })[edge]!;
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      const [visualX, visualY] = sideways
        ? [along(rowEdge, y), along(columnEdge, x)]
        : [along(columnEdge, x), along(rowEdge, y)];
      const from = (visualY * upright.width + visualX) * 4;
      out.set(pixels.subarray(from, from + 4), (y * frame.width + x) * 4);
    }
  }
  return { frame, pixels: out };
}

describe('the eight orientations of one picture give one picture', () => {
  for (const orientation of orientations.slice(1)) {
    for (const rows of [1, 16, 500]) {
      test(`orientation ${orientation} in bands of ${rows} rows`, async () => {
        const source = stored(picture(upright), orientation);
        const context = stepContext({ ...source.frame, orientation });
        const workspace = new HeapWorkspace();
        const planned = orient.plan(source.frame, context)!;
        const bands = orient.apply(
          bandsOf(source.pixels, source.frame, rows),
          source.frame,
          planned,
          context,
          workspace,
        );
        expect(planned.frame).toEqual(upright);
        expect(firstDifference(await gatherBands(bands, upright), picture(upright))).toBeUndefined();
        expect(workspace.peakBuffers).toBe(planned.buffers);
        expect(workspace.heldBuffers).toBe(0);
      });
    }
  }
});

test('an upright picture has nothing to do and a mirrored one takes no memory', () => {
  const plan = (orientation: Orientation) => orient.plan(upright, stepContext({ ...upright, orientation }));
  expect(plan(1)).toBeUndefined();
  expect(plan(2)!.buffers).toBe(0);
  for (const orientation of orientations.slice(2)) expect(plan(orientation)!.buffers).toBe(frameBytes(upright));
});

test('a turned picture leaves as one band that is the whole frame', async () => {
  const { frame, pixels } = stored(picture(upright), 6);
  const context = stepContext({ ...frame, orientation: 6 });
  const planned = orient.plan(frame, context)!;
  let bands = 0;
  for await (const band of orient.apply(bandsOf(pixels, frame), frame, planned, context, new HeapWorkspace())) {
    expect(band).toMatchObject({ top: 0, rows: upright.height });
    bands++;
  }
  expect(bands).toBe(1);
});

test('bands whose bytes start at an odd address are turned correctly', async () => {
  const { frame, pixels } = stored(picture(upright), 7);
  const odd = new Uint8Array(pixels.length + 1).subarray(1);
  odd.set(pixels);
  async function* one() {
    yield { top: 0, rows: frame.height, pixels: odd };
  }
  const context = stepContext({ ...frame, orientation: 7 });
  const bands = orient.apply(one(), frame, orient.plan(frame, context)!, context, new HeapWorkspace());
  expect(firstDifference(await gatherBands(bands, upright), picture(upright))).toBeUndefined();
});
