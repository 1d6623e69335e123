import { describe, expect, test } from 'vitest';
import type { Batch } from '../../src/batch/batch.ts';
import { type BatchServices, compressBatch } from '../../src/batch/compress-batch.ts';
import { BatchBench, outcomesIn } from '../support/batch-bench.ts';
import { smallPng } from '../support/small-png.ts';

const LIMIT = 2000;
const whole = (name = 'a.png', seed = 0) => ({ name, content: smallPng(24, 16, seed) });
const broken = (name = 'b.png') => ({ name, content: smallPng(24, 16).subarray(0, 70) });
const mark = { name: 'mark.png', content: smallPng(5, 5) };
const left = (used: number) => ({ used, remaining: LIMIT - used });

type Ledger = ReturnType<BatchServices['ledger']>;

/** Services whose ledger does other things in some calls. */
function withLedger(bench: BatchBench, change: (real: Ledger) => Partial<Ledger>): BatchServices {
  const ledger = (): Ledger => {
    const real = bench.ledger;
    const calls: Ledger = {
      reserve: async (request) => await real.reserve(request),
      extend: async (requestId) => await real.extend(requestId),
      settle: async (requestId, done) => await real.settle(requestId, done),
      release: async (requestId) => await real.release(requestId),
    };
    return { ...calls, ...change(calls) };
  };
  return { ...bench.services(), ledger };
}

describe('a batch', () => {
  test('is charged for exactly the files that were processed; the others do not touch them', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole(), broken(), whole('c.png', 3)]);
    const { response, outcomes, usage } = await compressBatch(batch, bench.services());
    expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(['done', 'failed', 'done']);
    expect(outcomes[1]).toMatchObject({ index: 1, originalName: 'b.png', outcome: { error: 'broken_image' } });
    expect(outcomes[1]!.result).toBeUndefined();
    expect(outcomes[2]).toMatchObject({
      index: 2,
      result: { newName: 'c.webp' },
      originalSize: batch.files[2]!.staged.size,
    });
    expect(outcomesIn(response)).toEqual(outcomes);
    expect(usage.compressions).toMatchObject(left(2));
    expect(await bench.usage()).toEqual(left(2));
    expect(await bench.stored('results/')).toHaveLength(2);
  });

  test('of which nothing can be read costs nothing', async () => {
    const bench = await BatchBench.open();
    const { outcomes } = await compressBatch(await bench.batch([broken(), broken()]), bench.services());
    expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(['failed', 'failed']);
    expect(await bench.usage()).toEqual(left(0));
    expect(await bench.stored('results/')).toEqual([]);
  });

  test('gives names that are each there once, the same however often it runs; a failed file takes none', async () => {
    const bench = await BatchBench.open();
    const names = ['a.png', 'a.jpg', 'x/a.webp', 'a-2.png', '', 'A.png'];
    const files = names.map((name, at) => (at === 0 ? broken(name) : whole(name)));
    const run = async () => (await compressBatch(await bench.batch(files), bench.services())).outcomes;
    const [first, second] = [await run(), await run()];
    const given = first.map(({ result }) => result?.newName);
    expect(given).toEqual([undefined, 'a.webp', 'a-2.webp', 'a-2-2.webp', 'image.webp', 'A.webp']);
    expect(second.map(({ result }) => result?.newName)).toEqual(given);
  });

  test('that does not fit in what is left is refused whole, with figures and a date', async () => {
    const bench = await BatchBench.open();
    await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: LIMIT - 1, aiCredits: 0 });
    const refused = compressBatch(await bench.batch([whole(), whole()]), bench.services());
    await expect(refused).rejects.toMatchObject({
      code: 'plan_limit_reached',
      message: expect.stringMatching(/needs 2 .* 1 are left: 0 of 2000 .*\d{4}-\d\d-01/),
    });
    expect(await bench.stored('results/')).toEqual([]);
    await compressBatch(await bench.batch([whole()]), bench.services());
    expect(await bench.usage()).toEqual({ used: 1, remaining: 0 });
  });
});

describe('plan features', () => {
  test('a watermark is for paid plans, and nothing is silently left out', async () => {
    const bench = await BatchBench.open();
    const refused = compressBatch(await bench.batch([whole()], { mark, plan: 'free' }), bench.services());
    await expect(refused).rejects.toMatchObject({ code: 'watermark_not_available' });
    expect(await bench.stored('results/')).toEqual([]);
    const { outcomes } = await compressBatch(await bench.batch([whole()], { mark }), bench.services());
    expect(outcomes[0]!.outcome.kind).toBe('done');
  });

  test('a watermark that cannot be used refuses the batch before anything is reserved', async () => {
    const bench = await BatchBench.open();
    const batch = await bench.batch([whole()], { mark: { name: 'm.png', content: new Uint8Array(9) } });
    await expect(compressBatch(batch, bench.services())).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await bench.usage()).toEqual(left(0));
  });

  test('AI is for paid plans, and for those who have credits left', async () => {
    const bench = await BatchBench.open();
    const ask = async (plan: Batch['plan'], files: number) =>
      compressBatch(
        await bench.batch(
          Array.from({ length: files }, () => whole()),
          { plan, describe: { altText: true, seoName: false, language: 'English' } },
        ),
        bench.services(),
      );
    await expect(ask('free', 1)).rejects.toMatchObject({ code: 'ia_not_available' });
    await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: 0, aiCredits: 199 });
    await expect(ask('starter', 2)).rejects.toMatchObject({ code: 'no_credits' });
    expect((await ask('starter', 1)).outcomes[0]!.outcome.kind).toBe('done');
    expect(await bench.usage()).toEqual(left(1));
  });
});

describe('an Idempotency-Key', () => {
  test('repeats the answer without work or charge', async () => {
    const bench = await BatchBench.open();
    const files = [whole(), broken()];
    const first = await compressBatch(await bench.batch(files, { idempotencyKey: 'k' }), bench.services());
    const before = await bench.stored('results/');
    const second = await compressBatch(await bench.batch(files, { idempotencyKey: 'k' }), bench.services());
    expect(second.response).toEqual(first.response);
    expect(second.outcomes).toEqual([]);
    expect(await bench.usage()).toEqual(left(1));
    expect(await bench.stored('results/')).toEqual(before);
  });

  test('does not serve another request, nor the same one while it runs', async () => {
    const bench = await BatchBench.open();
    const { promise: held, resolve: go } = Promise.withResolvers<void>();
    const { promise: reserved, resolve: tellReserved } = Promise.withResolvers<void>();
    const slow = withLedger(bench, (real) => ({
      reserve: async (request) => {
        const answer = await real.reserve(request);
        tellReserved();
        await held;
        return answer;
      },
    }));
    const batch = (name: string) => bench.batch([whole(name)], { idempotencyKey: 'k' });
    const running = compressBatch(await batch('a.png'), slow);
    await reserved;
    const ask = async (name: string) => compressBatch(await batch(name), bench.services());
    await expect(ask('a.png')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await expect(ask('other.png')).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    go();
    const { response } = await running;
    expect((await ask('a.png')).response).toEqual(response);
    expect(await bench.usage()).toEqual(left(1));
  });

  test('is free again after a batch that was given up', async () => {
    const bench = await BatchBench.open();
    const batch = () => bench.batch([whole()], { idempotencyKey: 'k' });
    const present = () => {
      throw new Error('defect');
    };
    await expect(compressBatch(await batch(), { ...bench.services(), present })).rejects.toThrow('defect');
    await compressBatch(await batch(), bench.services());
    expect(await bench.usage()).toEqual(left(1));
  });
});

describe('the reservation of a long batch', () => {
  test('is extended as files get done', async () => {
    const bench = await BatchBench.open();
    let extended = 0;
    const services = withLedger(bench, (real) => ({
      extend: (requestId) => {
        extended++;
        bench.ahead = 0;
        return real.extend(requestId);
      },
    }));
    bench.ahead = -1_200_000;
    const batch = await bench.batch([whole(), whole()]);
    const process = services.lanes.namespace;
    const lanes = {
      ...services.lanes,
      namespace: {
        idFromName: (name: string) => process.idFromName(name),
        get: (id: DurableObjectId) => ({
          process: async (job: Parameters<ReturnType<typeof process.get>['process']>[0]) => {
            bench.ahead = 1_200_000;
            return await process.get(id).process(job);
          },
        }),
      } as unknown as BatchServices['lanes']['namespace'],
    };
    await compressBatch(batch, { ...services, lanes });
    expect(extended).toBe(1);
    expect(await bench.usage()).toEqual(left(2));
  });

  test('that expired after all is not charged, and its results are removed', async () => {
    const bench = await BatchBench.open();
    const services = withLedger(bench, (real) => ({
      settle: async (requestId, done) => {
        await real.release(requestId);
        return await real.settle(requestId, done);
      },
    }));
    await expect(compressBatch(await bench.batch([whole()]), services)).rejects.toThrow('expired');
    expect(await bench.usage()).toEqual(left(0));
    expect(await bench.stored('results/')).toEqual([]);
  });
});
