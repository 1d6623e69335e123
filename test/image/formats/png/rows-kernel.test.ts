import { describe, expect, test } from 'vitest';
import { rowRoom, rowsKernel } from '../../../../src/image/formats/png/rows-kernel.ts';
import { unfilter } from '../../../reference/png-rows/unfilter.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { seededRandom } from './collect.ts';

const pixelBytes = [1, 2, 3, 4, 6, 8];

describe.each(pixelBytes)('rows of pixels of %i bytes', (distance) => {
  test.each([0, 1, 2, 3, 4])('are unfiltered as the specification says (filter %i)', (filter) => {
    const random = seededRandom(distance * 5 + filter);
    for (let round = 0; round < 60; round++) {
      const bytes = distance * (1 + random(70));
      // Extreme values are where arithmetic in too few bits shows.
      const sample = () => (random(2) === 0 ? random(256) : random(2) * 255);
      const filtered = Uint8Array.from({ length: bytes }, sample);
      const above = Uint8Array.from({ length: bytes }, sample);
      const workspace = new HeapWorkspace();
      const source = workspace.arena(rowRoom(bytes + 1));
      const prior = workspace.arena(rowRoom(bytes));
      const out = workspace.arena(rowRoom(bytes));
      const fence = workspace.arena(16).fill(0xa5);
      source.fill(0x5a).set([filter, ...filtered]);
      prior.fill(0x5a).set(above);
      const done = rowsKernel(workspace).unfilter(source.byteOffset, prior.byteOffset, out.byteOffset, bytes, distance);
      unfilter(filter, filtered, above, distance);
      expect(done).toBe(1);
      expect(out.subarray(0, bytes)).toEqual(filtered);
      expect(fence.every((byte) => byte === 0xa5)).toBe(true);
    }
  });
});

test.each([5, 128, 255])('a filter %i is refused', (filter) => {
  const workspace = new HeapWorkspace();
  const source = workspace.arena(16);
  source[0] = filter;
  const room = workspace.arena(32).byteOffset;
  expect(rowsKernel(workspace).unfilter(source.byteOffset, room, room, 1, 1)).toBe(0);
});

test('RGB becomes opaque RGBA, and nothing behind it is touched', () => {
  const random = seededRandom(3);
  for (let width = 1; width < 40; width++) {
    const workspace = new HeapWorkspace();
    const row = workspace.arena(rowRoom(width * 3));
    for (let at = 0; at < row.length; at++) row[at] = random(256);
    const out = workspace.arena(width * 4 + 16).fill(0xa5);
    rowsKernel(workspace).expandRgb(row.byteOffset, out.byteOffset, width);
    const pixels = Array.from({ length: width }, (_, x) => [...row.subarray(x * 3, x * 3 + 3), 255]).flat();
    expect([...out]).toEqual([...pixels, ...new Array(16).fill(0xa5)]);
  }
});

test('of 16 bits the upper ones are kept, and nothing behind is touched', () => {
  const random = seededRandom(4);
  for (let width = 1; width < 40; width++) {
    const workspace = new HeapWorkspace();
    const row = workspace.arena(rowRoom(width * 8));
    for (let at = 0; at < row.length; at++) row[at] = random(256);
    const out = () => workspace.arena(width * 4 + 16).fill(0xa5);
    const [opaque, all] = [out(), out()];
    rowsKernel(workspace).expandDeepRgb(row.byteOffset, opaque.byteOffset, width);
    rowsKernel(workspace).upperBytes(row.byteOffset, all.byteOffset, width * 4);
    const rgb = Array.from({ length: width }, (_, x) => [row[6 * x], row[6 * x + 2], row[6 * x + 4], 255]).flat();
    const rgba = Array.from({ length: width * 4 }, (_, at) => row[2 * at]);
    expect([...opaque]).toEqual([...rgb, ...new Array(16).fill(0xa5)]);
    expect([...all]).toEqual([...rgba, ...new Array(16).fill(0xa5)]);
  }
});
