import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Band, type Frame, frameBytes } from '../../../src/image/frame.ts';
import type { Orientation } from '../../../src/image/header.ts';
import { turnBands } from '../../../src/image/turn/turn-bands.ts';
import { chooseStrips, layOutTurn, type Strips } from '../../../src/image/turn/turn-layout.ts';
import { planesReference } from '../../reference/turn/planes-reference.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { firstDifference } from '../../support/first-difference.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';
import { orientations, storedPicture } from '../../support/stored-picture.ts';

const KEPT = 36 * 1024 * 1024;
const turning = orientations.slice(2);

/** @param opaque or with a third of the pixels wholly transparent */
function noise({ width, height }: Frame, opaque: boolean): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  let state = 0x2545f491;
  for (let at = 0; at < pixels.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    pixels[at] = (at & 3) !== 3 ? state : opaque ? 255 : (state >>> 8) % 3 === 0 ? 0 : state;
  }
  return pixels;
}

/** Can be iterated as often as the layout says; counts the rows that were asked for. */
function source(pixels: Uint8Array, frame: Frame, rows: number) {
  const counted = { passes: 0, rows: 0 };
  const bands: AsyncIterable<Band> = {
    async *[Symbol.asyncIterator]() {
      counted.passes++;
      for await (const band of bandsOf(pixels, frame, rows)) {
        counted.rows += band.rows;
        yield band;
      }
    },
  };
  return { bands, counted };
}

async function turn(
  strips: Strips,
  bands: AsyncIterable<Band>,
  frame: Frame,
  orientation: Orientation,
  upright: Frame,
) {
  const workspace = new HeapWorkspace();
  const out = await gatherBands(turnBands(bands, frame, orientation, strips, workspace), upright);
  expect(workspace.arenaBytes).toBe(layOutTurn(frame, orientation, strips).bytes);
  expect(workspace.peakBuffers).toBe(0);
  return out;
}

const side = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 75 }));
const settings = [fc.constantFrom(...turning), side, side, fc.integer({ min: 1, max: 40 }), fc.nat(20_000)] as const;

describe('a picture is turned upright', () => {
  test('pixel for pixel, at every size, in bands and strips of every size', async () => {
    await fc.assert(
      fc.asyncProperty(...settings, async (orientation, width, height, rows, most) => {
        const upright = { width, height, alpha: true, model: 'rgb' } as const;
        const picture = noise(upright, false);
        const { frame, pixels } = storedPicture(picture, upright, orientation);
        const strips = chooseStrips(frame, orientation, false, most);
        const { bands, counted } = source(pixels, frame, rows);
        const out = await turn(strips, bands, frame, orientation, upright);
        expect(firstDifference(out, picture)).toBeUndefined();
        expect(counted.passes).toBe(strips.passes);
      }),
      { numRuns: 150 },
    );
  });

  test.each([false, true])('and in planes to what the reference makes of it, transparency: %s', async (alpha) => {
    await fc.assert(
      fc.asyncProperty(...settings, async (orientation, width, height, rows, most) => {
        const upright = { width, height, alpha, model: 'rgb' } as const;
        const picture = noise(upright, !alpha);
        const { frame, pixels } = storedPicture(picture, upright, orientation);
        const strips = chooseStrips(frame, orientation, true, most);
        const { bands } = source(pixels, frame, rows);
        const out = await turn(strips, bands, frame, orientation, upright);
        const expected = strips.store === 'planar' ? planesReference(picture, width, height) : picture;
        expect(firstDifference(out, expected)).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });
});

test('planes are kept only where they save passes', () => {
  const frame = { width: 4032, height: 3024, alpha: false, model: 'rgb' } as const;
  expect(chooseStrips(frame, 6, true, KEPT)).toMatchObject({ store: 'planar', passes: 1 });
  expect(chooseStrips(frame, 6, false, KEPT)).toMatchObject({ store: 'rgba', passes: 2 });
  expect(chooseStrips({ ...frame, width: 2000 }, 6, true, KEPT)).toMatchObject({ store: 'rgba', passes: 1 });
});

test('a hundred megapixels of any shape are turned in less than 45 MiB, in a few passes', () => {
  for (const [width, height] of [
    [11_548, 8660],
    [65_535, 1525],
    [1525, 65_535],
  ] as const) {
    for (const orientation of turning) {
      const frame = { width, height, alpha: false, model: 'rgb' } as const;
      for (const [planes, passes] of [
        [true, 5],
        [false, 12],
      ] as const) {
        const strips = chooseStrips(frame, orientation, planes, KEPT);
        expect(layOutTurn(frame, orientation, strips).bytes).toBeLessThan(45 * 1024 * 1024);
        expect(strips.passes).toBeLessThanOrEqual(passes);
      }
    }
  }
});

test('rows below a strip are not asked for when rows are only reversed', async () => {
  const frame = { width: 16, height: 400, alpha: true, model: 'rgb' } as const;
  const strips = chooseStrips(frame, 3, false, frameBytes(frame) / 4);
  const { bands, counted } = source(noise(frame, false), frame, 10);
  await turn(strips, bands, frame, 3, frame);
  expect(strips.passes).toBe(4);
  expect(counted.rows).toBe(400 + 300 + 200 + 100);
});

test('kept planes change an ordinary picture little: a smooth one by the rounding of a few steps', async () => {
  const frame = { width: 200, height: 120, alpha: false, model: 'rgb' } as const;
  const pixels = new Uint8Array(frameBytes(frame));
  for (let i = 0; i < 200 * 120; i++) {
    const [x, y] = [i % 200, Math.floor(i / 200)];
    pixels.set([40 + x * 0.8, 200 - y, 60 + x * 0.3 + y * 0.5, 255], i * 4);
  }
  const out = planesReference(pixels, 200, 120);
  expect(Math.max(...out.map((value, at) => Math.abs(value - pixels[at]!)))).toBeLessThanOrEqual(3);
  // What has been kept once is not changed by being kept again.
  const twice = planesReference(out, 200, 120);
  expect(Math.max(...twice.map((value, at) => Math.abs(value - out[at]!)))).toBeLessThanOrEqual(1);
});
