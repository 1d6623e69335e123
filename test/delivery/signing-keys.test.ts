import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { signingKeyName, signingKeys, signsFrom } from '../../src/delivery/signing-keys.ts';

const NOW = Date.UTC(2026, 10, 22, 3, 10, 5);
const MINUTE = 60_000;

test('a rotated key is named after when it begins to sign', () => {
  expect(signingKeyName(NOW)).toBe('SIGNING_KEY_20261122031005');
  expect(signsFrom('SIGNING_KEY_20261122031005')).toBe(NOW);
  expect(signsFrom('SIGNING_KEY')).toBe(0);
});

describe('the signing keys', () => {
  test('are the one that signs and those that are accepted', () => {
    expect(signingKeys({ SIGNING_KEY: 'a' }, NOW)).toEqual(['a']);
    expect(signingKeys({ SIGNING_KEY: 'b', SIGNING_KEY_PREVIOUS: 'a' }, NOW)).toEqual(['b', 'a']);
    expect(signingKeys({ ...env, SIGNING_KEY: 'b' }, NOW)).toEqual(['b']);
  });

  test('the newest that has begun signs; one whose time comes is accepted before', () => {
    const keys = {
      SIGNING_KEY: 'first',
      SIGNING_KEY_PREVIOUS: 'zeroth',
      [signingKeyName(NOW - MINUTE)]: 'second',
      [signingKeyName(NOW + MINUTE)]: 'third',
    };
    expect(signingKeys(keys, NOW)).toEqual(['second', 'first', 'third', 'zeroth']);
    expect(signingKeys(keys, NOW + MINUTE)[0]).toBe('third');
    expect(signingKeys(keys, NOW - 2 * MINUTE)[0]).toBe('first');
  });

  test('when none has begun, the one that begins first signs', () => {
    const keys = { [signingKeyName(NOW + 2 * MINUTE)]: 'late', [signingKeyName(NOW + MINUTE)]: 'soon' };
    expect(signingKeys(keys, NOW)).toEqual(['soon', 'late']);
  });

  test.each([
    [{}],
    [{ SIGNING_KEY: '' }],
    [{ SIGNING_KEY_PREVIOUS: 'a' }],
    [{ SIGNING_KEY_2026: 'a', SIGNING_KEY_20269922031005: 'b', XSIGNING_KEY: 'c' }],
  ])('%o has none', (settings) => {
    expect(() => signingKeys(settings, NOW)).toThrow(/SIGNING_KEY is not set/);
  });
});
