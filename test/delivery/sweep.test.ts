import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { ResultStore } from '../../src/delivery/result-store.ts';
import { sweep } from '../../src/delivery/sweep.ts';
import { uploadKey } from '../../src/delivery/upload-key.ts';
import { limits } from '../../src/limits.ts';
import { FaultSchedule } from '../shell/fault-schedule.ts';
import { faultyBucket } from '../shell/faulty-bucket.ts';

const store = new ResultStore(env.BUCKET);
const HOUR = 3600;
const NOW = 500_000 * HOUR + 1800;

async function* one(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
}

async function result(expires: number, index = 0): Promise<string> {
  const key = await store.keyFor({ accountId: 'a', sessionId: 's', requestId: 'r', index, expires });
  await store.write(key, one(), { mediaType: 'image/png', expires });
  return key;
}

function run(now: number) {
  return sweep({ bucket: env.BUCKET, now, stagingTtlSeconds: 100 });
}

beforeEach(async () => {
  const { objects } = await env.BUCKET.list();
  if (objects.length > 0) await env.BUCKET.delete(objects.map(({ key }) => key));
});

test('results are deleted from the second on in which they expire, others stay', async () => {
  const expired = await Promise.all([NOW - 40 * 24 * HOUR, NOW - HOUR, NOW - 1, NOW].map(result));
  const alive = await Promise.all([NOW + 1, NOW + HOUR, NOW + 40 * 24 * HOUR].map(result));
  expect(await run(NOW * 1000)).toEqual({ results: 4, staging: 0, uploads: 0 });
  for (const key of expired) expect(await store.head(key)).toBeUndefined();
  for (const key of alive) expect(await store.head(key)).toBeDefined();
  expect(await run(NOW * 1000)).toEqual({ results: 0, staging: 0, uploads: 0 });
});

test('staged files are deleted once they are older than their time', async () => {
  const staged = await env.BUCKET.put('staging/r/0', 'x');
  const born = staged!.uploaded.getTime();
  expect(await run(born + 100_000)).toEqual({ results: 0, staging: 0, uploads: 0 });
  expect(await run(born + 100_001)).toEqual({ results: 0, staging: 1, uploads: 0 });
  expect(await env.BUCKET.head('staging/r/0')).toBeNull();
});

test('an upload is deleted once no batch that named it can use it any more', async () => {
  const { uploaded } = (await env.BUCKET.put(`${uploadKey('u', Date.now())}/0`, 'x'))!;
  const life = (limits.uploadSeconds + limits.uploadKeepSeconds + 100) * 1000;
  expect(await run(uploaded.getTime() + life)).toEqual({ results: 0, staging: 0, uploads: 0 });
  expect(await run(uploaded.getTime() + life + 1)).toEqual({ results: 0, staging: 0, uploads: 1 });
  expect((await env.BUCKET.list({ prefix: 'uploads/' })).objects).toEqual([]);
});

test('uploads are read from the oldest on, and no further than they can be dead', async () => {
  const hours = [5, 4, 3, 1, 0].map((ago) => Date.now() - ago * HOUR * 1000);
  for (const [n, begun] of hours.entries()) await env.BUCKET.put(`${uploadKey(`u${n}`, begun)}/0`, 'x');
  const schedule = new FaultSchedule({ seed: 1 });
  const bucket = inPagesOf(1, faultyBucket(env.BUCKET, schedule));
  // All of them were stored now, so none is dead; the first that began within the last hours ends the list.
  expect(await sweep({ bucket, now: Date.now(), stagingTtlSeconds: HOUR })).toMatchObject({ uploads: 0 });
  // One list each of results and staging, and those of four uploads.
  expect(schedule.calls.get('r2.list')).toBe(2 + 4);
  expect(await sweep({ bucket, now: Date.now() + 4 * HOUR * 1000, stagingTtlSeconds: HOUR })).toMatchObject({
    uploads: 5,
  });
});

test('all pages are read, and nothing else is touched', async () => {
  const keys = Array.from({ length: 8 }, (_, index) => `staging/${index}/0`);
  await Promise.all(keys.map((key) => env.BUCKET.put(key, 'x')));
  const results = await Promise.all([1, 2, 3, 4, 5].map((index) => result(NOW - 1, index)));
  await env.BUCKET.put('other/0', 'x');
  const { uploaded } = (await env.BUCKET.head('other/0'))!;
  const now = Math.max(NOW * 1000, uploaded.getTime() + 200_000);
  expect(await sweep({ bucket: inPagesOf(3), now, stagingTtlSeconds: 100 })).toEqual({
    results: results.length,
    staging: keys.length,
    uploads: 0,
  });
  expect((await env.BUCKET.list()).objects.map(({ key }) => key)).toEqual(['other/0']);
});

/** The same bucket with smaller pages than R2's thousand. */
function inPagesOf(limit: number, bucket = env.BUCKET): R2Bucket {
  return {
    list: (options?: R2ListOptions) => bucket.list({ ...options, limit }),
    delete: (keys: string | string[]) => bucket.delete(keys),
  } as R2Bucket;
}

test('a list and a deletion that fail once are asked for again', async () => {
  await result(NOW - 1);
  const once = ['r2.list', 'r2.delete'].map((kind) => ({ kind, call: 1, fault: 'fail' as const }));
  const schedule = new FaultSchedule({ seed: 1, calls: once });
  const bucket = faultyBucket(env.BUCKET, schedule);
  expect(await sweep({ bucket, now: NOW * 1000, stagingTtlSeconds: 100 })).toEqual({
    results: 1,
    staging: 0,
    uploads: 0,
  });
  expect(schedule.faults.size).toBe(2);
});
