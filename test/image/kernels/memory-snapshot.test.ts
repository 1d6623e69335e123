import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemorySnapshot } from '../../../src/image/kernels/memory-snapshot.ts';

/** Where single bytes are set in a memory of some length that begins anywhere. */
const memories = fc
  .record({ length: fc.integer({ min: 1, max: 20_000 }), start: fc.integer({ min: 0, max: 40 }) })
  .chain(({ length, start }) =>
    fc.array(fc.tuple(fc.nat(length - 1), fc.integer({ min: 1, max: 255 })), { maxLength: 5 }).map((written) => {
      const memory = new Uint8Array(new ArrayBuffer(start + length), start);
      for (const [at, value] of written) memory[at] = value;
      return memory;
    }),
  );

test('a memory is again what it was, wherever something was in it', () => {
  fc.assert(
    fc.property(memories, (memory) => {
      const first = memory.slice();
      const snapshot = new MemorySnapshot(memory);
      memory.fill(0);
      snapshot.restore(memory);
      return memory.every((byte, at) => byte === first[at]);
    }),
  );
});

test('no byte of a piece is overlooked', () => {
  for (let at = 0; at < 4096; at++) {
    const memory = new Uint8Array(4096);
    memory[at] = 0x80;
    const snapshot = new MemorySnapshot(memory);
    memory[at] = 0;
    snapshot.restore(memory);
    expect(memory[at]).toBe(0x80);
  }
});

test('a part of another length takes what was kept if that fits in', () => {
  const snapshot = new MemorySnapshot(Uint8Array.from({ length: 3 * 4096 }, (_, at) => (at === 5000 ? 7 : 0)));
  expect(snapshot.end).toBe(2 * 4096);
  const larger = new Uint8Array(5 * 4096);
  snapshot.restore(larger);
  expect(larger.findLastIndex((byte) => byte !== 0)).toBe(5000);
  expect(() => snapshot.restore(new Uint8Array(2 * 4096 - 1))).toThrow(RangeError);
});
