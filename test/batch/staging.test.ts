import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type StagedFile, Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { limits } from '../../src/limits.ts';

const SEGMENT = limits.segmentBytes;
/** Longer than a chunk by one period, so that a chunk can begin anywhere in it. */
const PATTERN = new Uint8Array(66_000).map((_, i) => i % 251);
const tooLarge = () => new Error('too large');

function staging(): Staging {
  return new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight));
}

/** Chunks of one buffer that is used again, as an upload's are. */
async function* bytes(length: number, fail?: Error): AsyncGenerator<Uint8Array> {
  const window = new Uint8Array(65_521);
  for (let at = 0; at < length; at += window.length) {
    const chunk = window.subarray(0, Math.min(window.length, length - at));
    chunk.set(PATTERN.subarray(at % 251, (at % 251) + chunk.length));
    yield chunk;
    window.fill(0);
  }
  if (fail !== undefined) throw fail;
}

/** Keys of what is there of a file. */
async function stored(key: string): Promise<string[]> {
  return (await env.BUCKET.list({ prefix: `${key}/` })).objects.map((object) => object.key);
}

/** A staged file, read in ranges that begin and end anywhere. */
async function* pieces(store: Staging, file: StagedFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += 1_000_003) {
    const piece = new Uint8Array(Math.min(1_000_003, file.size - at));
    await store.read(file, at, piece);
    yield piece;
  }
}

async function hashOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk);
  return hash.digest('hex');
}

test.each([0, 1, 100_000, SEGMENT - 1, SEGMENT, SEGMENT + 1, 2 * SEGMENT, 2 * SEGMENT + 7])(
  'a file of %i bytes comes back with its size and hash',
  async (length) => {
    const store = staging();
    const key = store.keyFor('request', length);
    const staged = await store.store(key, bytes(length), length, tooLarge, () => length + 200);
    const sha256 = await hashOf(bytes(length));
    expect(staged).toEqual({ key, size: length, sha256 });
    expect(await hashOf(pieces(store, staged))).toBe(sha256);
    await store.remove([staged]);
    expect(await stored(key)).toEqual([]);
  },
  30_000,
);

test.each([10, SEGMENT + 10])('a file longer than %i bytes is refused and nothing of it is kept', async (most) => {
  const store = staging();
  const key = store.keyFor('long', most);
  await expect(store.store(key, bytes(most + 1), most, tooLarge)).rejects.toThrow('too large');
  expect(await stored(key)).toEqual([]);
});

test('it is refused as soon as it is too long, with the rest unread', async () => {
  let given = 0;
  async function* endless() {
    for (;;) {
      given += 1000;
      yield new Uint8Array(1000);
    }
  }
  const store = staging();
  await expect(store.store(store.keyFor('endless', 0), endless(), 4500, tooLarge)).rejects.toThrow('too large');
  expect(given).toBe(5000);
});

test.each([10, SEGMENT + 10])('a body that fails after %i bytes leaves nothing and frees its share', async (length) => {
  const store = staging();
  const key = store.keyFor('failing', length);
  for (let turn = 0; turn < 4; turn++) {
    await expect(store.store(key, bytes(length, new Error('gone')), 1e9, tooLarge)).rejects.toThrow('gone');
  }
  expect(await stored(key)).toEqual([]);
});

test('six files at once pass through a gate that lets four segments in', async () => {
  const store = staging();
  const keys = Array.from({ length: 6 }, (_, index) => store.keyFor('many', index));
  const staged = await Promise.all(keys.map((key) => store.store(key, bytes(SEGMENT + 1000), 1e9, tooLarge)));
  expect(staged.map(({ size }) => size)).toEqual(keys.map(() => SEGMENT + 1000));
  await store.remove(staged);
}, 30_000);

test('keys of a request stand under its id', () => {
  expect([staging().keyFor('r1', 3), staging().keyFor('r1', 'watermark')]).toEqual([
    'staging/r1/3',
    'staging/r1/watermark',
  ]);
});
