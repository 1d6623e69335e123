import { describe, expect, test } from 'vitest';
import { dispatch, type Lanes } from '../../src/batch/dispatch.ts';
import type { FileJob } from '../../src/batch/file-job.ts';
import type { FileOutcome } from '../../src/batch/outcome.ts';
import type { QueueAnswer } from '../../src/batch/queue.ts';
import { limits } from '../../src/limits.ts';

type Answer = QueueAnswer<FileOutcome>;
/** How a lane behaves, told its name, the job, and how many calls came before. */
type Behaviour = (lane: string, job: FileJob, calls: number) => Promise<Answer> | Answer;

const done = (size: number): Answer => ({ kind: 'done', value: { kind: 'done', size } });
const lost = (): never => {
  throw new Error('the isolate ran out of memory');
};

/**
 * Lanes that fail on demand, which those of the simulator cannot. Behaves like the platform's namespace as far as
 * `dispatch` uses it.
 */
function fakeLanes(count: number, behave: Behaviour) {
  const asked: { lane: string; index: number }[] = [];
  const namespace = {
    idFromName: (lane: string) => lane,
    get: (lane: string) => ({
      async process(job: FileJob): Promise<Answer> {
        asked.push({ lane, index: job.index });
        return await behave(lane, job, asked.length - 1);
      },
    }),
  };
  const lanes: Lanes = { namespace: namespace as unknown as Lanes['namespace'], count, colo: 'VIE' };
  return { lanes, asked };
}

function jobs(count: number, requestId = 'request'): FileJob[] {
  return Array.from({ length: count }, (_, index) => ({
    requestId,
    index,
    file: { key: `staging/${index}`, size: 1 },
    image: { format: 'webp', quality: 82 },
    result: { key: `${index}`, expires: 0 },
  }));
}

async function run(lanes: Lanes, files: readonly FileJob[]) {
  const lines: Readonly<Record<string, unknown>>[] = [];
  let progress = 0;
  const outcomes = await dispatch(
    files,
    lanes,
    (line) => void lines.push(line),
    async () => void progress++,
  );
  return { outcomes, lines, progress };
}

/** Lets others go first. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

describe('a batch', () => {
  test('gets its outcomes in its own order, whichever is ready first', async () => {
    const { lanes } = fakeLanes(16, async (_, { index }) => {
      await turns((20 - index) * 7);
      return done(index);
    });
    const { outcomes, progress } = await run(lanes, jobs(20));
    expect(outcomes).toEqual(jobs(20).map(({ index }) => ({ kind: 'done', size: index })));
    expect(progress).toBe(20);
  });

  test('is in more lanes where its pictures are described: they wait for a model', async () => {
    let running = 0;
    let most = 0;
    const { lanes } = fakeLanes(16, async () => {
      most = Math.max(most, ++running);
      await turns(5);
      running--;
      return done(1);
    });
    const describe = { altText: true, seoName: false, language: 'English', originalName: 'a.png' } as const;
    await run(
      lanes,
      jobs(16).map((job) => ({ ...job, describe })),
    );
    expect(most).toBe(limits.lanesPerDescribedBatch);
  });

  test('is in few lanes at a time, each file in another one', async () => {
    let running = 0;
    let most = 0;
    const { lanes, asked } = fakeLanes(16, async () => {
      most = Math.max(most, ++running);
      await turns(5);
      running--;
      return done(1);
    });
    await run(lanes, jobs(16));
    expect(most).toBe(limits.lanesPerBatch);
    expect(new Set(asked.map(({ lane }) => lane)).size).toBe(16);
    for (const { lane } of asked) expect(lane).toMatch(/^VIE-(1[0-5]|\d)$/);
  });

  test('starts elsewhere than others, and where it started before', async () => {
    const start = async (requestId: string) => {
      const { lanes, asked } = fakeLanes(16, () => done(1));
      await run(lanes, jobs(1, requestId));
      return asked[0]!.lane;
    };
    const starts = await Promise.all(Array.from({ length: 200 }, (_, at) => start(`request ${at}`)));
    expect(new Set(starts).size).toBe(16);
    expect(await start('request 7')).toBe(starts[7]);
  });

  test('of nothing asks no lane', async () => {
    const { lanes, asked } = fakeLanes(4, lost);
    expect((await run(lanes, [])).outcomes).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe('a file that a lane cannot process', () => {
  test('keeps its own outcome and is not tried again', async () => {
    const failed: FileOutcome = { kind: 'failed', error: 'broken_image', message: 'It is cut off.' };
    const { lanes, asked } = fakeLanes(4, (_, { index }) => (index === 1 ? { kind: 'done', value: failed } : done(9)));
    const { outcomes } = await run(lanes, jobs(3));
    expect(outcomes).toEqual([{ kind: 'done', size: 9 }, failed, { kind: 'done', size: 9 }]);
    expect(asked).toHaveLength(3);
  });
});

describe('a file that the platform fails', () => {
  test('is tried once more, on another lane, and the failure is in the log', async () => {
    const { lanes, asked } = fakeLanes(4, (_, __, calls) => (calls === 0 ? lost() : done(5)));
    const { outcomes, lines } = await run(lanes, jobs(1));
    expect(outcomes).toEqual([{ kind: 'done', size: 5 }]);
    expect(new Set(asked.map(({ lane }) => lane)).size).toBe(2);
    expect(lines).toEqual([expect.objectContaining({ level: 'error', requestId: 'request', index: 0 })]);
    expect(lines[0]!.error).toContain('ran out of memory');
  });

  test('fails alone after the second time, and its message tells nothing of the inside', async () => {
    const { lanes, asked } = fakeLanes(4, (_, { index }) => (index === 1 ? lost() : done(5)));
    const { outcomes } = await run(lanes, jobs(3));
    expect(outcomes[1]).toMatchObject({ kind: 'failed', error: 'processing_failed' });
    expect(JSON.stringify(outcomes[1])).not.toMatch(/memory|isolate|lane|VIE/);
    expect([outcomes[0], outcomes[2]]).toEqual(Array(2).fill({ kind: 'done', size: 5 }));
    expect(asked.filter(({ index }) => index === 1)).toHaveLength(2);
  });

  test('may use the same lane again where there is only one', async () => {
    const { lanes } = fakeLanes(1, (_, __, calls) => (calls === 0 ? lost() : done(5)));
    expect((await run(lanes, jobs(1))).outcomes).toEqual([{ kind: 'done', size: 5 }]);
  });
});

describe('busy lanes', () => {
  test('are passed by', async () => {
    const free = new Set<string>();
    const { lanes, asked } = fakeLanes(5, (lane, _, calls) => {
      if (calls === 4) free.add(lane);
      return free.has(lane) ? done(1) : { kind: 'busy' };
    });
    expect((await run(lanes, jobs(1))).outcomes).toEqual([{ kind: 'done', size: 1 }]);
    expect(new Set(asked.map(({ lane }) => lane)).size).toBe(5);
  });

  test('do not count as failures of the platform', async () => {
    const { lanes } = fakeLanes(4, (_, __, calls) =>
      [lost, () => ({ kind: 'busy' }) as const, () => done(3)][calls]!(),
    );
    expect((await run(lanes, jobs(1))).outcomes).toEqual([{ kind: 'done', size: 3 }]);
  });

  test('everywhere: the batch is refused, and no file is begun after that', async () => {
    const { lanes, asked } = fakeLanes(3, (_, { index }) => (index === 2 ? { kind: 'busy' } : done(1)));
    await expect(run(lanes, jobs(20))).rejects.toMatchObject({ code: 'service_busy' });
    expect(new Set(asked.filter(({ index }) => index === 2).map(({ lane }) => lane)).size).toBe(3);
    expect(asked.some(({ index }) => index === 19)).toBe(false);
  });

  test('refuse the batch only when the files under way are done, so that nothing is written behind its back', async () => {
    let running = 0;
    const { lanes } = fakeLanes(3, async (_, { index }) => {
      if (index === 0) return { kind: 'busy' };
      running++;
      await turns(200);
      running--;
      return done(1);
    });
    await expect(run(lanes, jobs(4))).rejects.toMatchObject({ code: 'service_busy' });
    expect(running).toBe(0);
  });
});
