import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { BatchRecord } from '../../src/batch/batch-journal.ts';
import type { FileJob } from '../../src/batch/file-job.ts';
import { holdSmallFile } from '../../src/batch/hold-small-file.ts';
import { limits } from '../../src/limits.ts';
import { BatchBench, DeathBed, lanesOf } from '../support/batch-bench.ts';
import { smallPng } from '../support/small-png.ts';

const file = (name = 'a.png', seed = 0) => ({ name, content: smallPng(24, 16, seed) });
const stubOf = (id: string) => env.BATCH.get(env.BATCH.idFromName(id));

/** Names of the tables in a batch's object, and how many rows of files it holds. */
async function storage(id: string): Promise<{ tables: string[]; rows: number }> {
  return await runInDurableObject(stubOf(id), (_instance, { storage: { sql } }) => {
    const named = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
    const tables = named.map(({ name }) => name).filter((name) => !name.startsWith('_'));
    const rows = tables.includes('held') ? sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM held').one().n : 0;
    return { tables, rows };
  });
}

test('small files and a watermark go from the batch’s object to lanes: R2 gets the results alone', async () => {
  const bench = await BatchBench.open();
  const files = [file('a.png'), file('b.png', 2)];
  const batch = await bench.batch(files, { mark: file('w.png', 9), held: true });
  expect((await storage(batch.requestId)).rows).toBe(3);
  const held = await bench.submit(batch);
  expect(held.files.map(({ state }) => state)).toEqual(['done', 'done']);
  expect(await bench.stored('staging/')).toEqual([]);
  expect(await bench.stored('results/')).toHaveLength(2);
  expect((await storage(batch.requestId)).tables).toEqual(['batch', 'files']);

  // The same as those that went through R2.
  const staged = await bench.submit(await bench.batch(files, { mark: file('w.png', 9) }));
  const sizes = ({ files }: typeof held) => files.map(({ outcome }) => outcome?.kind === 'done' && outcome.size);
  expect(sizes(held)).toEqual(sizes(staged));
});

test('a file of up to 2 MiB is small, and a larger one is not', async () => {
  const bench = await BatchBench.open();
  const most = new Uint8Array(limits.segmentBytes);
  const { files } = await bench.batch(
    [
      { name: 'a', content: most },
      { name: 'b', content: new Uint8Array(most.length + 1) },
    ],
    { held: true },
  );
  expect(files.map(({ staged }) => staged.held !== undefined)).toEqual([true, false]);
  expect(await bench.stored('staging/')).toHaveLength(2);
});

test('a file is removed as soon as it is done', async () => {
  const bench = await BatchBench.open();
  const batch = await bench.batch([file('a.png'), file('b.png', 2)], { held: true });
  const first = Promise.withResolvers<void>();
  const rows: number[] = [];
  const LANE = lanesOf(async (job) => {
    if ((job as FileJob).index === 1) {
      await first.promise;
      rows.push((await storage(batch.requestId)).rows);
    }
    return { kind: 'done', value: { kind: 'done', size: 1 } };
  });
  await bench.inObject(batch.requestId, async (open) => {
    const runner = open({ env: { LANE } });
    await runner.start(batch);
    while ((await runner.record())!.files[0]!.state !== 'done') await scheduler.wait(0);
    first.resolve();
    await runner.end();
  });
  expect(rows).toEqual([1]);
});

test('an object that was reset in the middle still has what is not done', async () => {
  const bench = await BatchBench.open();
  const batch = await bench.batch([file('a.png'), file('b.png', 2)], { held: true });
  const bed = new DeathBed();
  await bench.inObject(batch.requestId, async (open) => {
    const LANE = lanesOf(async () => await bed.call(async () => undefined, 'before'));
    await open({ env: { LANE }, shell: bed.shell }).start(batch);
    await bed.died;
  });
  expect((await storage(batch.requestId)).rows).toBe(2);
  expect(await runDurableObjectAlarm(stubOf(batch.requestId))).toBe(true);
  const record = (await stubOf(batch.requestId).end()) as unknown as BatchRecord;
  expect(record).toMatchObject({ state: 'done', starts: 2 });
  expect(record.files.map(({ state }) => state)).toEqual(['done', 'done']);
  expect((await bench.usage()).used).toBe(2);
});

describe('what is held for a batch that does not begin', () => {
  test('goes when its request says so, and not once the batch has begun', async () => {
    const bench = await BatchBench.open();
    const { requestId } = await bench.batch([file()], { held: true });
    expect(await stubOf(requestId).discard()).toBe(true);
    expect((await storage(requestId)).tables).toEqual([]);

    const batch = await bench.batch([file()], { held: true });
    await bench.inObject(batch.requestId, async (open) => {
      const answer = Promise.withResolvers<void>();
      const LANE = lanesOf(async () => {
        await answer.promise;
        return { kind: 'done', value: { kind: 'done', size: 1 } };
      });
      const runner = open({ env: { LANE } });
      const starting = runner.start(batch);
      expect(await runner.discard()).toBe(false);
      await starting;
      expect(await runner.discard()).toBe(false);
      expect((await storage(batch.requestId)).rows).toBe(1);
      answer.resolve();
      await runner.end();
    });
  });

  test('goes with the object’s alarm where the request has died', async () => {
    const bench = await BatchBench.open();
    const { requestId } = await bench.batch([file()], { held: true });
    expect(await runDurableObjectAlarm(stubOf(requestId))).toBe(true);
    expect((await storage(requestId)).tables).toEqual([]);
  });

  test('goes where the batch is refused, or has its answer already', async () => {
    const bench = await BatchBench.open();
    const more = { held: true, idempotencyKey: 'k' };
    await bench.submit(await bench.batch([file()], more));
    const again = await bench.batch([file()], more);
    expect(await bench.submit(again)).toMatchObject({ replayed: true });
    const other = await bench.batch([file('other.png')], more);
    await expect(bench.submit(other)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    for (const { requestId } of [again, other]) expect((await storage(requestId)).tables).toEqual([]);
  });
});

test('a file that its object does not take is staged in R2', async () => {
  const bench = await BatchBench.open();
  const pieces = [new Uint8Array(10)];
  const broken = () => ({ hold: () => Promise.reject(new Error('the object was reset')) });
  expect(await holdSmallFile(broken)(0, pieces)).toBeUndefined();
  const full = () => ({
    hold: async (_part: number, _size: number, body: ReadableStream) => {
      await body.cancel();
      return undefined;
    },
  });
  expect(await holdSmallFile(full)(0, pieces)).toBeUndefined();
  const begun = await bench.batch([file()]);
  await bench.submit(begun);
  expect(await holdSmallFile(() => stubOf(begun.requestId))(0, pieces)).toBeUndefined();
});
