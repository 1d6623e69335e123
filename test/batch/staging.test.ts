import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type StagedFile, Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { limits } from '../../src/limits.ts';
import { PlatformError, type PlatformShell } from '../../src/platform/call-platform.ts';

const SEGMENT = limits.segmentBytes;
/** Longer than a chunk by one period, so that a chunk can begin anywhere in it. */
const PATTERN = new Uint8Array(66_000).map((_, i) => i % 251);
const tooLarge = () => new Error('too large');

function staging(bucket: R2Bucket = env.BUCKET, shell?: PlatformShell): Staging {
  return new Staging(bucket, new UploadGate(limits.uploadBytesInFlight), shell);
}

/** Stores a file as the form reader does. */
async function storeFile(
  store: Staging,
  key: string,
  body: AsyncIterable<Uint8Array>,
  maxBytes = 1e9,
): Promise<StagedFile> {
  const share = await store.enter();
  try {
    return await store.store(key, body, { share, maxBytes, tooLarge });
  } finally {
    share.leave();
  }
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

/** The bucket, with some of its calls made otherwise. */
function bucketWith(calls: {
  put?(key: string, body: ReadableStream): Promise<unknown>;
  get?(key: string, options: R2GetOptions): Promise<unknown>;
  delete?(keys: string | string[]): Promise<void>;
}): R2Bucket {
  const own = calls as Record<PropertyKey, unknown>;
  return new Proxy(env.BUCKET, {
    get(bucket, name) {
      if (own[name] !== undefined) return own[name];
      const value = Reflect.get(bucket, name);
      return typeof value === 'function' ? value.bind(bucket) : value;
    },
  });
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
    const staged = await storeFile(store, key, bytes(length), length);
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
  await expect(storeFile(store, key, bytes(most + 1), most)).rejects.toThrow('too large');
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
  await expect(storeFile(store, store.keyFor('endless', 0), endless(), 4500)).rejects.toThrow('too large');
  expect(given).toBe(5000);
});

test.each([10, SEGMENT + 10])('a body that fails after %i bytes leaves nothing and frees its share', async (length) => {
  const store = staging();
  const key = store.keyFor('failing', length);
  for (let turn = 0; turn < 4; turn++) {
    await expect(storeFile(store, key, bytes(length, new Error('gone')))).rejects.toThrow('gone');
  }
  expect(await stored(key)).toEqual([]);
});

test('six files at once pass through a gate that lets four segments in', async () => {
  const store = staging();
  const keys = Array.from({ length: 6 }, (_, index) => store.keyFor('many', index));
  const staged = await Promise.all(keys.map((key) => storeFile(store, key, bytes(SEGMENT + 1000))));
  expect(staged.map(({ size }) => size)).toEqual(keys.map(() => SEGMENT + 1000));
  await store.remove(staged);
}, 30_000);

test('keys of a request stand under its id', () => {
  expect([staging().keyFor('r1', 3), staging().keyFor('r1', 'watermark')]).toEqual([
    'staging/r1/3',
    'staging/r1/watermark',
  ]);
});

test('a file of 20 MiB beside nobody takes ten puts, and its place needs no list of segments', async () => {
  let puts = 0;
  const counting = bucketWith({
    put(key, body) {
      puts++;
      return env.BUCKET.put(key, body);
    },
  });
  const store = staging(counting);
  const staged = await storeFile(store, store.keyFor('usual', 0), bytes(limits.fileBytes));
  expect([puts, staged.segments]).toEqual([10, undefined]);
  await store.remove([staged]);
}, 30_000);

test('an upload that pauses gives its memory to others, and its file comes back whole all the same', async () => {
  const store = new Staging(env.BUCKET, new UploadGate(SEGMENT));
  const paused = Promise.withResolvers<void>();
  async function* pausing() {
    yield* bytes(1_500_000);
    await paused.promise;
    yield* bytes(SEGMENT);
  }
  const slow = storeFile(store, store.keyFor('paused', 0), pausing());
  const others = ['a', 'b'].map((id) => storeFile(store, store.keyFor(`beside-${id}`, 0), bytes(2 * SEGMENT)));
  await Promise.all(others);
  paused.resolve();
  const staged = await slow;
  expect(staged.segments!.length).toBeGreaterThan(1);
  expect(staged.segments!.reduce((sum, length) => sum + length, 0)).toBe(staged.size);
  expect(await hashOf(pieces(store, structuredClone(staged)))).toBe(staged.sha256);
  expect(await stored(staged.key)).toHaveLength(staged.segments!.length);
  await store.remove([staged]);
  expect(await stored(staged.key)).toEqual([]);
}, 30_000);

describe('an R2 that fails now and then', () => {
  /** Time limits and pauses are over at once. */
  const hurried: PlatformShell = {
    random: () => 0,
    timer(milliseconds, late) {
      const handle = setTimeout(late, milliseconds / 100);
      return () => clearTimeout(handle);
    },
  };
  const LENGTH = SEGMENT + 300_000;

  /** Calls of which the first two to each key fail: one at once, one after it took half of the bytes and hangs. */
  function failing() {
    const calls = new Map<string, number>();
    const count = (key: string) => {
      calls.set(key, (calls.get(key) ?? 0) + 1);
      return calls.get(key)!;
    };
    return {
      put: async (key: string, body: ReadableStream) => {
        const call = count(`put ${key}`);
        if (call === 1) throw new Error('We encountered an internal error. Please try again. (10001)');
        if (call > 2) return env.BUCKET.put(key, body);
        await body.getReader({ mode: 'byob' }).readAtLeast(1000, new Uint8Array(1000));
        return new Promise<never>(() => {});
      },
      get: async (key: string, options: R2GetOptions) => {
        const call = count(`get ${key}`);
        if (call === 1) throw new Error('internal error (10001)');
        const object = (await env.BUCKET.get(key, options)) as R2ObjectBody;
        return call > 2 ? object : ({ body: stuck(object.body) } as unknown as R2ObjectBody);
      },
      delete: (keys: string | string[]) => {
        if (count('delete') === 1) return Promise.reject(new Error('internal error (10001)'));
        return env.BUCKET.delete(keys);
      },
    };
  }

  /** Gives the wrong first bytes, then nothing for long, then more wrong ones. */
  function stuck(body: ReadableStream): ReadableStream {
    void body.cancel();
    const { readable, writable } = new IdentityTransformStream();
    const writer = writable.getWriter();
    void (async () => {
      await writer.write(new Uint8Array(70_000).fill(1));
      await new Promise((done) => setTimeout(done, 300));
      await writer.write(new Uint8Array(200_000).fill(2));
    })().catch(() => {});
    return readable;
  }

  test('is asked again with the same bytes: what is stored and what is read is whole', async () => {
    const store = staging(bucketWith(failing()), hurried);
    const staged = await storeFile(store, store.keyFor('flaky', 0), bytes(LENGTH));
    const sha256 = await hashOf(bytes(LENGTH));
    const whole = new Uint8Array(LENGTH);
    await store.read(staged, 0, whole);
    const once = async function* () {
      yield whole;
    };
    expect([staged.sha256, await hashOf(once())]).toEqual([sha256, sha256]);
    // The tries that were given up get their bytes only now: they must not come into memory that is in use again.
    await new Promise((done) => setTimeout(done, 600));
    expect(await hashOf(once())).toBe(sha256);
    await store.remove([staged]);
    expect(await stored(staged.key)).toEqual([]);
  }, 30_000);

  test('and one that goes on failing ends the file with nothing kept and its memory free', async () => {
    const never = bucketWith({
      put: (key, body) => (key.endsWith('/1') ? Promise.reject(new Error('5xx')) : env.BUCKET.put(key, body)),
    });
    const gate = new UploadGate(limits.uploadBytesInFlight);
    const store = new Staging(never, gate, hurried);
    const key = store.keyFor('hopeless', 0);
    await expect(storeFile(store, key, bytes(3 * SEGMENT))).rejects.toThrow(PlatformError);
    expect(await stored(key)).toEqual([]);
    expect(gate.free).toBe(limits.uploadBytesInFlight);
  }, 30_000);
});
