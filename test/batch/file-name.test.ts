import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileName } from '../../src/batch/file-name.ts';

const named = (original: string) => fileName(original, 'webp', new Set());

describe('the name of a result', () => {
  test.each([
    ['photo.jpg', 'photo.webp'],
    ['photo', 'photo.webp'],
    ['my.holiday.photo.jpeg', 'my.holiday.photo.webp'],
    ['../../etc/passwd.png', 'passwd.webp'],
    ['C:\\Users\\me\\cat.png', 'cat.webp'],
    ['写真 1.png', '写真 1.webp'],
    ['a\u0000b\r\n\u001fc\u007f.png', 'abc.webp'],
    ['gpj.\u202egnp.jpg', 'gpj.gnp.webp'],
    ['.htaccess', 'htaccess.webp'],
    ['name. .png', 'name.webp'],
    ['  spaced  .png', 'spaced.webp'],
    ['', 'image.webp'],
    ['...', 'image.webp'],
    ['dir/', 'image.webp'],
    ['\ud800.png', '\ufffd.webp'],
  ])('%j becomes %j', (original, expected) => {
    expect(named(original)).toBe(expected);
  });

  test('2,000 characters are cut, the extension is not, and no character is halved', () => {
    const name = named(`${'😀'.repeat(2000)}.jpg`);
    expect([...name]).toHaveLength(200);
    expect(name).toMatch(/^(😀)+\.webp$/u);
  });

  test('a name that is taken gets a number, whatever names are there already', () => {
    const taken = new Set<string>();
    const originals = ['a.jpg', 'b.jpg', 'a.png', 'x/a.gif', 'a-2.jpg'];
    const names = originals.map((original) => fileName(original, 'avif', taken));
    expect(names).toEqual(['a.avif', 'b.avif', 'a-2.avif', 'a-3.avif', 'a-2-2.avif']);
  });

  test('long names are told apart within the limit', () => {
    const taken = new Set<string>();
    const names = Array.from({ length: 12 }, () => fileName('n'.repeat(500), 'png', taken));
    expect(taken.size).toBe(12);
    expect(Math.max(...names.map((name) => name.length))).toBe(200);
  });

  test('any names give names that are distinct, safe and bounded', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 20 }), (originals) => {
        const taken = new Set<string>();
        const names = originals.map((original) => fileName(original, 'jpg', taken));
        expect(new Set(names).size).toBe(originals.length);
        for (const name of names) {
          expect(name).toMatch(/^[^/\\\p{Cc}\s.][^/\\\p{Cc}]*\.jpg$/u);
          expect([...name].length).toBeLessThanOrEqual(200);
          expect(name.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
