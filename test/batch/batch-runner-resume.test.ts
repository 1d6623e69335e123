import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { FileJob } from '../../src/batch/file-job.ts';
import { BatchBench, DeathBed, lanesOf } from '../support/batch-bench.ts';
import { smallPng } from '../support/small-png.ts';

const LIMIT = 2000;
const left = (used: number) => ({ used, remaining: LIMIT - used });
const whole = (name = 'a.png', seed = 0) => ({ name, content: smallPng(24, 16, seed) });
const broken = (name = 'b.png') => ({ name, content: smallPng(24, 16).subarray(0, 70) });
const done = { kind: 'done', value: { kind: 'done', size: 1 } } as const;
const three = [whole('a.png'), broken('b.png'), whole('c.png', 3)];

/** Lanes that lose some files for ever, and do the others for real; `asked` are those that were to be done. */
function losing(lost: readonly number[], asked: number[] = []) {
  return lanesOf(async (job, { on }) => {
    const { index } = job as FileJob;
    asked.push(index);
    if (lost.includes(index)) on?.('main');
    if (lost.includes(index)) throw new Error('Durable Object exceeded its CPU time limit and was reset.');
    return await env.LANE.get(env.LANE.idFromName('test-0')).process(job as FileJob);
  });
}

/** Begins a batch and lets its object die when the first file is done. */
async function interrupted(bench: BatchBench, more: { idempotencyKey?: string } = {}) {
  const batch = await bench.batch([whole('a.png'), whole('b.png', 2)], more);
  const bed = new DeathBed();
  await bench.inObject(batch.requestId, async (open) => {
    const LANE = lanesOf(async (job) => {
      if ((job as FileJob).index === 0) return done;
      await first.promise;
      return await bed.call(async () => done, 'before');
    });
    const first = Promise.withResolvers<void>();
    const runner = open({ env: { LANE }, shell: bed.shell });
    await runner.start(batch);
    while ((await runner.record())!.files[0]!.state !== 'done') await scheduler.wait(0);
    first.resolve();
    await bed.died;
  });
  return batch;
}

const stubOf = (id: string) => env.BATCH.get(env.BATCH.idFromName(id));

describe('a batch whose object was reset', () => {
  test('is brought back by its alarm, does what is not done, and is charged once', async () => {
    const bench = await BatchBench.open();
    const { requestId } = await interrupted(bench);
    expect(await runDurableObjectAlarm(stubOf(requestId))).toBe(true);
    expect(await stubOf(requestId).end()).toMatchObject({
      state: 'done',
      starts: 2,
      // The first one was done before: it has the size that the lane told then.
      files: [{ outcome: { size: 1 } }, { outcome: { kind: 'done', size: expect.any(Number) } }],
    });
    expect(await bench.usage()).toEqual(left(2));
    await abortAllDurableObjects();
    expect(await bench.record(requestId)).toMatchObject({ state: 'done' });
    await runDurableObjectAlarm(stubOf(requestId));
    expect(await bench.usage()).toEqual(left(2));
  });

  test('is brought back by whoever asks for it', async () => {
    const bench = await BatchBench.open();
    const { requestId } = await interrupted(bench);
    expect(await bench.record(requestId)).toMatchObject({ state: expect.stringMatching(/running|settling|done/) });
    expect(await stubOf(requestId).end()).toMatchObject({ state: 'done' });
    expect(await bench.usage()).toEqual(left(2));
  });

  test('keeps its reservation for as long as it is under way', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole()]);
    await bench.inObject(batch.requestId, async (open) => {
      const { promise: held, resolve: go } = Promise.withResolvers<unknown>();
      const runner = open({ env: { LANE: lanesOf(() => held) } });
      await runner.start(batch);
      const expiry = () =>
        runInDurableObject(bench.ledger, (_instance, state) => {
          const rows = state.storage.sql.exec<{ at: number }>('SELECT expires_at AS at FROM reservations');
          return rows.one().at;
        });
      const before = await expiry();
      await scheduler.wait(2);
      await runner.alarm();
      expect(await expiry()).toBeGreaterThan(before);
      go(done);
      await runner.end();
    });
    expect(await bench.usage()).toEqual(left(1));
  });
});

describe('a reservation that lapsed while its batch was away', () => {
  test('is made again, and the batch is charged late', async () => {
    const bench = await BatchBench.open();
    const { requestId } = await interrupted(bench, { idempotencyKey: 'k' });
    await bench.lapse();
    await runDurableObjectAlarm(stubOf(requestId));
    expect(await stubOf(requestId).end()).toMatchObject({ state: 'done' });
    expect(await bench.usage()).toEqual(left(2));
    const again = await bench.submit(await bench.batch([whole('a.png'), whole('b.png', 2)], { idempotencyKey: 'k' }));
    expect([again.replayed, again.id]).toEqual([true, requestId]);
    expect(await bench.usage()).toEqual(left(2));
  });

  test('is made again although as many files as may be are under way: these are done', async () => {
    const bench = await BatchBench.open();
    const { requestId } = await interrupted(bench);
    await bench.lapse();
    await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: 160, aiCredits: 0 });
    await runDurableObjectAlarm(stubOf(requestId));
    expect(await stubOf(requestId).end()).toMatchObject({ state: 'done' });
    expect((await bench.usage()).used).toBe(2);
  });

  test('where nothing is left: the batch is void, nothing is charged and nothing delivered', async () => {
    const bench = await BatchBench.open();
    const { requestId } = await interrupted(bench);
    await bench.lapse();
    await bench.ledger.reserve({ requestId: 'o', plan: 'starter', compressions: LIMIT - 1, aiCredits: 0, late: true });
    await runDurableObjectAlarm(stubOf(requestId));
    expect(await stubOf(requestId).end()).toMatchObject({ state: 'void' });
    expect(await bench.usage()).toEqual({ used: 0, remaining: 1 });
    expect(await bench.stored('results/')).toEqual([]);
    // It stays void, whoever asks and however often.
    await runDurableObjectAlarm(stubOf(requestId));
    expect(await bench.record(requestId)).toMatchObject({ state: 'void' });
    expect(await bench.usage()).toEqual({ used: 0, remaining: 1 });
  });

  test('and a repetition that has the key meanwhile: charged once, for the repetition', async () => {
    const bench = await BatchBench.open();
    const { requestId } = await interrupted(bench, { idempotencyKey: 'k' });
    await bench.lapse();
    const again = await bench.submit(await bench.batch([whole('a.png'), whole('b.png', 2)], { idempotencyKey: 'k' }));
    expect([again.replayed, again.files.map(({ state }) => state)]).toEqual([false, ['done', 'done']]);
    await runDurableObjectAlarm(stubOf(requestId));
    expect(await stubOf(requestId).end()).toMatchObject({ state: 'void' });
    expect(await bench.usage()).toEqual(left(2));
    const third = await bench.submit(await bench.batch([whole('a.png'), whole('b.png', 2)], { idempotencyKey: 'k' }));
    expect(third.id).toBe(again.id);
    expect(await bench.usage()).toEqual(left(2));
  });
});

describe('a batch that failed in part for a reason of ours', () => {
  const keyed = (bench: BatchBench) => bench.batch(three, { idempotencyKey: 'k' });
  const states = (ended: { files: readonly { state: string }[] }) => ended.files.map(({ state }) => state);

  test('is resumed under its key: only that part is reserved, done and charged', async () => {
    const bench = await BatchBench.open();
    const first = await bench.submit(await keyed(bench), { env: { LANE: losing([2]) } });
    expect(states(first)).toEqual(['done', 'failed', 'failed']);
    expect(await bench.usage()).toEqual(left(1));
    const asked: number[] = [];
    const second = await bench.submit(await keyed(bench), { env: { LANE: losing([], asked) } });
    expect([second.replayed, states(second), asked]).toEqual([false, ['done', 'failed', 'done'], [2]]);
    expect(second.files[0]!.result).toEqual(first.files[0]!.result);
    expect(second.files[1]!.outcome).toMatchObject({ error: 'broken_image' });
    expect(await bench.usage()).toEqual(left(2));
    const third = await bench.submit(await keyed(bench));
    expect([third.replayed, third.id]).toEqual([true, second.id]);
    expect(await bench.usage()).toEqual(left(2));
  });

  test('is resumed as often as it fails, each file charged once', async () => {
    const bench = await BatchBench.open();
    for (const lost of [[0, 2], [0], [0], []]) {
      await bench.submit(await keyed(bench), { env: { LANE: losing(lost) } });
      expect(await bench.usage()).toEqual(left(2 - lost.length));
    }
  });

  test('is resumed by one at a time', async () => {
    const bench = await BatchBench.open();
    await bench.submit(await keyed(bench), { env: { LANE: losing([2]) } });
    const second = await keyed(bench);
    const bed = new DeathBed();
    await bench.inObject(second.requestId, async (open) => {
      const LANE = lanesOf(() => bed.call(async () => done, 'before'));
      await open({ env: { LANE }, shell: bed.shell }).start(second);
      await bed.died;
    });
    await expect(bench.submit(await keyed(bench))).rejects.toMatchObject({
      code: 'idempotency_conflict',
      details: { location: `/api/batches/${second.requestId}` },
    });
    await runDurableObjectAlarm(stubOf(second.requestId));
    expect(await stubOf(second.requestId).end()).toMatchObject({ state: 'done' });
    expect(await bench.usage()).toEqual(left(2));
  });

  test('is still there when the one that resumed it was lost: what was charged is not charged again', async () => {
    const bench = await BatchBench.open();
    await bench.submit(await keyed(bench), { env: { LANE: losing([2]) } });
    const second = await keyed(bench);
    const bed = new DeathBed();
    await bench.inObject(second.requestId, async (open) => {
      const LANE = lanesOf(() => bed.call(async () => done, 'before'));
      await open({ env: { LANE }, shell: bed.shell }).start(second);
      await bed.died;
    });
    await bench.lapse();
    const asked: number[] = [];
    const third = await bench.submit(await keyed(bench), { env: { LANE: losing([], asked) } });
    expect([states(third), asked]).toEqual([['done', 'failed', 'done'], [2]]);
    expect(await bench.usage()).toEqual(left(2));
    // The lost one comes back after all, and finds its key in other hands.
    await runDurableObjectAlarm(stubOf(second.requestId));
    expect(await stubOf(second.requestId).end()).toMatchObject({ state: 'void' });
    expect(await bench.usage()).toEqual(left(2));
    expect(await bench.results.head(third.files[0]!.result.key)).toBeDefined();
  });

  test('and whose resumption was interrupted is charged late, once', async () => {
    const bench = await BatchBench.open();
    await bench.submit(await keyed(bench), { env: { LANE: losing([2]) } });
    const second = await keyed(bench);
    const bed = new DeathBed();
    await bench.inObject(second.requestId, async (open) => {
      const LANE = lanesOf(() => bed.call(async () => done, 'before'));
      await open({ env: { LANE }, shell: bed.shell }).start(second);
      await bed.died;
    });
    await bench.lapse();
    await runDurableObjectAlarm(stubOf(second.requestId));
    expect(await stubOf(second.requestId).end()).toMatchObject({ state: 'done', inherited: [0, 1] });
    expect(await bench.usage()).toEqual(left(2));
  });

  test('and whose resumption died between its reservation and its journal takes up the same when it is asked again', async () => {
    const bench = await BatchBench.open();
    await bench.submit(await keyed(bench), { env: { LANE: losing([2]) } });
    const second = await keyed(bench);
    const asked: number[] = [];
    await bench.inObject(second.requestId, async (open) => {
      const bed = new DeathBed();
      const LEDGER = bench.ledgers((real) => ({
        reserve: (ask) =>
          bed.call(() => real.reserve(ask), ask.idempotency?.resumes === undefined ? undefined : 'after'),
      }));
      void open({ env: { LEDGER }, shell: bed.shell }).start(second);
      await bed.died;
      const runner = open({ env: { LANE: losing([2], asked) } });
      await runner.start(second);
      await runner.end();
    });
    expect(asked).toEqual([2]);
    expect(await bench.usage()).toEqual(left(1));
    await bench.submit(await keyed(bench));
    expect(await bench.usage()).toEqual(left(2));
  });
});
