import { expect, test } from 'vitest';
import { PartWorkspace } from '../../src/image/part-workspace.ts';
import { HeapWorkspace } from '../support/heap-workspace.ts';

test('regions follow one another in one region of the whole, aligned, and not beyond it', () => {
  const whole = new HeapWorkspace();
  const part = new PartWorkspace(whole, 64);
  const [first, second] = [part.arena(17), part.arena(32)];
  expect(whole.arenaBytes).toBe(64);
  expect(first).toHaveLength(17);
  expect(first.byteOffset % 16).toBe(0);
  expect(second.byteOffset).toBe(first.byteOffset + 32);
  expect(part.inArena(second)).toBe(true);
  expect(() => part.arena(1)).toThrow(RangeError);
});

test('a restart gives the same bytes again, zeroed, and leaves what others took alone', () => {
  const whole = new HeapWorkspace();
  const before = whole.arena(16).fill(1);
  const part = new PartWorkspace(whole, 64);
  const behind = whole.arena(16).fill(2);
  const first = part.arena(64).fill(9);
  part.restart();
  const again = part.arena(40);
  expect(again.byteOffset).toBe(first.byteOffset);
  expect(again.every((byte) => byte === 0)).toBe(true);
  expect([before[0], behind[0]]).toEqual([1, 2]);
});

test('buffers on the heap are the whole workspace’s', () => {
  const whole = new HeapWorkspace();
  const part = new PartWorkspace(whole, 16);
  const buffer = part.buffer(100);
  expect(whole.heldBuffers).toBe(100);
  part.release(buffer);
  expect(whole.heldBuffers).toBe(0);
});
