import { describe, expect, test } from 'vitest';
import type { Batch } from '../../src/batch/batch.ts';
import type { FileJob } from '../../src/batch/file-job.ts';
import type { FileOutcome } from '../../src/batch/outcome.ts';
import type { Description } from '../../src/describe/description.ts';
import { BatchBench, lanesOf } from '../support/batch-bench.ts';
import { smallPng } from '../support/small-png.ts';

const ALLOWANCE = 200;
const describeBoth: NonNullable<Batch['describe']> = { altText: true, seoName: true, language: 'English' };
const whole = (name = 'a.png') => ({ name, content: smallPng(24, 16) });
const came = (seoName = 'red-old-barn'): Description => ({ altText: 'Red barn', seoName, calls: 1 });
const failed: Description = { calls: 2, failure: 'timeout' };

/** Lanes that answer at once with the description given for each file, or fail the file. */
function describing(descriptions: readonly (Description | 'broken' | 'lost')[]) {
  return lanesOf(async (job, { on }): Promise<{ kind: 'done'; value: FileOutcome }> => {
    const description = descriptions[(job as FileJob).index]!;
    if (description === 'lost') on?.('main');
    if (description === 'lost') throw new Error('Durable Object exceeded its CPU time limit and was reset.');
    if (description !== 'broken') return { kind: 'done', value: { kind: 'done', size: 100, description } };
    return { kind: 'done', value: { kind: 'failed', error: 'broken_image', message: 'broken' } };
  });
}

async function run(
  bench: BatchBench,
  descriptions: readonly (Description | 'broken' | 'lost')[],
  { names = [], ...more }: { names?: readonly string[] } & Partial<Batch> = {},
) {
  const files = descriptions.map((_, at) => whole(names[at]));
  const batch = await bench.batch(files, { describe: describeBoth, ...more });
  return await bench.submit(batch, { env: { LANE: describing(descriptions) } });
}

const credits = async (bench: BatchBench) => (await bench.ledger.usage('starter')).aiCredits;

describe('AI credits', () => {
  test('are charged for the images for which something came back, and no others', async () => {
    const bench = await BatchBench.open();
    const { usage } = await run(bench, [
      came(),
      failed,
      'broken',
      { altText: 'Only this', calls: 2 },
      { seoName: 'only-this-one', calls: 2 },
    ]);
    expect(usage.aiCredits).toMatchObject({ used: 3, remaining: ALLOWANCE - 3 });
    expect(usage.compressions.used).toBe(4);
    expect(await credits(bench)).toMatchObject({ used: 3, remaining: ALLOWANCE - 3 });
  });

  test('come from the monthly allowance first and from top-ups after it, one way or the other only what was used', async () => {
    const bench = await BatchBench.open();
    await bench.ledger.topUp('bought', 5);
    await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: 0, aiCredits: ALLOWANCE - 1 });
    await bench.ledger.settle('others', { compressions: 0, aiCredits: ALLOWANCE - 1, complete: true });
    await run(bench, [came(), came(), failed]);
    expect(await credits(bench)).toMatchObject({ used: ALLOWANCE, topUp: 4, remaining: 4 });
  });

  test('are all given back where nothing could be done', async () => {
    const bench = await BatchBench.open();
    const { files } = await run(bench, ['lost', 'broken']);
    expect(files.map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(await credits(bench)).toMatchObject({ used: 0, remaining: ALLOWANCE });
  });

  test('of a repetition are those of the files that are done again', async () => {
    const bench = await BatchBench.open();
    await run(bench, [came(), 'lost'], { idempotencyKey: 'k' });
    expect(await credits(bench)).toMatchObject({ used: 1, remaining: ALLOWANCE - 1 });
    await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: 0, aiCredits: ALLOWANCE - 2 });
    const { files } = await run(bench, ['broken', came('other-name-here')], { idempotencyKey: 'k' });
    expect(files.map(({ link }) => link?.newName)).toEqual(['red-old-barn.webp', 'other-name-here.webp']);
    expect(await credits(bench)).toMatchObject({ used: 2, remaining: 0 });
  });

  test('of a batch whose reservation lapsed are asked for again only as many as it used', async () => {
    const bench = await BatchBench.open();
    await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: 0, aiCredits: ALLOWANCE - 2 });
    const batch = await bench.batch([whole(), whole()], { describe: describeBoth });
    const lapsing = lanesOf(async (job) => {
      await bench.lapse();
      await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: 0, aiCredits: ALLOWANCE - 1 });
      const description = (job as FileJob).index === 0 ? came() : failed;
      return { kind: 'done', value: { kind: 'done', size: 100, description } };
    });
    await bench.submit(batch, { env: { LANE: lapsing } });
    expect(await credits(bench)).toMatchObject({ used: 1, remaining: 0 });
  });

  test('that do not suffice for the whole batch refuse it before any work', async () => {
    const bench = await BatchBench.open();
    await bench.ledger.reserve({ requestId: 'others', plan: 'starter', compressions: 0, aiCredits: ALLOWANCE - 1 });
    await expect(run(bench, [came(), came()])).rejects.toMatchObject({
      code: 'no_credits',
      message: expect.stringMatching(/needs 2 AI credits, and 1 /),
    });
    expect((await bench.usage()).used).toBe(0);
  });
});

describe('names', () => {
  const names = async (descriptions: readonly (Description | 'broken')[], originals: readonly string[] = []) => {
    const { files } = await run(await BatchBench.open(), descriptions, { names: originals });
    return files.map(({ link }) => link?.newName);
  };

  test('are those that came back, each there once, with the new extension', async () => {
    expect(await names([came(), came(), came('blue-sea-water')])).toEqual([
      'red-old-barn.webp',
      'red-old-barn-2.webp',
      'blue-sea-water.webp',
    ]);
  });

  test('are the ordinary ones where none came back; a broken file takes none', async () => {
    const originals = ['red-old-barn.png', 'b.png', 'b.jpg', 'b.gif'];
    expect(await names([came(), failed, 'broken', failed], originals)).toEqual([
      'red-old-barn.webp',
      'b.webp',
      undefined,
      'b-2.webp',
    ]);
    expect(await names([failed, came()], originals)).toEqual(['red-old-barn.webp', 'red-old-barn-2.webp']);
  });

  test('of their addresses are percent-encoded', async () => {
    const bench = await BatchBench.open();
    const { files } = await run(bench, [came('नीला-आसमान-बादल')]);
    const { pathname } = new URL(files[0]!.link!.downloadUrl);
    expect(decodeURIComponent(pathname.split('/')[3]!)).toBe('नीला-आसमान-बादल.webp');
  });
});

test('failures are logged with their reason and nothing of the texts', async () => {
  const bench = await BatchBench.open();
  await run(bench, [came(), { calls: 1, failure: 'overloaded', code: '3040' }]);
  expect(bench.lines.filter(({ event }) => event !== 'batch')).toEqual([
    { level: 'warn', requestId: expect.any(String), index: 1, aiFailure: 'overloaded', code: '3040' },
  ]);
});
