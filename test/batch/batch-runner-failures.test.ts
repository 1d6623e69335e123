import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Batch } from '../../src/batch/batch.ts';
import type { RunnerEnv } from '../../src/batch/batch-runner.ts';
import type { FileJob } from '../../src/batch/file-job.ts';
import type { Staging } from '../../src/batch/staging.ts';
import { BatchBench, type Changes, DeathBed, lanesOf } from '../support/batch-bench.ts';
import { smallPng } from '../support/small-png.ts';

const LIMIT = 2000;
const left = (used: number) => ({ used, remaining: LIMIT - used });
const files = [
  { name: 'a.png', content: smallPng(24, 16) },
  { name: 'b.png', content: smallPng(24, 16, 5) },
];
const mark = { name: 'mark.png', content: smallPng(5, 5) };

/**
 * What a call can come to: it never arrives; it arrives and its answer is lost; or the object dies before or after it,
 * which is a call that never comes back.
 */
const faults = ['refused', 'unanswered', 'dead before', 'dead after'] as const;
type Fault = (typeof faults)[number];
type Call = <T>(name: string, run: () => Promise<T>) => Promise<T>;

/** What a batch's object and its request are given so that every call outside goes through `call`. */
function through(bench: BatchBench, call: Call): Changes & { readonly env: Partial<RunnerEnv> } {
  const lane = () => env.LANE.get(env.LANE.idFromName('test-0'));
  return {
    env: {
      LEDGER: bench.ledgers((real) => ({
        reserve: (request) => call('reserve', () => real.reserve(request)),
        extend: (requestId) => call('extend', () => real.extend(requestId)),
        settle: (requestId, done) => call('settle', () => real.settle(requestId, done)),
        release: (requestId) => call('release', () => real.release(requestId)),
      })),
      LANE: lanesOf((job) => call('process', async () => await lane().process(job as FileJob))),
    },
    staging: {
      read: (...range: Parameters<Staging['read']>) => call('read', () => bench.staging.read(...range)),
    } as unknown as Staging,
  };
}

/** Calls that go wrong where `when` says so. */
function faulty(fault: Fault, when: (name: string, count: number) => boolean) {
  const counts = new Map<string, number>();
  const bed = new DeathBed();
  const call: Call = (name, run) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    if (!when(name, count)) return bed.call(run);
    if (fault === 'dead before' || fault === 'dead after')
      return bed.call(run, fault === 'dead before' ? 'before' : 'after');
    return bed.call(async () => {
      if (fault === 'unanswered') await run();
      throw new Error(fault === 'refused' ? 'the platform failed' : 'the answer was lost');
    });
  };
  return { call, bed };
}

interface End {
  /** Files that were delivered; or how it ended without an answer. */
  readonly ended: number | 'failed' | 'died';
  readonly batch: Batch;
}

/** Runs a batch whose calls go wrong; where its object died, `after` runs on one that is made anew. */
async function run(
  bench: BatchBench,
  fault: Fault,
  when: (name: string, count: number) => boolean,
  after: (open: Parameters<Parameters<BatchBench['inObject']>[1]>[0], batch: Batch) => Promise<void> = async () => {},
): Promise<End> {
  const batch = await bench.batch(files, { mark, idempotencyKey: 'key' });
  const { call, bed } = faulty(fault, when);
  const ended = await bench.inObject(batch.requestId, async (open) => {
    const changes = { ...through(bench, call), shell: bed.shell };
    const answer = bench.follow(batch, open(changes), changes).then(
      (end) => end.files.filter(({ state }) => state === 'done').length,
      () => 'failed' as const,
    );
    const end = await Promise.race([answer, bed.died]);
    if (end === 'died') await after(open, batch);
    return end;
  });
  return { ended, batch };
}

/** Asks again under the same key, as a client does that got no answer. @returns files processed and results that are there */
async function askAgain(bench: BatchBench) {
  const ended = await bench.submit(await bench.batch(files, { mark, idempotencyKey: 'key' }));
  const done = ended.files.filter(({ state }) => state === 'done');
  const there = await Promise.all(done.map(({ result }) => bench.results.head(result.key)));
  return { done: done.length, there: there.filter((result) => result !== undefined).length };
}

async function expectNothingForEver(bench: BatchBench): Promise<void> {
  await bench.sweepLater();
  expect([...(await bench.stored('results/')), ...(await bench.stored('staging/'))]).toEqual([]);
}

const points = ['read', 'reserve', 'process', 'settle'].flatMap((name) =>
  faults.flatMap((fault) => [{ name, fault, count: 0 }, ...(name === 'process' ? [{ name, fault, count: 1 }] : [])]),
);

test('the points are all the calls that a batch makes', async () => {
  const bench = await BatchBench.open();
  const made: string[] = [];
  const { ended } = await run(bench, 'refused', (name) => {
    made.push(name);
    return false;
  });
  expect(ended).toBe(2);
  expect(made).toEqual(['read', 'reserve', 'process', 'process', 'settle']);
});

describe.each(points)('$name ($count), $fault', ({ name, fault, count }) => {
  const wrong = (called: string, times: number) => called === name && times === count;

  test('charges exactly what is delivered, and leaves nothing for ever', { timeout: 15_000 }, async () => {
    const bench = await BatchBench.open();
    const { ended } = await run(bench, fault, wrong, async (open, batch) => {
      // The alarm brings back what was begun; what was not begun is forgotten.
      const runner = open();
      await runner.alarm();
      const record = await runner.end();
      const begun = name === 'process' || name === 'settle';
      expect(record?.state).toBe(begun ? 'done' : undefined);
      expect(await bench.usage()).toEqual(
        begun ? left(2) : { used: 0, remaining: name === 'reserve' && fault === 'dead after' ? LIMIT - 2 : LIMIT },
      );
      expect(await runner.record()).toEqual(record);
      if (!begun) return;
      expect((await bench.report(record!)).map(({ link }) => link?.newName)).toEqual(['a.webp', 'b.webp']);
      expect(batch.requestId).toBe(record!.batch.requestId);
    });
    if (ended === 'failed') {
      // Only the watermark's reading is not tried again.
      expect(name).toBe('read');
      expect(await bench.usage()).toEqual(left(0));
      expect(await bench.stored('results/')).toEqual([]);
    } else if (ended === 'died') {
      const begun = name === 'process' || name === 'settle';
      expect(await bench.usageTomorrow()).toEqual(left(begun ? 2 : 0));
      if (begun) expect(await askAgain(bench)).toEqual({ done: 2, there: 2 });
      expect(await bench.usageTomorrow()).toEqual(left(begun ? 2 : 0));
    } else {
      expect(ended).toBe(2);
      expect(await bench.usage()).toEqual(left(2));
      expect(await askAgain(bench)).toEqual({ done: 2, there: 2 });
      expect(await bench.usage()).toEqual(left(2));
    }
    await expectNothingForEver(bench);
  });
});

test.each(['dead before', 'dead after'] as const)(
  'an object that dies while it reserves (%s) is asked again by the request, and holds once',
  async (fault) => {
    const bench = await BatchBench.open();
    const { ended } = await run(
      bench,
      fault,
      (name) => name === 'reserve',
      async (open, batch) => {
        const runner = open();
        expect(await runner.start(batch)).toEqual({ kind: 'running' });
        expect(await runner.end()).toMatchObject({ state: 'done' });
      },
    );
    expect(ended).toBe('died');
    expect(await bench.usage()).toEqual(left(2));
    expect(await askAgain(bench)).toEqual({ done: 2, there: 2 });
    expect(await bench.usage()).toEqual(left(2));
  },
);

describe('a service that stays away', () => {
  const always =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name);

  test('lanes: every file fails for a reason of ours, and costs nothing', async () => {
    const bench = await BatchBench.open();
    expect((await run(bench, 'refused', always('process'))).ended).toBe(0);
    expect(await bench.usage()).toEqual(left(0));
    expect(bench.lines.map(({ event }) => event)).toEqual([...Array(4).fill('lane_failure'), 'batch']);
    expect(bench.lines[0]).toMatchObject({ level: 'error', index: 0, failure: 'defect' });
  });

  test('the ledger at the beginning: nothing is held once it lets go, and the key is free', async () => {
    const bench = await BatchBench.open();
    expect((await run(bench, 'unanswered', always('reserve'))).ended).toBe('failed');
    expect(await bench.usage()).toEqual(left(0));
    expect(await bench.ledger.batches(10)).toEqual([]);
    expect(await askAgain(bench)).toEqual({ done: 2, there: 2 });
  });

  test('the ledger at the end: the request is told, and the alarm settles when it is back', async () => {
    const bench = await BatchBench.open();
    let away = true;
    const batch = await bench.batch(files);
    await bench.inObject(batch.requestId, async (open) => {
      const LEDGER = bench.ledgers((real) => ({
        settle: async (...call) => {
          if (away) throw new Error('the platform failed');
          return await real.settle(...call);
        },
      }));
      const runner = open({ env: { LEDGER } });
      await expect(bench.follow(batch, runner)).rejects.toThrow('not settled yet');
      expect(await runner.record()).toMatchObject({ state: 'settling' });
      expect(await bench.usage()).toEqual({ used: 0, remaining: LIMIT - 2 });
      away = false;
      await runner.alarm();
      expect(await runner.end()).toMatchObject({ state: 'done' });
    });
    expect(await bench.usage()).toEqual(left(2));
  });

  test('the ledger’s answers at the end: what was charged is delivered to whoever asks again, once', async () => {
    const bench = await BatchBench.open();
    expect((await run(bench, 'unanswered', always('settle'))).ended).toBe('failed');
    expect(await bench.usage()).toEqual(left(2));
    expect(await askAgain(bench)).toEqual({ done: 2, there: 2 });
    expect(await bench.usage()).toEqual(left(2));
  });

  test('the bucket when staged files are removed: the answer does not wait for it, and the sweep does the rest', async () => {
    const bench = await BatchBench.open();
    const stuck = () => new Promise<never>(() => {});
    const BUCKET = new Proxy(env.BUCKET, {
      get: (target, name) => (name === 'delete' ? stuck : Reflect.get(target, name).bind(target)),
    });
    const batch = await bench.batch(files);
    await bench.inObject(batch.requestId, async (open) => {
      expect((await bench.follow(batch, open({ env: { BUCKET } }))).files[0]!.state).toBe('done');
    });
    expect(await bench.stored('staging/')).toHaveLength(2);
    await expectNothingForEver(bench);
  });
});

describe('an object that is reset again and again', () => {
  test('gives up what is not done after the third time: it may be what kills it', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch(files);
    await bench.inObject(batch.requestId, async (open) => {
      for (let start = 0; start < 3; start++) {
        const bed = new DeathBed();
        const LANE = lanesOf(async (job) => {
          if ((job as FileJob).index === 0) return { kind: 'done', value: { kind: 'done', size: 1 } };
          // By then the first file is in the journal.
          await scheduler.wait(5);
          return await bed.call(async () => {}, 'before');
        });
        const runner = open({ env: { LANE }, shell: bed.shell });
        if (start === 0) await runner.start(batch);
        else await runner.alarm();
        await bed.died;
      }
      const runner = open();
      await runner.alarm();
      expect((await runner.end())!.files.map(({ outcome }) => outcome)).toEqual([
        { kind: 'done', size: 1 },
        expect.objectContaining({ kind: 'failed', error: 'processing_failed' }),
      ]);
    });
    expect(await bench.usage()).toEqual(left(1));
  });
});
