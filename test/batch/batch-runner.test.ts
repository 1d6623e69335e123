import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Batch } from '../../src/batch/batch.ts';
import { type FileJob, JOB_VERSION } from '../../src/batch/file-job.ts';
import type { LaneAnswer } from '../../src/batch/lane.ts';
import { openBatch } from '../../src/batch/open-batch.ts';
import type { FileOutcome } from '../../src/batch/outcome.ts';
import { isolateCounters, series } from '../../src/platform/counters.ts';
import { BatchBench, lanesOf } from '../support/batch-bench.ts';
import { smallPng } from '../support/small-png.ts';

const LIMIT = 2000;
const whole = (name = 'a.png', seed = 0) => ({ name, content: smallPng(24, 16, seed) });
const broken = (name = 'b.png') => ({ name, content: smallPng(24, 16).subarray(0, 70) });
const mark = { name: 'mark.png', content: smallPng(5, 5) };
const left = (used: number) => ({ used, remaining: LIMIT - used });

describe('a batch', () => {
  test('is charged for exactly the files that were processed; the others do not touch them', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole(), broken(), whole('c.png', 3)]);
    const { id, files, usage } = await bench.submit(batch);
    expect(id).toBe(batch.requestId);
    expect(files.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
    expect(files[1]).toMatchObject({ index: 1, name: 'b.png', outcome: { error: 'broken_image' } });
    expect(files[1]!.link).toBeUndefined();
    expect(files[2]).toMatchObject({ index: 2, link: { newName: 'c.webp' }, size: batch.files[2]!.staged.size });
    expect(usage.compressions).toMatchObject(left(2));
    expect(await bench.usage()).toEqual(left(2));
    expect(await bench.stored('results/')).toHaveLength(2);
  });

  test('leaves nothing in staging', async () => {
    const bench = await BatchBench.open();
    await bench.submit(await bench.batch([whole(), broken()], { mark }));
    await expect.poll(() => bench.stored('staging/')).toEqual([]);
  });

  test('of which nothing can be read costs nothing', async () => {
    const bench = await BatchBench.open();
    const { files } = await bench.submit(await bench.batch([broken(), broken()]));
    expect(files.map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(await bench.usage()).toEqual(left(0));
    expect(await bench.stored('results/')).toEqual([]);
  });

  test('gives names that are each there once, the same however often it runs; a failed file takes none', async () => {
    const bench = await BatchBench.open();
    const names = ['a.png', 'a.jpg', 'x/a.webp', 'a-2.png', '', 'A.png'];
    const files = names.map((name, at) => (at === 0 ? broken(name) : whole(name)));
    const run = async () => (await bench.submit(await bench.batch(files))).files.map(({ link }) => link?.newName);
    const given = await run();
    expect(given).toEqual([undefined, 'a.webp', 'a-2.webp', 'a-2-2.webp', 'image.webp', 'A.webp']);
    expect(await run()).toEqual(given);
  });

  test('that does not fit in what is left is refused whole, with figures and a date', async () => {
    const bench = await BatchBench.open();
    await bench.ledger.reserve({
      requestId: 'others',
      plan: 'starter',
      compressions: LIMIT - 1,
      aiCredits: 0,
      late: true,
    });
    await bench.ledger.settle('others', { compressions: LIMIT - 1, aiCredits: 0, complete: true });
    const refused = bench.submit(await bench.batch([whole(), whole()]));
    await expect(refused).rejects.toMatchObject({
      code: 'plan_limit_reached',
      message: expect.stringMatching(/needs 2 .* 1 are left: 1999 of 2000 .*\d{4}-\d\d-01/),
    });
    expect(await bench.stored('results/')).toEqual([]);
    await bench.submit(await bench.batch([whole()]));
    expect(await bench.usage()).toEqual({ used: LIMIT, remaining: 0 });
  });

  test('is refused while too many files of its account are under way, and says how many may be', async () => {
    const bench = await BatchBench.open();
    await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: 159, aiCredits: 0 });
    await expect(bench.submit(await bench.batch([whole(), whole()]))).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/At most 160 files .* starter/),
    });
    expect((await bench.submit(await bench.batch([whole()]))).files[0]!.state).toBe('done');
  });

  test('begins once however often it is handed over', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole()]);
    await bench.inObject(batch.requestId, async (open) => {
      const runner = open();
      const starts = await Promise.all([runner.start(batch), runner.start(batch)]);
      expect([...starts, await runner.start(batch)]).toEqual(Array(3).fill({ kind: 'running' }));
      expect(await runner.end()).toMatchObject({ state: 'done', starts: 1 });
      expect(await runner.start(batch)).toEqual({ kind: 'running' });
    });
    expect(await bench.usage()).toEqual(left(1));
  });

  test('is known by its id to nobody before it is there, and asking stores nothing', async () => {
    const bench = await BatchBench.open();
    const id = crypto.randomUUID();
    expect(await bench.record(id)).toBeUndefined();
    await bench.inObject(id, async (open) => {
      const runner = open();
      expect(await runner.end()).toBeUndefined();
      expect((await runner.watch()).record).toBeUndefined();
      await runner.alarm();
    });
  });
});

describe('plan features', () => {
  test('a watermark is for paid plans, and nothing is silently left out', async () => {
    const bench = await BatchBench.open();
    const refused = bench.submit(await bench.batch([whole()], { mark, plan: 'free' }));
    await expect(refused).rejects.toMatchObject({ code: 'watermark_not_available' });
    expect(await bench.stored('results/')).toEqual([]);
    const { files } = await bench.submit(await bench.batch([whole()], { mark }));
    expect(files[0]!.state).toBe('done');
  });

  test('a watermark that cannot be used refuses the batch before anything is reserved', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole()], { mark: { name: 'm.png', content: new Uint8Array(9) } });
    await expect(bench.submit(batch)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await bench.usage()).toEqual(left(0));
  });

  test('AI is for paid plans, and for those who have credits left', async () => {
    const bench = await BatchBench.open();
    const ask = async (plan: Batch['plan'], count: number) =>
      bench.submit(
        await bench.batch(
          Array.from({ length: count }, () => whole()),
          { plan, describe: { altText: true, seoName: false, language: 'English' } },
        ),
      );
    await expect(ask('free', 1)).rejects.toMatchObject({ code: 'ia_not_available' });
    await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: 0, aiCredits: 199 });
    await expect(ask('starter', 2)).rejects.toMatchObject({ code: 'no_credits' });
    expect((await ask('starter', 1)).files[0]!.state).toBe('done');
    expect(await bench.usage()).toEqual(left(1));
  });
});

describe('an Idempotency-Key', () => {
  test('repeats the answer without work or charge, its links signed anew', async () => {
    const bench = await BatchBench.open();
    const files = [whole(), broken()];
    const first = await bench.submit(await bench.batch(files, { idempotencyKey: 'k' }));
    const before = await bench.stored('results/');
    await bench.submit(await bench.batch([whole()]));
    const between = await bench.stored('results/');
    const second = await bench.submit(await bench.batch(files, { idempotencyKey: 'k' }));
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(second.id).toBe(first.id);
    const plain = (ended: typeof first) => ended.files.map(({ link, ...file }) => ({ ...file, name: link?.newName }));
    expect(plain(second)).toEqual(plain(first));
    const address = (ended: typeof first) => new URL(ended.files[0]!.link!.downloadUrl).pathname;
    expect(address(second)).toBe(address(first));
    // The account's figures are those of now, not those of then.
    expect(second.usage.compressions).toMatchObject(left(2));
    expect(await bench.usage()).toEqual(left(2));
    expect(await bench.stored('results/')).toEqual(between);
    expect(between).toEqual(expect.arrayContaining(before));
  });

  test('does not serve another request, nor the same one while it runs, which is told where to look', async () => {
    const bench = await BatchBench.open();
    const batch = (name: string) => bench.batch([whole(name)], { idempotencyKey: 'k' });
    const running = await batch('a.png');
    const others = [await batch('a.png'), await batch('other.png')];
    const { promise: held, resolve: go } = Promise.withResolvers<void>();
    const refusals: unknown[] = [];
    const first = await bench.inObject(running.requestId, async (open) => {
      const runner = open({
        env: {
          LANE: lanesOf(async () => {
            await held;
            return { kind: 'done', value: { kind: 'done', size: 1 } };
          }),
        },
      });
      const ended = bench.follow(running, runner);
      await runner.start(running);
      for (const other of others) {
        const stub = bench.ledger;
        const services = { ledger: () => stub, results: bench.results, keepSeconds: 1, now: () => Date.now() };
        refusals.push(await openBatch(other, { ...services, earlier: async () => undefined }));
      }
      go();
      return await ended;
    });
    expect(refusals).toEqual([
      expect.objectContaining({ code: 'idempotency_conflict', requestId: running.requestId }),
      expect.objectContaining({ code: 'idempotency_mismatch' }),
    ]);
    expect((await bench.submit(await batch('a.png'))).id).toBe(first.id);
    expect(await bench.usage()).toEqual(left(1));
  });

  test('whose results are gone says so, and charges nothing for it', async () => {
    const bench = await BatchBench.open();
    const batch = () => bench.batch([whole()], { idempotencyKey: 'k' });
    const short = { env: { RESULT_TTL_SECONDS: '1', DOWNLOAD_TTL_SECONDS: '1' } };
    const past = { ...short, shell: { now: () => Date.now() - 3_600_000 } };
    // Its own answer finds them expired too: they were kept for two seconds an hour ago.
    await expect(bench.submit(await batch(), past)).rejects.toMatchObject({ code: 'result_expired' });
    await expect(bench.submit(await batch())).rejects.toMatchObject({ code: 'result_expired' });
    expect(await bench.usage()).toEqual(left(1));
  });
});

describe('lanes that are busy', () => {
  const busy = (files: readonly number[]) =>
    lanesOf(async (job) =>
      files.includes((job as { index: number }).index)
        ? { kind: 'busy', retryAfterSeconds: 7 }
        : { kind: 'done', value: { kind: 'done', size: 1 } },
    );

  test('for one file of a batch: it fails alone, and what is finished is delivered', async () => {
    const bench = await BatchBench.open();
    const { files } = await bench.submit(await bench.batch([whole(), whole(), whole()]), { env: { LANE: busy([1]) } });
    expect(files.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
    expect(files[1]!.outcome).toMatchObject({ error: 'service_busy', message: expect.stringContaining('7 s') });
    expect(await bench.usage()).toEqual(left(2));
  });

  test('for all of them: the request is refused with the longest of their waits, and its key is free', async () => {
    const bench = await BatchBench.open();
    const batch = () => bench.batch([whole(), whole()], { idempotencyKey: 'k' });
    await expect(bench.submit(await batch(), { env: { LANE: busy([0, 1]) } })).rejects.toMatchObject({
      code: 'service_busy',
      details: { retryAfterSeconds: 7 },
    });
    expect(await bench.usage()).toEqual(left(0));
    expect((await bench.submit(await batch())).files.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(await bench.usage()).toEqual(left(2));
  });
});

test.each([
  ['90', 30_000],
  ['86400', 30_000],
  ['6', 2000],
  ['1', 333],
])('a reservation that lapses after %s s is renewed after %i ms', async (seconds, renewed) => {
  const bench = await BatchBench.open();
  const batch = await bench.batch([whole()]);
  const { promise: held, resolve: go } = Promise.withResolvers<unknown>();
  const since = Date.now();
  const changes = { env: { RESERVATION_TTL_SECONDS: seconds, LANE: lanesOf(() => held as Promise<unknown>) } };
  const alarm = await bench.inObject(batch.requestId, async (open) => {
    const runner = open(changes);
    await runner.start(batch);
    const alarm = await bench.alarm(batch.requestId);
    go({ kind: 'done', value: { kind: 'done', size: 1 } });
    await runner.end();
    return alarm;
  });
  expect(alarm! - since).toBeGreaterThanOrEqual(renewed);
  expect(alarm! - since).toBeLessThan(renewed + 3000);
});

test('a batch that meets lanes of another version of the code is done by those of its own, and charged once', async () => {
  const bench = await BatchBench.open();
  const lane = () => env.LANE.get(env.LANE.idFromName('test-0'));
  const answers: unknown[] = [];
  let calls = 0;
  const LANE = lanesOf(async (job) => {
    const other = calls++ < 4 ? { version: JOB_VERSION + 1 } : {};
    const answer = await lane().process({ ...(job as FileJob), ...other });
    answers.push((answer as LaneAnswer).unreadable ?? answer.kind);
    return answer;
  });
  const { files } = await bench.submit(await bench.batch([whole(), whole('b.png', 2)]), { env: { LANE } });
  expect(files.map(({ state }) => state)).toEqual(['done', 'done']);
  expect(answers.toSorted()).toEqual(['done', 'done', true, true, true, true]);
  expect(await bench.usage()).toEqual(left(2));
});

describe('what is told of a batch that has ended', () => {
  test.each([
    ['done', 'info', ['done', 'broken_image'], 1],
    ['partly_lost', 'error', ['done', 'processing_failed'], 1],
    ['lost', 'error', ['processing_failed', 'service_busy'], 2],
  ] as const)('%s: one line and its numbers', async (outcome, level, codes, failed) => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole(), whole()], { ray: '8a-VIE' });
    const outcomes = codes.map(
      (error): FileOutcome => (error === 'done' ? { kind: 'done', size: 1 } : { kind: 'failed', error, message: '' }),
    );
    const lane = lanesOf(async (job) => ({ kind: 'done', value: outcomes[(job as { index: number }).index] }));
    isolateCounters.take();
    await bench.submit(batch, { env: { LANE: lane, METRICS: nowhere } });
    const { requestId, accountId } = batch;
    const facts = { requestId, ray: '8a-VIE', accountId, colo: 'test', outcome, files: 2, failed, starts: 1 };
    expect(bench.lines).toEqual([{ level, event: 'batch', ...facts, durationMs: expect.any(Number) }]);
    expect(isolateCounters.take()).toMatchObject({
      [series('plume_batches_total', { outcome })]: 1,
      ...Object.fromEntries(codes.map((code) => [series('plume_files_total', { output: 'webp', outcome: code }), 1])),
    });
  });

  test('has how each job went in its lane, and what lanes refused and lost', async () => {
    const bench = await BatchBench.open();
    const report = {
      outcome: 'done',
      engine: 'main',
      input: 'jpg',
      output: 'webp',
      megapixels: 12,
      bytesIn: 7,
      bytesOut: 3,
    };
    const times = { queueMs: 400, engineMs: 1500, durationMs: 2000 };
    const answers = [
      () => Promise.reject(new Error('Network connection lost.')),
      async () => ({ kind: 'busy', retryAfterSeconds: 1 }),
      async () => ({ kind: 'busy', retryAfterSeconds: 1, unreadable: true }),
      async () => ({ kind: 'done', value: { kind: 'done', size: 3 }, report: { ...report, ...times } }),
    ];
    let calls = 0;
    isolateCounters.take();
    const bindings = { LANE: lanesOf(() => answers[calls++]!() as Promise<unknown>), METRICS: nowhere };
    await bench.submit(await bench.batch([whole()]), { env: bindings });
    expect(isolateCounters.take()).toMatchObject({
      'plume_lane_failures_total{failure="passing"}': 1,
      'plume_lane_refusals_total{reason="busy"}': 1,
      'plume_lane_refusals_total{reason="unreadable"}': 1,
      'plume_jobs_total{input="jpg",outcome="done",output="webp"}': 1,
      'plume_job_queue_seconds_bucket{engine="main",le="0.5"}': 1,
      'plume_job_engine_seconds_sum{output="webp"}': 1.5,
      plume_job_megapixels_total: 12,
      plume_job_bytes_in_total: 7,
      plume_job_bytes_out_total: 3,
    });
  });
});

/** Stores that take nothing, so that the numbers stay where the test finds them. */
const nowhere = {
  idFromName: (name: string) => name,
  get: () => ({ add: () => Promise.reject(Object.assign(new Error('away'), { overloaded: true })) }),
} as never;

describe('the record of a batch', () => {
  test('is watched: every change is told, the last one when it is settled', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole(), whole()]);
    const seen: string[] = [];
    await bench.inObject(batch.requestId, async (open) => {
      const runner = open({ env: { LANE: lanesOf(async () => ({ kind: 'done', value: { kind: 'done', size: 1 } })) } });
      await runner.start(batch);
      let state = await runner.watch();
      for (; state.record!.state !== 'done'; state = await runner.watch(state.version)) {
        seen.push(state.record!.files.map((file) => file.state).join());
      }
      expect(state.record!.usage).toBeDefined();
    });
    expect(seen.at(-1)).toBe('done,done');
  });

  test('is watched in vain for ten seconds at most', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole()]);
    const waits: number[] = [];
    let watching = false;
    await bench.inObject(batch.requestId, async (open) => {
      const { promise: held, resolve: go } = Promise.withResolvers<unknown>();
      const timer = (milliseconds: number, late: () => void) => {
        if (watching) waits.push(milliseconds);
        if (watching) queueMicrotask(late);
        return () => {};
      };
      const runner = open({ env: { LANE: lanesOf(() => held as Promise<unknown>) }, shell: { timer } });
      await runner.start(batch);
      const { version } = await runner.watch();
      watching = true;
      expect(await runner.watch(version)).toMatchObject({ version, record: { state: 'running' } });
      watching = false;
      go({ kind: 'done', value: { kind: 'done', size: 1 } });
      await runner.end();
    });
    expect(waits).toEqual([10_000]);
  });

  test('is forgotten when nobody can use it any more, and not before', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole()]);
    let ahead = 0;
    const shell = { now: () => Date.now() + ahead };
    await bench.inObject(batch.requestId, async (open) => {
      await bench.follow(batch, open({ shell }));
      ahead = 25 * 3_600_000;
      const runner = open({ shell });
      await runner.alarm();
      expect(await runner.record()).toMatchObject({ state: 'done' });
      ahead = 27 * 3_600_000;
      await runner.alarm();
      expect(await runner.record()).toBeUndefined();
    });
    expect(await bench.record(batch.requestId)).toBeUndefined();
  });
});
