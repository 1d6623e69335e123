import { expect, test } from 'vitest';
import { arenaBandBytes, arenaBands } from '../../src/image/arena-bands.ts';
import type { Band, Frame } from '../../src/image/frame.ts';
import { gatherBands } from '../support/bands.ts';
import { firstDifference } from '../support/first-difference.ts';
import { HeapWorkspace } from '../support/heap-workspace.ts';

const frame: Frame = { width: 300, height: 700, alpha: false, model: 'rgb' };
const pixels = Uint8Array.from({ length: 300 * 700 * 4 }, (_, at) => at * 31);

async function* one(picture: Uint8Array): AsyncIterable<Band> {
  yield { top: 0, rows: frame.height, pixels: picture };
}

test('a picture on the heap comes through the arena in parts, unchanged', async () => {
  const workspace = new HeapWorkspace();
  async function* watched() {
    for await (const band of arenaBands(one(pixels), frame, workspace)) {
      expect(workspace.inArena(band.pixels)).toBe(true);
      yield band;
    }
  }
  expect(firstDifference(await gatherBands(watched(), frame), pixels)).toBeUndefined();
  expect(workspace.arenaBytes).toBe(arenaBandBytes(frame));
  expect(workspace.arenaBytes).toBeLessThanOrEqual(256 * 1024);
});

test('what lies in the arena is passed on as it is', async () => {
  const workspace = new HeapWorkspace();
  const region = workspace.arena(pixels.length);
  const taken = workspace.arenaBytes;
  for await (const band of arenaBands(one(region), frame, workspace)) expect(band.pixels).toBe(region);
  expect(workspace.arenaBytes).toBe(taken);
});
