import { expect, test } from 'vitest';
import type { Caller } from '../../src/keys/caller.ts';
import { KeyCache } from '../../src/keys/key-cache.ts';

const caller: Caller = { accountId: 'acc_1', keyId: 'key_1', kind: 'api', plan: 'agency', suspended: false };

const never = Number.POSITIVE_INFINITY;

function remember(cache: KeyCache, hash: string, { asked = 0, expiry = never, of = caller } = {}): void {
  cache.remember(hash, of, { asked, expiry, generation: cache.generation });
}

test('a caller is fresh for 30 s after the question, and trusted for five minutes', () => {
  const cache = new KeyCache(10);
  remember(cache, 'h', { asked: 1000 });
  expect(cache.find('h', 30_999)).toEqual({ caller, fresh: true });
  expect(cache.find('h', 31_000)).toEqual({ caller, fresh: false });
  expect(cache.find('h', 300_999)).toEqual({ caller, fresh: false });
  expect(cache.find('h', 301_000)).toBeUndefined();
});

test('a key that expires is neither fresh nor trusted any more', () => {
  const cache = new KeyCache(10);
  remember(cache, 'h', { expiry: 5000 });
  expect(cache.find('h', 4999)).toEqual({ caller, fresh: true });
  expect(cache.find('h', 5000)).toBeUndefined();
  expect(cache.trust('h', 9000, 5000)).toBeUndefined();
});

test('the oldest makes room, and remembering again makes young', () => {
  const cache = new KeyCache(2);
  for (const hash of ['a', 'b', 'a', 'c']) remember(cache, hash);
  expect(['a', 'b', 'c'].map((hash) => cache.find(hash, 0) !== undefined)).toEqual([true, false, true]);
});

test('dropping forgets those that match and no others', () => {
  const cache = new KeyCache(10);
  remember(cache, 'a');
  remember(cache, 'b', { of: { ...caller, keyId: 'key_2' } });
  cache.drop(({ keyId }) => keyId === 'key_1');
  expect(['a', 'b'].map((hash) => cache.find(hash, 0)?.caller.keyId)).toEqual([undefined, 'key_2']);
  expect(cache.trust('a', 1000, 0)).toBeUndefined();
});

test('an answer that was under way while something was dropped is not remembered', () => {
  const cache = new KeyCache(10);
  const { generation } = cache;
  cache.drop(() => true);
  cache.remember('a', caller, { asked: 0, expiry: never, generation });
  cache.rememberUnknown('b', { asked: 0, generation });
  expect(cache.find('a', 0)).toBeUndefined();
  expect(cache.isUnknown('b', 0)).toBe(false);
});

test('a caller that is trusted again is so until then, never longer than five minutes in all', () => {
  const cache = new KeyCache(10);
  remember(cache, 'h');
  expect(cache.trust('h', 60_000, 40_000)).toEqual(caller);
  expect(cache.find('h', 59_999)?.fresh).toBe(true);
  expect(cache.find('h', 60_000)?.fresh).toBe(false);
  cache.trust('h', 310_000, 290_000);
  expect(cache.find('h', 299_999)?.fresh).toBe(true);
  expect(cache.find('h', 300_000)).toBeUndefined();
});

test('a key that is not there is known for 10 s, at most a thousand of them, and not once it is made', () => {
  const cache = new KeyCache(10);
  const unknown = (hash: string) => cache.rememberUnknown(hash, { asked: 0, generation: cache.generation });
  unknown('a');
  unknown('b');
  expect([cache.isUnknown('a', 9999), cache.isUnknown('a', 10_000), cache.isUnknown('c', 0)]).toEqual([
    true,
    false,
    false,
  ]);
  cache.allow('a');
  expect(cache.isUnknown('a', 0)).toBe(false);
  for (let index = 0; index < 1000; index++) unknown(`other ${index}`);
  expect([cache.isUnknown('b', 0), cache.isUnknown('other 0', 0)]).toEqual([false, true]);
});

test('a key that the database no longer has is forgotten, whatever changed meanwhile', () => {
  const cache = new KeyCache(10);
  remember(cache, 'h');
  const { generation } = cache;
  cache.drop(() => false);
  cache.rememberUnknown('h', { asked: 31_000, generation });
  expect(cache.trust('h', 60_000, 31_000)).toBeUndefined();
});
