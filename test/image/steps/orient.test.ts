import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../src/image/frame.ts';
import type { Orientation } from '../../../src/image/header.ts';
import { orient } from '../../../src/image/steps/orient.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { firstDifference } from '../../support/first-difference.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';
import { stepContext } from '../../support/step-context.ts';
import { orientations, storedPicture } from '../../support/stored-picture.ts';

const upright = { width: 131, height: 77, alpha: true, model: 'rgb' } as const;

function picture({ width, height }: Frame): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) pixels.set([i & 255, (i >> 8) & 255, (i * 7) & 255, (i * 13) & 255], i * 4);
  return pixels;
}

describe('the eight orientations of one picture give one picture', () => {
  for (const orientation of orientations.slice(1)) {
    for (const rows of [1, 16, 500]) {
      test(`orientation ${orientation} in bands of ${rows} rows`, async () => {
        const source = storedPicture(picture(upright), upright, orientation);
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
        expect(workspace.peakBuffers).toBe(0);
        expect(workspace.arenaBytes).toBe(planned.arena ?? 0);
      });
    }
  }
});

describe('planned', () => {
  const phone = { width: 4032, height: 3024, alpha: false, model: 'rgb' } as const;
  const plan = (frame: Frame, orientation: Orientation, outputChroma: '4:4:4' | '4:2:0' = '4:4:4') =>
    orient.plan(frame, { ...stepContext({ ...frame, orientation }), outputChroma });

  test('an upright picture has nothing to do and a mirrored one takes no memory', () => {
    expect(plan(upright, 1)).toBeUndefined();
    expect(plan(upright, 2)).toMatchObject({ buffers: 0 });
    expect(plan(upright, 2)!.arena).toBeUndefined();
  });

  test.each(orientations.slice(2))('orientation %i takes no heap, and says how often the picture is read', (turn) => {
    expect(plan(upright, turn)).toMatchObject({ buffers: 0, passes: 1, params: { strips: { store: 'rgba' } } });
    expect(plan(phone, turn)).toMatchObject({ buffers: 0, passes: 2, params: { strips: { store: 'rgba' } } });
  });

  test('a large opaque picture for a format with halved chroma is kept in planes, one with alpha is not', () => {
    expect(plan(phone, 6, '4:2:0')).toMatchObject({ passes: 1, params: { strips: { store: 'planar' } } });
    expect(plan({ ...phone, alpha: true }, 6, '4:2:0')).toMatchObject({
      passes: 2,
      params: { strips: { store: 'rgba' } },
    });
  });
});

test('bands whose bytes start at an odd address are turned correctly', async () => {
  for (const orientation of [2, 7] as const) {
    const { frame, pixels } = storedPicture(picture(upright), upright, orientation);
    const odd = new Uint8Array(pixels.length + 1).subarray(1);
    odd.set(pixels);
    async function* one() {
      yield { top: 0, rows: frame.height, pixels: odd };
    }
    const context = stepContext({ ...frame, orientation });
    const bands = orient.apply(one(), frame, orient.plan(frame, context)!, context, new HeapWorkspace());
    expect(firstDifference(await gatherBands(bands, upright), picture(upright))).toBeUndefined();
  }
});
