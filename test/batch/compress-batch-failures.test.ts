import { describe, expect, test } from 'vitest';
import { type BatchServices, compressBatch } from '../../src/batch/compress-batch.ts';
import type { Staging } from '../../src/batch/staging.ts';
import { BatchBench, outcomesIn } from '../support/batch-bench.ts';
import { smallPng } from '../support/small-png.ts';

const LIMIT = 2000;
const left = (used: number) => ({ used, remaining: LIMIT - used });
const files = [
  { name: 'a.png', content: smallPng(24, 16) },
  { name: 'b.png', content: smallPng(24, 16, 5) },
];
const mark = { name: 'mark.png', content: smallPng(5, 5) };

/**
 * What a call can come to: it never arrives; it arrives and its answer is lost; or the request dies before or after it,
 * which is a call that never comes back.
 */
const faults = ['refused', 'unanswered', 'dead before', 'dead after'] as const;
type Fault = (typeof faults)[number];
type Call = <T>(name: string, run: () => Promise<T>) => Promise<T>;

const never = () => new Promise<never>(() => {});

/** Services whose every call outside goes through `call`. */
function through(bench: BatchBench, call: Call): BatchServices {
  const real = bench.services();
  const { namespace } = real.lanes;
  const fakeNamespace = {
    idFromName: (name: string) => namespace.idFromName(name),
    get: (id: DurableObjectId) => ({
      process: (job: Parameters<ReturnType<typeof namespace.get>['process']>[0]) =>
        call('process', async () => await namespace.get(id).process(job)),
    }),
  };
  return {
    ...real,
    ledger: () => ({
      reserve: (request) => call('reserve', async () => await bench.ledger.reserve(request)),
      extend: (requestId) => call('extend', async () => await bench.ledger.extend(requestId)),
      settle: (requestId, done) => call('settle', async () => await bench.ledger.settle(requestId, done)),
      release: (requestId) => call('release', async () => await bench.ledger.release(requestId)),
    }),
    staging: {
      read: (...range: Parameters<Staging['read']>) => call('read', () => bench.staging.read(...range)),
    } as unknown as BatchServices['staging'],
    results: {
      keyFor: (p: Parameters<typeof bench.results.keyFor>[0]) => bench.results.keyFor(p),
      remove: (keys: readonly string[]) => call('remove', () => bench.results.remove(keys)),
    } as unknown as BatchServices['results'],
    lanes: { ...real.lanes, namespace: fakeNamespace as unknown as BatchServices['lanes']['namespace'] },
  };
}

/** A call that goes wrong where `when` says so. `died` resolves when the request is dead and what it began elsewhere is over. */
function faulty(fault: Fault, when: (name: string, count: number) => boolean) {
  const counts = new Map<string, number>();
  const running: Promise<unknown>[] = [];
  const { promise: dead, resolve: die } = Promise.withResolvers<void>();
  const call: Call = async (name, run) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const wrong = when(name, count);
    if (wrong && fault === 'refused') throw new Error('the platform failed');
    if (!wrong || fault !== 'dead before') {
      const answer = run();
      running.push(answer);
      await answer.catch(() => undefined);
      if (!wrong) return await answer;
      if (fault === 'unanswered') throw new Error('the answer was lost');
    }
    die();
    return await never();
  };
  const died = dead.then(() => Promise.allSettled(running)).then(() => 'died' as const);
  return { call, died };
}

/** Runs a batch and tells how it ended. */
async function end(bench: BatchBench, services: BatchServices, died: Promise<'died'>) {
  const batch = await bench.batch(files, { mark, idempotencyKey: 'key' });
  const run = compressBatch(batch, services).then(
    ({ response }) => outcomesIn(response).filter(({ outcome }) => outcome.kind === 'done').length,
    () => 'failed' as const,
  );
  return await Promise.race([run, died]);
}

/** Asks again under the same key, as a client does that got no answer. @returns files processed and results that are there */
async function askAgain(bench: BatchBench) {
  const { response } = await compressBatch(await bench.batch(files, { mark, idempotencyKey: 'key' }), bench.services());
  const done = outcomesIn(response).filter(({ outcome }) => outcome.kind === 'done');
  const keys = done.map(({ result }) => new URL(result!.downloadUrl).pathname.split('/')[2]!);
  const there = await Promise.all(keys.map((key) => bench.results.head(key)));
  return { done: done.length, there: there.filter((result) => result !== undefined).length };
}

const points = ['read', 'reserve', 'process', 'settle'].flatMap((name) =>
  faults.flatMap((fault) => [{ name, fault, count: 0 }, ...(name === 'process' ? [{ name, fault, count: 1 }] : [])]),
);

test('the points are all the calls that a batch makes', async () => {
  const bench = await BatchBench.open();
  const made: string[] = [];
  const services = through(bench, (name, run) => {
    made.push(name);
    return run();
  });
  expect(await end(bench, services, never())).toBe(2);
  expect(made).toEqual(['read', 'reserve', 'process', 'process', 'settle']);
});

describe.each(points)('$name ($count), $fault', ({ name, fault, count }) => {
  test('charges nothing that was not delivered, and leaves nothing for ever', { timeout: 15_000 }, async () => {
    const bench = await BatchBench.open();
    const { call, died } = faulty(fault, (called, times) => called === name && times === count);
    const ended = await end(bench, through(bench, call), died);
    const { used } = await bench.usageTomorrow();
    if (ended === 'failed') {
      expect(await bench.usage()).toEqual(left(0));
      expect(await bench.stored('results/')).toEqual([]);
    } else if (ended === 'died') {
      // Only a batch that was settled is charged, and its answer waits under its key.
      expect(used).toBe(name === 'settle' && fault === 'dead after' ? 2 : 0);
      if (used > 0) expect(await askAgain(bench)).toEqual({ done: 2, there: 2 });
      expect(await bench.usageTomorrow()).toEqual(left(used));
    } else {
      expect(await bench.usage()).toEqual(left(ended));
      expect(ended).toBe(2);
      expect(await askAgain(bench)).toEqual({ done: 2, there: 2 });
    }
    await bench.sweepTomorrow();
    expect([...(await bench.stored('results/')), ...(await bench.stored('staging/'))]).toEqual([]);
  });
});

describe('a service that stays away', () => {
  const always =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name);

  test('lanes: every file fails for a reason of ours, and costs nothing', async () => {
    const bench = await BatchBench.open();
    const { call, died } = faulty('refused', always('process'));
    expect(await end(bench, through(bench, call), died)).toBe(0);
    expect(await bench.usage()).toEqual(left(0));
    expect(bench.lines).toHaveLength(4);
  });

  test('the ledger at the end: nothing is charged, and what was held comes back by itself', async () => {
    const bench = await BatchBench.open();
    const { call, died } = faulty('refused', always('settle', 'release'));
    expect(await end(bench, through(bench, call), died)).toBe('failed');
    expect(await bench.usage()).toEqual({ used: 0, remaining: LIMIT - 2 });
    expect(await bench.usageTomorrow()).toEqual(left(0));
  });

  test('the ledger’s answers at the end: what was charged is delivered to whoever asks again', async () => {
    const bench = await BatchBench.open();
    const { call, died } = faulty('unanswered', always('settle'));
    expect(await end(bench, through(bench, call), died)).toBe('failed');
    expect(await bench.usage()).toEqual(left(2));
    expect(await askAgain(bench)).toEqual({ done: 2, there: 2 });
    expect(await bench.usage()).toEqual(left(2));
  });

  test('the bucket while results are removed: the first error is told, and the sweep does the rest', async () => {
    const bench = await BatchBench.open();
    const { call } = faulty('refused', always('remove'));
    const present = () => {
      throw new Error('defect of the presentation');
    };
    const run = compressBatch(await bench.batch(files), { ...through(bench, call), present });
    await expect(run).rejects.toThrow('defect of the presentation');
    expect(await bench.usage()).toEqual(left(0));
    expect(await bench.stored('results/')).toHaveLength(2);
    await bench.sweepTomorrow();
    expect(await bench.stored('results/')).toEqual([]);
  });
});
