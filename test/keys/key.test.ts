import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey, isKey, newKey, parseBearer } from '../../src/keys/key.ts';

test('a key is the mark and 256 random bits, and the prefix is its first 12 characters', () => {
  const { key, prefix } = newKey((count) => new Uint8Array(count).fill(0xff));
  expect(key).toBe(`pk_live_${'_'.repeat(42)}8`);
  expect(prefix).toBe('pk_live_____');
});

test('every key passes as a key and as a bearer token', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const { key } = newKey(() => bytes);
      expect(isKey(key)).toBe(true);
      expect(parseBearer(`Bearer ${key}`)).toBe(key);
    }),
  );
});

test('what is no key is told apart', () => {
  const { key } = newKey((count) => new Uint8Array(count));
  for (const text of ['', 'pk_live_', key.slice(1), key.slice(0, -1), `${key}A`, `${key}\n`, `${key.slice(0, -1)}é`]) {
    expect(isKey(text)).toBe(false);
  }
});

test('the scheme is read in any case and with spaces around the token', () => {
  for (const header of ['Bearer abc', 'bearer abc', 'BEARER   abc', '  Bearer\tabc  ']) {
    expect(parseBearer(header)).toBe('abc');
  }
});

test('anything but one bearer token is none', () => {
  const wrong = [
    null,
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearerabc',
    'Basic abc',
    'abc',
    'Bearer a b',
    'Bearer a, Bearer b',
  ];
  for (const header of [...wrong, 'Bearer ключ', 'Bearer a\u0000b']) expect(parseBearer(header)).toBeUndefined();
});

test('a header of absurd length is not read', () => {
  expect(parseBearer(`Bearer ${'a'.repeat(505)}`)).toBe('a'.repeat(505));
  expect(parseBearer(`Bearer ${'a'.repeat(506)}`)).toBeUndefined();
  expect(parseBearer(`Bearer${' '.repeat(1_000_000)}`)).toBeUndefined();
});

test('the hash is SHA-256 in hexadecimal (FIPS 180-4, the "abc" example)', async () => {
  expect(await hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
