import fc from 'fast-check';
import { expect, test } from 'vitest';
import { segmentRanges, stagedKeys, stagedPlace } from '../../src/batch/staged-place.ts';
import { limits } from '../../src/limits.ts';

const FULL = limits.segmentBytes;

test.each([
  ['nothing', [], undefined],
  ['one short segment', [5], undefined],
  ['full ones and a short one', [FULL, FULL, 5], undefined],
  ['full ones', [FULL, FULL], undefined],
  ['a short one that is not the last', [5, FULL], [5, FULL]],
])('%s', (_, sizes, segments) => {
  const size = sizes.reduce((sum, length) => sum + length, 0);
  const place = stagedPlace('k', size, sizes);
  expect(place.segments).toEqual(segments);
  expect(stagedKeys(place)).toEqual(sizes.map((_size, number) => `k/${number}`));
});

test('any range of any file is read once, in order, from the segments that have it', () => {
  const sizes = fc.array(fc.oneof(fc.constant(FULL), fc.integer({ min: 1, max: FULL })), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), (segments, a, b) => {
      const size = segments.reduce((sum, length) => sum + length, 0);
      const [offset, end] = [Math.min(a % size, b % size), Math.max(a % size, b % size)];
      const place = stagedPlace('k', size, segments);
      const starts = segments.map((_, at) => segments.slice(0, at).reduce((sum, length) => sum + length, 0));
      let at = offset;
      for (const range of segmentRanges(place, offset, end - offset)) {
        const number = Number(range.key.slice(2));
        expect(starts[number]! + range.offset).toBe(at);
        expect(range.offset + range.length).toBeLessThanOrEqual(segments[number]!);
        expect(range.length).toBeGreaterThan(0);
        at += range.length;
      }
      expect(at).toBe(end);
    }),
  );
});
