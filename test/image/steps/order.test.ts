import { expect, test } from 'vitest';
import { encodePng } from '../../../src/image/formats/png/encode-png.ts';
import { readPngHeader } from '../../../src/image/formats/png/header.ts';
import type { Band, Frame } from '../../../src/image/frame.ts';
import { flattenEarly } from '../../../src/image/steps/flatten.ts';
import { order } from '../../../src/image/steps/order.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';
import { stepContext } from '../../support/step-context.ts';

test('colour, then size, then white where nothing is drawn later, then orientation, then the watermark, then white', () => {
  expect(order.map(({ name }) => name)).toEqual(['colour', 'resize', 'flatten', 'orient', 'watermark', 'flatten']);
});

async function blackPng(width: number, height: number): Promise<Uint8Array> {
  const frame = { width, height, alpha: false, model: 'rgb' } as const;
  const black = Uint8Array.from({ length: width * height * 4 }, (_, i) => ((i & 3) === 3 ? 255 : 0));
  const pieces: number[] = [];
  for await (const piece of encodePng(bandsOf(black, frame), frame, new HeapWorkspace())) pieces.push(...piece);
  return Uint8Array.from(pieces);
}

test('all five together, within the memory that they promise', async () => {
  const file = await blackPng(50, 50);
  const stored = { width: 240, height: 120, alpha: true, model: 'rgb' } as const;
  const header = {
    ...stored,
    model: 'rgb',
    orientation: 6,
    profile: { kind: 'cicp', primaries: 12, transfer: 13 },
  } as const;
  const watermark = { file, header: readPngHeader(file), scale: 50, opacity: 100, position: 'BR' } as const;
  const context = stepContext(header, { maxHeight: 120, watermark }, false);
  const workspace = new HeapWorkspace();

  // Grey, and transparent in the stored left half: upright, at the top.
  const pixels = Uint8Array.from({ length: 240 * 120 * 4 }, (_, i) => {
    if ((i & 3) !== 3) return 100;
    return (i >> 2) % 240 < 120 ? 0 : 255;
  });
  let frame: Frame = stored;
  let bands: AsyncIterable<Band> = bandsOf(pixels, stored);
  let promised = 0;
  for (const step of order) {
    const planned = step.plan(frame, context);
    if (planned === undefined) {
      if (step !== flattenEarly) throw new Error(`${step.name} has nothing to do`);
      continue;
    }
    bands = step.apply(bands, frame, planned, context, workspace);
    frame = planned.frame;
    promised += planned.buffers;
  }

  expect(frame).toEqual({ width: 60, height: 120, alpha: false, model: 'rgb' });
  const out = await gatherBands(bands, frame);
  const at = (x: number, y: number) => [...out.subarray((y * 60 + x) * 4, (y * 60 + x) * 4 + 4)];
  expect(at(30, 10)).toEqual([255, 255, 255, 255]);
  expect(at(5, 110)).toEqual([100, 100, 100, 255]);
  expect(at(29, 119)).toEqual([100, 100, 100, 255]);
  expect(at(30, 90)).toEqual([0, 0, 0, 255]);
  expect(at(59, 119)).toEqual([0, 0, 0, 255]);
  expect(at(45, 89)).toEqual([100, 100, 100, 255]);
  expect(workspace.peakBuffers).toBeLessThanOrEqual(promised);
  expect(workspace.heldBuffers).toBe(0);
});
