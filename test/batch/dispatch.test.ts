import { describe, expect, test } from 'vitest';
import { dispatch, type LaneEvent, type Lanes, lostOutcome } from '../../src/batch/dispatch.ts';
import type { FileJob } from '../../src/batch/file-job.ts';
import type { LaneAnswer, LaneCall } from '../../src/batch/lane.ts';
import type { FileOutcome } from '../../src/batch/outcome.ts';
import { limits } from '../../src/limits.ts';

type Answer = LaneAnswer;
/** How a lane behaves, told its name, the job, how many calls came before, and what it may tell its caller. */
type Behaviour = (lane: string, job: FileJob, calls: number, call: LaneCall) => Promise<Answer> | Answer;

const done = (size: number): Answer => ({ kind: 'done', value: { kind: 'done', size } });
const busy = (retryAfterSeconds = 1): Answer => ({ kind: 'busy', retryAfterSeconds });
const lost = (): never => {
  throw new Error('the isolate had a defect');
};
/** As the platform says it when it resets an object for what ran in it. */
const deadly = (): never => {
  throw Object.assign(new Error("Durable Object's isolate exceeded its memory limit and was reset."), { remote: true });
};
/** A code update, as the platform says it. */
const updated = (): never => {
  const marks = { remote: true, durableObjectReset: true, retryable: true };
  throw Object.assign(new Error('Durable Object reset because its code was updated.'), marks);
};
const overloaded = (): never => {
  throw Object.assign(new Error('Durable Object is overloaded. Too many requests queued.'), { overloaded: true });
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
      async process(job: FileJob, call: LaneCall): Promise<Answer> {
        asked.push({ lane, index: job.index });
        expect(call.lane).toBe(lane);
        return await behave(lane, job, asked.length - 1, call);
      },
    }),
  };
  const lanes: Lanes = { namespace: namespace as unknown as Lanes['namespace'], count, colo: 'VIE' };
  return { lanes, asked };
}

function jobs(count: number, requestId = 'request'): FileJob[] {
  return Array.from({ length: count }, (_, index) => ({
    requestId,
    accountId: 'account',
    plan: 'starter',
    index,
    file: { key: `staging/${index}`, size: 1 },
    image: { format: 'webp', quality: 82 },
    result: { key: `${index}`, expires: 0 },
  }));
}

/** On a clock that the lanes may move; pauses and time limits are over when they are told to be. */
async function run(lanes: Lanes, files: readonly FileJob[], clock = { now: 0 }) {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const pauses: number[] = [];
  const events: LaneEvent[] = [];
  const began: number[] = [];
  const ended = new Map<number, FileOutcome>();
  const outcomes = await dispatch(files, {
    lanes,
    now: () => clock.now,
    log: (line) => void lines.push(line),
    called: (event) => void events.push(event),
    began: (index) => void began.push(index),
    ended: (index, outcome) => void ended.set(index, outcome),
    shell: {
      random: () => 0.5,
      timer(milliseconds, late) {
        if (milliseconds >= 60_000) return () => {};
        pauses.push(milliseconds);
        clock.now += milliseconds;
        queueMicrotask(late);
        return () => {};
      },
    },
  });
  expect(began.toSorted((a, b) => a - b)).toEqual(files.map(({ index }) => index));
  expect(files.map(({ index }) => ended.get(index))).toEqual(outcomes);
  return { outcomes, lines, pauses, events };
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
    const { outcomes } = await run(lanes, jobs(20));
    expect(outcomes).toEqual(jobs(20).map(({ index }) => ({ kind: 'done', size: index })));
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
    expect(lines[0]!.error).toContain('had a defect');
  });

  test('is not tried again where it may be what killed the lane', async () => {
    const { lanes, asked } = fakeLanes(4, (_, { index }, __, { on }) => {
      if (index !== 1) return done(5);
      on?.('main');
      return deadly();
    });
    const { outcomes, lines, events } = await run(lanes, jobs(3));
    expect(outcomes).toEqual([{ kind: 'done', size: 5 }, lostOutcome, { kind: 'done', size: 5 }]);
    expect(asked.filter(({ index }) => index === 1)).toHaveLength(1);
    expect(lines).toEqual([
      expect.objectContaining({ event: 'lane_failure', index: 1, failure: 'deadly', engine: 'main' }),
    ]);
    expect(events).toContainEqual({ kind: 'failed', failure: 'deadly' });
  });

  test.each([
    ['waits for an engine', []],
    ['only waits for its texts', ['main', undefined]],
  ] as const)('is tried again where it %s while its lane dies of another job', async (_, engines) => {
    const { lanes, asked } = fakeLanes(8, (_, __, calls, { on }) => {
      for (const engine of engines) on?.(engine);
      return calls < 3 ? deadly() : done(5);
    });
    expect((await run(lanes, jobs(1))).outcomes).toEqual([{ kind: 'done', size: 5 }]);
    expect(new Set(asked.map(({ lane }) => lane)).size).toBe(4);
  });

  test('is tried once more where the lane died while the small engine had it: another job may be what killed it', async () => {
    const { lanes, asked } = fakeLanes(8, (_, __, ___, { on }) => {
      on?.('small');
      return deadly();
    });
    expect((await run(lanes, jobs(1))).outcomes).toEqual([lostOutcome]);
    expect(asked).toHaveLength(2);
  });

  test('survives a deployment that resets one lane after another, in longer and longer pauses', async () => {
    const { lanes } = fakeLanes(8, (_, __, calls) => (calls < 4 ? updated() : done(5)));
    const { outcomes, pauses } = await run(lanes, jobs(1));
    expect(outcomes).toEqual([{ kind: 'done', size: 5 }]);
    expect(pauses).toEqual([750, 1500, 3000, 6000]);
  });

  test('fails where no lane keeps it', async () => {
    const { lanes, asked } = fakeLanes(8, updated);
    expect((await run(lanes, jobs(1))).outcomes).toEqual([lostOutcome]);
    expect(asked).toHaveLength(5);
  });

  test('is tried again after a pause of random length: a deployment resets many lanes at once', async () => {
    const { lanes } = fakeLanes(4, (_, __, calls) => (calls === 0 ? lost() : done(5)));
    expect((await run(lanes, jobs(1))).pauses).toEqual([750]);
  });

  test('fails alone after the second time, and its message tells nothing of the inside', async () => {
    const { lanes, asked } = fakeLanes(4, (_, { index }) => (index === 1 ? lost() : done(5)));
    const { outcomes } = await run(lanes, jobs(3));
    expect(outcomes[1]).toMatchObject({ kind: 'failed', error: 'processing_failed' });
    expect(JSON.stringify(outcomes[1])).not.toMatch(/defect|isolate|lane|VIE/);
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
      return free.has(lane) ? done(1) : busy();
    });
    expect((await run(lanes, jobs(1))).outcomes).toEqual([{ kind: 'done', size: 1 }]);
    expect(new Set(asked.map(({ lane }) => lane)).size).toBe(5);
  });

  test('do not count as failures of the platform', async () => {
    const { lanes } = fakeLanes(4, (_, __, calls) => [lost, () => busy(), () => done(3)][calls]!());
    expect((await run(lanes, jobs(1))).outcomes).toEqual([{ kind: 'done', size: 3 }]);
  });

  test('are those, too, that the platform calls overloaded', async () => {
    const { lanes, asked } = fakeLanes(4, (_, __, calls) => (calls < 3 ? overloaded() : done(3)));
    const { outcomes, pauses } = await run(lanes, jobs(1));
    expect(outcomes).toEqual([{ kind: 'done', size: 3 }]);
    expect(new Set(asked.map(({ lane }) => lane)).size).toBe(4);
    expect(pauses).toEqual([]);
  });

  test('everywhere: the file fails as busy, with the time after which it is worth another try; the others are delivered', async () => {
    const { lanes, asked } = fakeLanes(3, (_, { index }) => (index === 2 ? busy(9) : done(1)));
    const { outcomes } = await run(lanes, jobs(20));
    expect(outcomes[2]).toEqual({
      kind: 'failed',
      error: 'service_busy',
      message: expect.stringContaining('in 9 s'),
      retryAfterSeconds: 9,
    });
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(19);
    expect(new Set(asked.filter(({ index }) => index === 2).map(({ lane }) => lane)).size).toBe(3);
  });

  test('in which it was waited for long are not waited in one after the other', async () => {
    const clock = { now: 0 };
    const { lanes, asked } = fakeLanes(16, () => {
      clock.now += limits.queue.ageMs;
      return busy(4);
    });
    const { outcomes } = await run(lanes, jobs(1), clock);
    expect(outcomes[0]).toMatchObject({ error: 'service_busy', retryAfterSeconds: 4 });
    expect(asked).toHaveLength(1);
  });
});

describe('a lane of another version of the code', () => {
  const unreadable: Answer = { ...busy(), unreadable: true } as Answer;

  test('cannot read the job, which waits for one that can: it is neither lost nor refused', async () => {
    const { lanes } = fakeLanes(4, (_, __, calls) => (calls < 5 ? unreadable : done(3)));
    const { outcomes, pauses, lines, events } = await run(lanes, jobs(1));
    expect(outcomes).toEqual([{ kind: 'done', size: 3 }]);
    expect(pauses).toEqual([750, 1500, 3000, 6000, 12_000]);
    expect(lines).toEqual([]);
    expect(events.slice(0, 5)).toEqual(Array(5).fill({ kind: 'turned_away', reason: 'unreadable' }));
  });

  test('is not waited for without end: the file is then one that may be sent again', async () => {
    const clock = { now: 0 };
    const { lanes } = fakeLanes(4, () => unreadable);
    expect((await run(lanes, jobs(1), clock)).outcomes).toEqual([expect.objectContaining({ error: 'service_busy' })]);
    expect(clock.now).toBeGreaterThanOrEqual(60_000);
    expect(clock.now).toBeLessThan(90_000);
  });
});
