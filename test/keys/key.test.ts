import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey, isKey, newKey, parseBearer } from '../../src/keys/key.ts';

test('a key is the mark, 256 random bits and their checksum, and the prefix is its first 12 characters', () => {
  const { key, prefix } = newKey((count) => new Uint8Array(count).fill(0xff));
  // CRC-32 of the first 49 characters as Python's binascii counts it, 0x4bc7e960, in base 62.
  expect(key).toBe(`plume_${'_'.repeat(42)}81O2dIO`);
  expect(prefix).toBe('plume_______');
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
  for (const text of ['', 'plume_', key.slice(1), key.slice(0, -1), `${key}A`, `${key}\n`, `${key.slice(0, -1)}é`]) {
    expect(isKey(text)).toBe(false);
  }
});

test('a typing error is found: one character changed, or two neighbours swapped', () => {
  const { key } = newKey((count) => crypto.getRandomValues(new Uint8Array(count)));
  for (let at = 0; at < key.length; at++) {
    const others = [...'ABCxyz019_-'].filter((other) => other !== key[at]);
    for (const other of others) expect(isKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    const [one, two] = [key[at]!, key[at + 1] ?? key[at]!];
    if (one !== two) expect(isKey(key.slice(0, at) + two + one + key.slice(at + 2))).toBe(false);
  }
});

test('keys of before the checksum are keys', () => {
  const old = `pk_live_${'aB3_-'.repeat(9).slice(0, 43)}`;
  expect(isKey(old)).toBe(true);
  for (const text of ['pk_live_', old.slice(0, -1), `${old}A`, `sk_live_${old.slice(8)}`])
    expect(isKey(text)).toBe(false);
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
