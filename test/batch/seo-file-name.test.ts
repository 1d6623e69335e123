import { expect, test } from 'vitest';
import { seoFileName } from '../../src/batch/seo-file-name.ts';

const given = (names: readonly string[], extension = 'webp') => {
  const taken = new Set<string>();
  return names.map((name) => seoFileName(name, extension, taken));
};

test('a name taken twice gets a number', () => {
  expect(given(['red-old-barn', 'red-old-barn', 'blue-sea', 'red-old-barn'])).toEqual([
    'red-old-barn.webp',
    'red-old-barn-2.webp',
    'blue-sea.webp',
    'red-old-barn-3.webp',
  ]);
});

test('a name that is taken already with its number gets the next', () => {
  expect(given(['a-b-c-2', 'a-b-c', 'a-b-c'])).toEqual(['a-b-c-2.webp', 'a-b-c.webp', 'a-b-c-3.webp']);
});

test('the number takes the place of words where the name would be longer than 60 characters', () => {
  const long = `${'a'.repeat(29)}-${'b'.repeat(20)}-${'c'.repeat(9)}`;
  expect(long).toHaveLength(60);
  expect(given([long, long])).toEqual([`${long}.webp`, `${'a'.repeat(29)}-${'b'.repeat(20)}-2.webp`]);
  const names = given(
    Array.from({ length: 20 }, () => 'ж'.repeat(60)),
    'avif',
  );
  expect(new Set(names).size).toBe(20);
  for (const name of names) expect([...name].length).toBeLessThanOrEqual(60 + '.avif'.length);
});
