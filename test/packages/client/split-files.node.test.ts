import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchBounds, batchLength } from '../../../packages/client/src/split-files.ts';

const MB = 1_000_000;

test('a batch has at most 20 files and 90 MB, and a file that is larger goes alone', () => {
  expect(batchLength(Array(30).fill(MB))).toBe(20);
  expect(batchLength(Array(30).fill(20 * MB))).toBe(4);
  expect(batchLength([200 * MB, MB])).toBe(1);
  expect(batchLength([])).toBe(0);
});

test('whatever the sizes, every file goes once and every bound holds', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 21 * MB }), { maxLength: 200 });
  fc.assert(
    fc.property(sizes, (all) => {
      let left = all;
      while (left.length > 0) {
        const length = batchLength(left);
        expect(length).toBeGreaterThan(0);
        expect(length).toBeLessThanOrEqual(batchBounds.files);
        const sum = left.slice(0, length).reduce((total, size) => total + size, 0);
        if (length > 1) expect(sum).toBeLessThanOrEqual(batchBounds.bytes);
        left = left.slice(length);
      }
    }),
  );
});
