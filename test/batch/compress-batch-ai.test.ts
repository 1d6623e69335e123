import { describe, expect, test } from 'vitest';
import type { Batch } from '../../src/batch/batch.ts';
import { type BatchServices, compressBatch } from '../../src/batch/compress-batch.ts';
import type { FileJob } from '../../src/batch/file-job.ts';
import type { FileOutcome } from '../../src/batch/outcome.ts';
import type { Description } from '../../src/describe/description.ts';
import { BatchBench } from '../support/batch-bench.ts';
import { smallPng } from '../support/small-png.ts';

const ALLOWANCE = 200;
const describeBoth: NonNullable<Batch['describe']> = { altText: true, seoName: true, language: 'English' };
const whole = (name = 'a.png') => ({ name, content: smallPng(24, 16) });
const came = (seoName = 'red-old-barn'): Description => ({ altText: 'Red barn', seoName, calls: 1 });
const failed: Description = { calls: 2, failure: 'timeout' };

/** Services whose lanes answer at once with the description given for each file, or fail the file. */
function withDescriptions(bench: BatchBench, descriptions: readonly (Description | 'broken')[]): BatchServices {
  const process = async ({ index }: FileJob): Promise<{ kind: 'done'; value: FileOutcome }> => {
    const description = descriptions[index]!;
    if (description !== 'broken') return { kind: 'done', value: { kind: 'done', size: 100, description } };
    return { kind: 'done', value: { kind: 'failed', error: 'broken_image', message: 'broken' } };
  };
  const namespace = { idFromName: (name: string) => name, get: () => ({ process }) };
  const lanes = { namespace: namespace as unknown as BatchServices['lanes']['namespace'], count: 1, colo: 'test' };
  return { ...bench.services(), lanes };
}

async function run(
  bench: BatchBench,
  descriptions: readonly (Description | 'broken')[],
  names: readonly string[] = [],
) {
  const files = descriptions.map((_, at) => whole(names[at]));
  return await compressBatch(
    await bench.batch(files, { describe: describeBoth }),
    withDescriptions(bench, descriptions),
  );
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
    await bench.ledger.settle('others', { compressions: 0, aiCredits: ALLOWANCE - 1 });
    await run(bench, [came(), came(), failed]);
    expect(await credits(bench)).toMatchObject({ used: ALLOWANCE, topUp: 4, remaining: 4 });
  });

  test('are all given back when the whole batch goes wrong', async () => {
    const bench = await BatchBench.open();
    const present = () => {
      throw new Error('defect');
    };
    const services = { ...withDescriptions(bench, [came()]), present };
    await expect(compressBatch(await bench.batch([whole()], { describe: describeBoth }), services)).rejects.toThrow();
    expect(await credits(bench)).toMatchObject({ used: 0, remaining: ALLOWANCE });
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
    const { outcomes } = await run(await BatchBench.open(), descriptions, originals);
    return outcomes.map(({ result }) => result?.newName);
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
    const { outcomes } = await run(bench, [came('नीला-आसमान-बादल')]);
    const { pathname } = new URL(outcomes[0]!.result!.downloadUrl);
    expect(decodeURIComponent(pathname.split('/')[3]!)).toBe('नीला-आसमान-बादल.webp');
  });
});

test('failures are logged with their reason and nothing of the texts', async () => {
  const bench = await BatchBench.open();
  await run(bench, [came(), { calls: 1, failure: 'overloaded', code: '3040' }]);
  expect(bench.lines).toEqual([
    { level: 'warn', requestId: expect.any(String), index: 1, aiFailure: 'overloaded', code: '3040' },
  ]);
});
