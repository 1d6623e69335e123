import { expect, test } from 'vitest';
import type { Caller } from '../../src/keys/caller.ts';
import { KeyCache } from '../../src/keys/key-cache.ts';

const caller: Caller = { accountId: 'acc_1', keyId: 'key_1', kind: 'api', plan: 'agency', suspended: false };

test('a caller is remembered until its time', () => {
  const cache = new KeyCache(10);
  cache.remember('h', caller, 1000, cache.generation);
  expect(cache.find('h', 999)).toEqual(caller);
  expect(cache.find('h', 1000)).toBeUndefined();
});

test('the oldest makes room, and remembering again makes young', () => {
  const cache = new KeyCache(2);
  for (const hash of ['a', 'b', 'a', 'c']) cache.remember(hash, caller, 1000, cache.generation);
  expect(['a', 'b', 'c'].map((hash) => cache.find(hash, 0) !== undefined)).toEqual([true, false, true]);
});

test('dropping forgets those that match and no others', () => {
  const cache = new KeyCache(10);
  cache.remember('a', caller, 1000, cache.generation);
  cache.remember('b', { ...caller, keyId: 'key_2' }, 1000, cache.generation);
  cache.drop(({ keyId }) => keyId === 'key_1');
  expect(['a', 'b'].map((hash) => cache.find(hash, 0)?.keyId)).toEqual([undefined, 'key_2']);
});

test('an answer that was under way while something was dropped is not remembered', () => {
  const cache = new KeyCache(10);
  const { generation } = cache;
  cache.drop(() => true);
  cache.remember('a', caller, 1000, generation);
  expect(cache.find('a', 0)).toBeUndefined();
});
