import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { isolateEngines } from '../../src/batch/engines.ts';
import { type FileJob, JOB_VERSION } from '../../src/batch/file-job.ts';
import { CodecLane, type LaneAnswer, type LaneEnv } from '../../src/batch/lane.ts';
import type { AiBinding } from '../../src/describe/providers/workers-ai.ts';
import type { SentFile } from '../support/batch-bench.ts';
import { BatchBench } from '../support/batch-bench.ts';
import { smallPng } from '../support/small-png.ts';

async function jobs(bench: BatchBench, files: readonly SentFile[]): Promise<FileJob[]> {
  const { requestId, accountId, plan, files: staged, image } = await bench.batch(files);
  return staged.map(({ index, staged }) => ({
    requestId,
    accountId,
    plan,
    index,
    file: staged,
    image,
    result: { key: `${requestId}.${index}`, expires: 2_000_000_000 },
  }));
}

/**
 * One lane for all: the test runner switches off the platform's handling of promises that are settled by another object, on
 * which the queue of an isolate with several lanes rests. Those are tested on a server (test/conformance/stress.node.test.ts).
 */
async function process(job: FileJob) {
  return await env.LANE.get(env.LANE.idFromName('lane')).process(job);
}

/** What a lane says and tells while it works, beside its answers. */
async function listen<T>(work: (lane: CodecLane) => Promise<T>, more: Partial<LaneEnv> = {}) {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const answer = await runInDurableObject(env.LANE.get(env.LANE.idFromName('lane')), async (_instance, state) =>
    work(new CodecLane(state, { ...env, ...more }, (line) => void lines.push(line))),
  );
  return { answer, lines };
}

async function hashOf(bench: BatchBench, { result }: FileJob): Promise<string> {
  const stored = await bench.results.get(result.key);
  const digest = await crypto.subtle.digest('SHA-256', await new Response(stored!.body).arrayBuffer());
  return [...new Uint8Array(digest)].join();
}

test('jobs sent at once come out as they do one after the other', async () => {
  const bench = await BatchBench.open();
  const pictures = Array.from({ length: 8 }, (_, at) => ({ name: 'a.png', content: smallPng(40 + at, 30, at) }));
  const [together, alone] = [await jobs(bench, pictures), await jobs(bench, pictures)];
  const answers = await Promise.all(together.map(process));
  for (const answer of answers) expect(answer).toMatchObject({ kind: 'done', value: { kind: 'done' } });
  for (const [at, job] of alone.entries()) {
    const { report: _, ...answer } = (await process(job)) as LaneAnswer;
    expect(answers[at]).toMatchObject(answer);
    expect(await hashOf(bench, job)).toBe(await hashOf(bench, together[at]!));
  }
});

test('a file that cannot be read is an answer, and does not touch the one behind it', async () => {
  const bench = await BatchBench.open();
  const content = smallPng(20, 20);
  const [broken, whole] = await jobs(bench, [
    { name: 'a.png', content: content.subarray(0, 70) },
    { name: 'b.png', content },
  ]);
  const answers = await Promise.all([process(broken!), process(whole!)]);
  expect(answers[0]).toMatchObject({ kind: 'done', value: { kind: 'failed', error: 'broken_image' } });
  expect(answers[1]).toMatchObject({ kind: 'done', value: { kind: 'done' } });
});

test('a job that fails for another reason is thrown to the caller, and the lane goes on', async () => {
  const bench = await BatchBench.open();
  const [gone, whole] = await jobs(bench, [
    { name: 'a.png', content: smallPng(9, 9) },
    { name: 'b.png', content: smallPng(9, 9) },
  ]);
  await bench.staging.remove([gone!.file]);
  await expect(process(gone!)).rejects.toThrow('gone');
  expect(await process(whole!)).toMatchObject({ value: { kind: 'done' } });
});

test('a file that waits for its description does not hold up the next one', async () => {
  const bench = await BatchBench.open();
  const [slow, quick] = await jobs(bench, [
    { name: 'a.png', content: smallPng(20, 20) },
    { name: 'b.png', content: smallPng(20, 20, 1) },
  ]);
  const { promise: said, resolve: say } = Promise.withResolvers<unknown>();
  const AI: AiBinding = { run: () => said };
  const describe = { altText: true, seoName: false, language: 'English', originalName: 'a.png' } as const;
  await runInDurableObject(env.LANE.get(env.LANE.idFromName('lane')), async (_instance, state) => {
    const lane = new CodecLane(state, { ...env, AI, AI_PROVIDER: 'workers-ai' });
    let described = false;
    const waiting = lane.process({ ...slow!, describe }).finally(() => {
      described = true;
    });
    expect(await lane.process(quick!)).toMatchObject({ value: { kind: 'done' } });
    expect(described).toBe(false);
    say({ response: { altText: 'Green stripes' } });
    const description = { altText: 'Green stripes', calls: 1 };
    expect(await waiting).toMatchObject({ kind: 'done', value: { kind: 'done', description } });
  });
});

test('while a large picture is computed, others have the isolate in between', async () => {
  const bench = await BatchBench.open();
  const [large] = await jobs(bench, [{ name: 'a.png', content: smallPng(2000, 1500) }]);
  let running = true;
  const computed = process(large!).finally(() => {
    running = false;
  });
  let turns = 0;
  for (; running; turns++) await scheduler.wait(0);
  expect(await computed).toMatchObject({ value: { kind: 'done' } });
  expect(turns).toBeGreaterThanOrEqual(2);
});

test('a job of the main engine is told of as on it until it has given it back', async () => {
  const bench = await BatchBench.open();
  const [png] = await jobs(bench, [{ name: 'a.png', content: smallPng(40, 30) }]);
  const job = { ...png!, image: { format: 'avif', quality: 82 } } as const;
  const told: unknown[] = [];
  const { lines } = await listen((lane) => lane.process(job, { lane: 'VIE-3', on: (engine) => told.push(engine) }));
  expect(told).toEqual(['main', undefined]);
  expect(lines).toEqual([expect.objectContaining({ engine: 'main', output: 'avif', megapixels: 0.0012 })]);
});

test('a lane that is reset in the middle of a job does not hold up the isolate: the next job is answered within 20 s', {
  timeout: 40_000,
}, async () => {
  const bench = await BatchBench.open();
  const [large, small, other] = await jobs(bench, [
    { name: 'a.png', content: smallPng(4000, 3000) },
    { name: 'b.png', content: smallPng(1900, 1200) },
    { name: 'c.png', content: smallPng(20, 20) },
  ]);
  const died = process({ ...large!, image: { format: 'avif', quality: 82 } }).catch((error: unknown) => error);
  // It is in the main engine by then: the small one has turned it down.
  await expect.poll(() => isolateEngines.main.queue.inUse).toBe(true);
  await abortAllDurableObjects();
  // The simulator's own way to reset objects says it in other words than the platform.
  expect(String(await died)).toContain('abortAllDurableObjects');
  const since = Date.now();
  const answers = await Promise.all([process(small!), process(other!)]);
  expect(Date.now() - since).toBeLessThan(20_000);
  for (const answer of answers) expect(answer).toMatchObject({ kind: 'done', value: { kind: 'done' } });
});

test('a job leaves one line that tells all but names and contents', async () => {
  const bench = await BatchBench.open();
  const [job] = await jobs(bench, [{ name: 'secret-name.png', content: smallPng(200, 100) }]);
  const points: AnalyticsEngineDataPoint[] = [];
  const { answer, lines } = await listen((lane) => lane.process({ ...job!, ray: '8a-VIE' }, { lane: 'VIE-3' }), {
    VERSION: { id: 'version-7', tag: '', timestamp: '' },
    ANALYTICS: { writeDataPoint: (point) => void points.push(point!) },
  });
  const size = answer.kind === 'done' && answer.value.kind === 'done' ? answer.value.size : undefined;
  const { requestId, accountId, file } = job!;
  const number = expect.any(Number);
  expect(lines).toEqual([
    {
      ...{ level: 'info', event: 'job', requestId, ray: '8a-VIE', index: 0, accountId },
      ...{ lane: 'VIE-3', colo: 'VIE', versionId: 'version-7' },
      ...{ outcome: 'done', engine: 'small', input: 'png', output: 'webp', megapixels: 0.02 },
      ...{ bytesIn: file.size, bytesOut: size, peakBytes: number, plannedCpuSeconds: number },
      ...{ queueMs: number, engineMs: number, durationMs: number },
    },
  ]);
  expect(lines[0]!.peakBytes).toBeGreaterThan(100_000);
  expect(answer.report).toMatchObject({ outcome: 'done', bytesOut: size });
  expect(points).toEqual([
    {
      indexes: [accountId],
      blobs: ['job', 'done', 'png', 'webp', 'small', 'VIE-3', 'VIE', 'version-7'],
      doubles: [number, file.size, size, number, number, 0.02, number],
    },
  ]);
});

test('a file that cannot be processed leaves its code; a defect its stack', async () => {
  const bench = await BatchBench.open();
  const content = smallPng(20, 20);
  const [broken, gone] = await jobs(bench, [
    { name: 'a.png', content: content.subarray(0, 70) },
    { name: 'b.png', content },
  ]);
  await bench.staging.remove([gone!.file]);
  const { lines } = await listen(async (lane) => {
    await lane.process(broken!);
    await expect(lane.process(gone!)).rejects.toThrow('gone');
  });
  expect(lines).toEqual([
    expect.objectContaining({ level: 'info', outcome: 'broken_image', engine: 'small' }),
    expect.objectContaining({ level: 'error', outcome: 'defect', error: expect.stringMatching(/gone(.|\n)*\n +at /) }),
  ]);
});

test('a caller in another object is told which engine its job has, before the lane dies of it', {
  timeout: 30_000,
}, async () => {
  const bench = await BatchBench.open();
  const [job, next] = await jobs(bench, [
    { name: 'a.png', content: smallPng(4000, 3000) },
    { name: 'b.png', content: smallPng(20, 20) },
  ]);
  let engine: unknown;
  const on = (now: unknown) => {
    engine = now;
  };
  const lane = env.LANE.get(env.LANE.idFromName('lane'));
  const died = lane.process({ ...job!, image: { format: 'avif', quality: 82 } }, { lane: 'VIE-3', on }).then(
    () => 'done',
    () => 'died',
  );
  // The engine may still belong to the lane that died before.
  await expect.poll(() => engine, { timeout: 20_000 }).toBe('main');
  await abortAllDurableObjects();
  expect([await died, engine]).toEqual(['died', 'main']);
  // The engine is taken from the dead one.
  expect(await process({ ...next!, image: { format: 'avif', quality: 82 } })).toMatchObject({
    value: { kind: 'done' },
  });
});

test('a job of a form that the lane does not know is not touched, and its caller may repeat it', async () => {
  const bench = await BatchBench.open();
  const [job] = await jobs(bench, [{ name: 'a.png', content: smallPng(20, 20) }]);
  expect(await process({ ...job!, version: JOB_VERSION + 1 })).toEqual({
    kind: 'busy',
    retryAfterSeconds: 1,
    unreadable: true,
  });
  expect(await bench.results.get(job!.result.key)).toBeUndefined();
  expect(await process({ ...job!, version: JOB_VERSION })).toMatchObject({ value: { kind: 'done' } });
});

test('a lane compresses a pixel to show that it works, and for some seconds not again', async () => {
  let turns = 0;
  const { queue } = isolateEngines.small;
  const run = queue.run.bind(queue);
  vi.spyOn(queue, 'run').mockImplementation((owner, task) => {
    turns++;
    return run(owner, task);
  });
  const { lines } = await listen((lane) => Promise.all(Array.from({ length: 50 }, () => lane.check())));
  vi.restoreAllMocks();
  expect([turns, lines]).toEqual([1, []]);
});
