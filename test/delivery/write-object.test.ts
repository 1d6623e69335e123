import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PART_BYTES, writeIfAccepted, writeObject } from '../../src/delivery/write-object.ts';
import { type FaultName, FaultSchedule, type FaultSettings } from '../shell/fault-schedule.ts';
import { faultyBucket } from '../shell/faulty-bucket.ts';
import { hurriedCall } from '../shell/hurried-call.ts';

const TWO_PARTS = PART_BYTES + 100_000;
const metadata = { customMetadata: { expires: '1' } };

const content = new Uint8Array(TWO_PARTS);
for (let at = 0; at < TWO_PARTS; at++) content[at] = (at * 7) ^ (at >> 9);

function bytesOf(length: number): Uint8Array {
  return content.subarray(0, length);
}

/** The content in pieces that end nowhere special. */
async function* pieces(length: number): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(length);
  for (let at = 0; at < length; at += 700_001) yield bytes.slice(at, at + 700_001);
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function stored(key: string): Promise<string | undefined> {
  const object = await env.BUCKET.get(key);
  return object === null ? undefined : hash(new Uint8Array(await object.arrayBuffer()));
}

function shell(settings: Omit<FaultSettings, 'seed'>, seed = 1) {
  const schedule = new FaultSchedule({ seed, delayMs: 20, ...settings });
  const bucket = faultyBucket(env.BUCKET, schedule);
  const write = (key: string, length: number) =>
    writeObject(bucket, key, pieces(length), metadata, hurriedCall(schedule));
  return { schedule, write };
}

const faults: FaultName[] = ['fail', 'hang', 'delay', 'lost'];
const calls: [kind: string, length: number][] = [
  ['r2.put', 300_000],
  ['r2.createMultipartUpload', TWO_PARTS],
  ['r2.uploadPart', TWO_PARTS],
  ['r2.completeMultipartUpload', TWO_PARTS],
];

describe.each(calls)('%s', (kind, length) => {
  test.each(faults)('%s: the object is whole all the same', async (fault) => {
    const { schedule, write } = shell({ calls: [{ kind, call: 1, fault }] });
    const key = `write/${kind}/${fault}`;
    expect(await write(key, length)).toEqual({ size: length });
    expect(Object.fromEntries(schedule.faults)).toEqual({ [`${kind} ${fault}`]: 1 });
    expect(await stored(key)).toBe(hash(bytesOf(length)));
    expect((await env.BUCKET.head(key))?.customMetadata).toMatchObject(metadata.customMetadata);
  });
});

test.each(calls.filter(([kind]) => /put|complete/.test(kind)))(
  '%s that did its work and lost its answer is not made again',
  async (kind, length) => {
    const { schedule, write } = shell({ calls: [{ kind, call: 1, fault: 'lost' }] });
    await write(`write/once/${kind}`, length);
    expect(schedule.calls.get(kind)).toBe(1);
    expect(schedule.calls.get('r2.head')).toBe(1);
  },
);

test('the answer of the last try may be lost, too', async () => {
  const calls = [1, 2, 3].map((call) => ({ kind: 'r2.put', call, fault: call < 3 ? 'fail' : 'lost' }) as const);
  const { write } = shell({ calls });
  expect(await write('write/last', 1000)).toEqual({ size: 1000 });
});

test('what an earlier job wrote under the key is not taken for this one', async () => {
  await writeObject(env.BUCKET, 'write/earlier', pieces(300_001), metadata);
  const { schedule, write } = shell({ rates: { 'r2.put': { fail: 1 } } });
  await expect(write('write/earlier', 300_001)).rejects.toMatchObject({ name: 'PlatformError' });
  expect(schedule.faults.get('r2.put fail')).toBe(3);
});

test.each([1000, TWO_PARTS])('an object of %i bytes that cannot be written cannot be seen', async (length) => {
  const { write } = shell({ rates: { 'r2.put': { fail: 1 }, 'r2.completeMultipartUpload': { hang: 1 } } });
  const key = `write/never/${length}`;
  await expect(write(key, length)).rejects.toMatchObject({ name: 'PlatformError' });
  expect(await env.BUCKET.head(key)).toBeNull();
});

test('in a storm of faults what is said to be written is whole, and what can be seen is never short', async () => {
  const rates = { r2: { fail: 0.15, hang: 0.05, delay: 0.05, lost: 0.15 } };
  const { schedule, write } = shell({ rates }, 7);
  let written = 0;
  for (let number = 0; number < 24; number++) {
    const length = number % 8 === 7 ? TWO_PARTS : 20_000 + number;
    const key = `write/storm/${number}`;
    const said = await write(key, length).catch(() => undefined);
    const seen = await stored(key);
    if (said !== undefined || seen !== undefined) expect(seen).toBe(hash(bytesOf(length)));
    if (said !== undefined) written++;
  }
  expect(written).toBeGreaterThan(20);
  const met = [...schedule.faults.keys()].map((name) => name.split(' ')[1]);
  expect(new Set(met)).toEqual(new Set(faults));
}, 30_000);

test('a try that was given up in the middle gets no more bytes: their memory holds the next part by then', async () => {
  const late = Promise.withResolvers<void>();
  const read: Uint8Array[] = [];
  let broken: unknown;
  const schedule = new FaultSchedule({ seed: 1 });
  const call = hurriedCall(schedule);
  let tries = 0;
  const slow = {
    uploadPart: async (_: number, body: ReadableStream<Uint8Array>) => {
      if (++tries > 1) return { partNumber: 1, etag: String((await new Response(body).arrayBuffer()).byteLength) };
      const reader = body.getReader();
      read.push((await reader.read()).value!.slice());
      schedule.note('part hang');
      await late.promise;
      for (let end = false; !end; ) {
        const more = await reader.read().catch((error: unknown) => {
          broken = error;
          return { done: true, value: undefined };
        });
        if (more.value) read.push(more.value.slice());
        end = more.done;
      }
      throw new Error('given up');
    },
    complete: async () => ({ size: TWO_PARTS }),
  };
  const bucket = { createMultipartUpload: async () => slow } as unknown as R2Bucket;
  await writeObject(bucket, 'k', pieces(TWO_PARTS), {}, call);
  late.resolve();
  while (broken === undefined) await scheduler.wait(1);
  expect(read.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(64 * 1024);
  expect(tries).toBe(3);
});

test.each([300_000, PART_BYTES, TWO_PARTS])(
  '%i bytes that are not accepted were never written, and leave no upload open',
  async (length) => {
    const key = `write/refused/${length}`;
    await env.BUCKET.put(key, 'what was there');
    const schedule = new FaultSchedule({ seed: 1 });
    const asked: number[] = [];
    const options = {
      ...metadata,
      accept: (size: number) => {
        asked.push(size);
        return false;
      },
    };
    const size = await writeIfAccepted(faultyBucket(env.BUCKET, schedule), key, pieces(length), options);
    expect([size, asked]).toEqual([undefined, [length]]);
    expect(await stored(key)).toBe(hash(new TextEncoder().encode('what was there')));
    const count = (kind: string) => schedule.calls.get(`r2.${kind}`) ?? 0;
    expect([count('put'), count('completeMultipartUpload')]).toEqual([0, 0]);
    expect(count('abortMultipartUpload')).toBe(count('createMultipartUpload'));
    expect(count('createMultipartUpload')).toBe(length > PART_BYTES ? 1 : 0);
  },
);

test('what accepts may fail: nothing is written then', async () => {
  const options = { ...metadata, accept: () => Promise.reject(new Error('cannot decide')) };
  const writing = writeIfAccepted(env.BUCKET, 'write/undecided', pieces(TWO_PARTS), options);
  await expect(writing).rejects.toThrow('cannot decide');
  expect(await stored('write/undecided')).toBeUndefined();
});
