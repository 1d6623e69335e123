import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { HeldFiles } from '../../src/batch/held-files.ts';
import { limits, MIB } from '../../src/limits.ts';
import { Places } from '../../src/platform/places.ts';
import { ManualClock } from '../support/manual-clock.ts';

const LARGEST = limits.segmentBytes;
const content = new Uint8Array(LARGEST);
for (let at = 0; at < LARGEST; at++) content[at] = (at * 13) ^ (at >> 10);

const bodyOf = (bytes: Uint8Array<ArrayBuffer>) => new Response(bytes).body!;
const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((b, at) => b === other[at]);

interface Bench {
  readonly files: HeldFiles;
  readonly sql: SqlStorage;
  readonly clock: ManualClock;
}

/** An object's storage with one file at once under way in each direction. */
function onStorage(work: (bench: Bench) => Promise<void>): Promise<void> {
  const clock = new ManualClock();
  const ways = { in: new Places(1, clock), out: new Places(1, clock) };
  return runInDurableObject(env.BATCH.get(env.BATCH.newUniqueId()), (_instance, { storage: { sql } }) =>
    work({ files: new HeldFiles(sql, ways), sql, clock }),
  );
}

async function read(files: HeldFiles, part: number, offset: number, length: number): Promise<Uint8Array> {
  const opened = await files.open(part, offset, length);
  const bytes = new Uint8Array(await new Response(opened!.stream).arrayBuffer());
  await opened!.sent;
  return bytes;
}

test.each([1, 65_537, MIB, MIB + 1, LARGEST])('a file of %i bytes comes out as it went in, whole and in part', (size) =>
  onStorage(async ({ files, sql }) => {
    const bytes = content.slice(0, size);
    expect(await files.take(3, size, bodyOf(bytes))).toBe(true);
    expect(isSame(await read(files, 3, 0, size), bytes)).toBe(true);
    for (const offset of [0, 1, MIB - 7, MIB, size - 1].filter((at) => at < size)) {
      const length = Math.min(100_000, size - offset);
      expect(isSame(await read(files, 3, offset, length), bytes.subarray(offset, offset + length))).toBe(true);
    }
    // What the platform takes for one value.
    const { most } = sql.exec<{ most: number }>('SELECT MAX(length(bytes)) AS most FROM held').one();
    expect(most).toBeLessThanOrEqual(2_000_000);
  }),
);

test('files are told apart, replaced and removed one by one', () =>
  onStorage(async ({ files }) => {
    for (const part of [0, 1, limits.files]) await files.take(part, LARGEST, bodyOf(content.map((b) => b ^ part)));
    await files.take(1, 5, bodyOf(content.slice(0, 5)));
    expect(await read(files, 1, 0, 5)).toEqual(content.slice(0, 5));
    files.remove(0);
    expect(await files.open(0, 0, 1)).toBeUndefined();
    expect((await read(files, limits.files, LARGEST - 1, 1))[0]).toBe(content.at(-1)! ^ limits.files);
    files.clear();
    expect(files.any).toBe(false);
    expect(await files.open(limits.files, 0, 1)).toBeUndefined();
  }));

test('who only asks leaves nothing behind', () =>
  onStorage(async ({ files, sql }) => {
    expect([files.any, await files.open(0, 0, 1)]).toEqual([false, undefined]);
    files.remove(0);
    expect(sql.exec("SELECT name FROM sqlite_master WHERE name = 'held'").toArray()).toEqual([]);
  }));

test.each([
  ['shorter', 10, 11],
  ['longer', 11, 10],
])('a body that is %s than announced is an error', (_, length, announced) =>
  onStorage(async ({ files }) => {
    await expect(files.take(0, announced, bodyOf(content.slice(0, length)))).rejects.toThrow('a file');
    // The next one has its turn.
    expect(await files.take(0, 3, bodyOf(content.slice(0, 3)))).toBe(true);
  }),
);

test('a read past the end breaks off', () =>
  onStorage(async ({ files }) => {
    await files.take(0, 10, bodyOf(content.slice(0, 10)));
    await expect(read(files, 0, 5, 6)).rejects.toThrow('shorter');
    expect(await read(files, 0, 5, 5)).toEqual(content.slice(5, 10));
  }));

test('so many files are under way at once; the next waits for a little, and then goes another way', () =>
  onStorage(async ({ files, clock }) => {
    await files.take(0, 10, bodyOf(content.slice(0, 10)));
    const slow = new TransformStream<Uint8Array, Uint8Array>();
    const { readable, writable } = new FixedLengthStream(10);
    void slow.readable.pipeTo(writable).catch(() => {});
    const first = files.take(1, 10, readable);
    const second = files.take(2, 10, bodyOf(content.slice(0, 10)));
    await clock.advance(5000);
    expect(await second).toBe(false);
    expect(files.any && (await files.open(2, 0, 1))).toBeUndefined();
    const writer = slow.writable.getWriter();
    await writer.write(content.slice(0, 10));
    await writer.close();
    expect(await first).toBe(true);

    // The place of one that is read late is free when its reader has gone.
    const opened = await files.open(0, 0, 10);
    const refused = files.open(1, 0, 10).catch((error: Error) => error.message);
    await clock.advance(20_000);
    expect(await refused).toBe('too many files are read at once');
    await opened!.stream.cancel();
    await opened!.sent;
    expect(await read(files, 1, 0, 10)).toEqual(content.slice(0, 10));
  }));
