import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ResultStore } from '../../src/delivery/result-store.ts';

const store = new ResultStore(env.BUCKET);
const meta = { mediaType: 'image/webp', expires: 1_800_000_000 };
const of = { accountId: 'acc_secret', sessionId: 's', requestId: 'r', index: 0, expires: 1_800_000_000 };
const MIB = 1024 * 1024;

async function* pieces(length: number, fail?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += 700_001) {
    yield new Uint8Array(Math.min(700_001, length - at)).map((_, i) => ((at + i) * 31) >> 3);
  }
  if (fail !== undefined) throw fail;
}

describe('keys', () => {
  test('say nothing of the account, are safe in addresses and the same for the same arguments', async () => {
    const key = await store.keyFor(of);
    expect(key).toMatch(/^\d{8}\.[\w-]{22}\.[\w-]{22}$/);
    expect(await store.keyFor({ ...of })).toBe(key);
  });

  test('differ by account, request and index, and share a group within a session', async () => {
    const others = await Promise.all([
      store.keyFor(of),
      store.keyFor({ ...of, index: 1 }),
      store.keyFor({ ...of, requestId: 'r2' }),
      store.keyFor({ ...of, accountId: 'acc_other' }),
      store.keyFor({ ...of, sessionId: 's2' }),
      store.keyFor({ ...of, accountId: 'acc_secrets', sessionId: '' }),
    ]);
    expect(new Set(others).size).toBe(6);
    const groups = others.map((key) => key.split('.')[1]);
    expect(new Set(groups.slice(0, 3)).size).toBe(1);
    expect(new Set(groups).size).toBe(4);
  });

  test('sort by the hour of expiry', async () => {
    const hours = [-1, 0, 3599, 3600, 1e9, 3e9].map((later) => store.keyFor({ ...of, expires: of.expires + later }));
    const keys = (await Promise.all(hours)).map((key) => key.split('.')[0]!);
    expect(keys).toEqual([...keys].sort());
    expect(keys[1]).toBe(keys[2]);
    expect(keys[2]! < keys[3]!).toBe(true);
  });
});

test.each([1, 5 * MIB, 5 * MIB + 1, 12 * MIB])('a result of %i bytes comes back whole', async (length) => {
  const key = `size.${length}`;
  expect(await store.write(key, pieces(length), meta)).toEqual({ size: length });
  const { body, ...facts } = (await store.get(key))!;
  expect(facts).toMatchObject({ size: length, mediaType: 'image/webp' });
  expect(facts.etag).toMatch(/^"[^"]+"$/);
  const back = createHash('sha256').update(new Uint8Array(await new Response(body).arrayBuffer()));
  const sent = createHash('sha256');
  for await (const piece of pieces(length)) sent.update(piece);
  expect(back.digest('hex')).toBe(sent.digest('hex'));
  expect(await store.head(key)).toEqual(facts);
});

test.each([1, 6 * MIB])('when the encoder fails after %i bytes nothing can be seen', async (length) => {
  await expect(store.write('failed', pieces(length, new Error('trap')), meta)).rejects.toThrow('trap');
  expect(await store.head('failed')).toBeUndefined();
});

test('nothing can be seen before the last byte', async () => {
  async function* watched(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 3; i++) {
      yield new Uint8Array(3 * MIB);
      expect(await store.head('watched')).toBeUndefined();
    }
  }
  await store.write('watched', watched(), meta);
  expect((await store.head('watched'))?.size).toBe(9 * MIB);
});

test('a range is read in storage; a replaced object is not served for another', async () => {
  await store.write('range', pieces(1000), meta);
  const { etag } = (await store.head('range'))!;
  const part = await store.get('range', { offset: 10, length: 5 }, etag);
  expect(new Uint8Array(await new Response(part!.body).arrayBuffer())).toEqual(
    new Uint8Array(5).map((_, i) => ((10 + i) * 31) >> 3),
  );
  await store.write('range', pieces(999), meta);
  expect(await store.get('range', undefined, etag)).toBeUndefined();
});

test('a removed result is gone; removing what is not there is nothing', async () => {
  await store.write('gone', pieces(10), meta);
  await store.remove(['gone', 'never']);
  await store.remove([]);
  expect(await store.get('gone')).toBeUndefined();
  expect(await store.head('gone')).toBeUndefined();
});
