import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type CompressFileServices, compressFile } from '../../src/batch/compress-file.ts';
import type { FileJob } from '../../src/batch/file-job.ts';
import { processFile } from '../../src/batch/process-file.ts';
import { Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { ResultStore } from '../../src/delivery/result-store.ts';
import { JobWorkspace, LeaseLostError } from '../../src/image/job-workspace.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import { HELD_BYTES } from '../../src/image/source-file.ts';
import { limits } from '../../src/limits.ts';
import { chunk, concat } from '../image/formats/png/make-png.ts';
import { smallPng } from '../support/small-png.ts';
import { stageFile } from '../support/stage-file.ts';

/**
 * Two jobs on one arena, as it is when the first was taken for dead and comes back: it must end without having touched what is the second
 * one's, and without a word about its file.
 */
const staging = new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight));
const results = new ResultStore(env.BUCKET);
/** Real images of some megapixels are computed several times. */
const LONG = { timeout: 40_000 };
/** Large enough for pauses. */
const image = smallPng(1600, 1200);
/** So long that it is read in windows, in the arena. */
const long = padded(smallPng(1600, 1200, 7), 2 * HELD_BYTES);

/** The PNG with a chunk before its pixels that nobody looks into. */
function padded(png: Uint8Array, bytes: number): Uint8Array {
  const ihdrEnd = 8 + 25;
  return concat(png.subarray(0, ihdrEnd), chunk('prVt', new Uint8Array(bytes)), png.subarray(ihdrEnd));
}

async function job(content: Uint8Array): Promise<FileJob> {
  const requestId = crypto.randomUUID();
  return {
    requestId,
    accountId: 'account',
    plan: 'free',
    index: 0,
    file: await stageFile(staging, content, 0, requestId),
    image: { format: 'jpg', quality: 82 },
    result: { key: requestId, expires: 2_000_000_000 },
  };
}

async function resultOf({ result }: FileJob): Promise<Uint8Array> {
  return new Uint8Array(await new Response((await results.get(result.key))!.body).arrayBuffer());
}

/** Where a job stops, and how it goes on. */
function gate(at: number) {
  const reached = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  let passed = 0;
  const pass = async () => {
    if (passed++ !== at) return;
    reached.resolve();
    await open.promise;
  };
  return { pass, reached: reached.promise, open: open.resolve, passed: () => passed };
}

/** Staging whose reads stop between the bytes' arrival and their use. */
function gated(pass: () => Promise<void>): Staging {
  return new Proxy(staging, {
    get: (target, name) => {
      if (name !== 'read') return Reflect.get(target, name).bind(target);
      return async (...[file, offset, into, check]: Parameters<Staging['read']>) => {
        const bytes = new Uint8Array(into.length);
        await target.read(file, offset, bytes);
        await pass();
        // What the real one does with each piece of a body.
        check?.();
        into.set(bytes);
      };
    },
  });
}

/** Runs a job that stops at a gate, another one meanwhile, and tells how the first one ended. */
async function interleaved(
  first: FileJob,
  second: FileJob,
  services: CompressFileServices,
  stop: ReturnType<typeof gate>,
) {
  const ended = compressFile(first, services).then(
    (outcome) => outcome.kind,
    (error: unknown) => error,
  );
  await Promise.race([stop.reached, ended.then((end) => Promise.reject(new Error(`ended before its gate: ${end}`)))]);
  const inner = compressFile(second, { staging, results, arena: services.arena });
  stop.open();
  return { first: await ended, second: await inner };
}

test(
  'a job that loses its arena in a pause ends as that, and the other one’s image is as it would have been',
  LONG,
  async () => {
    const stop = gate(0);
    const services = { staging, results, arena: new Arena(), pause: stop.pass };
    const [first, second, alone] = [await job(image), await job(long), await job(long)];
    const ended = await interleaved(first, second, services, stop);
    expect(ended.first).toBeInstanceOf(LeaseLostError);
    expect(ended.second).toMatchObject({ kind: 'done' });
    expect(await results.head(first.result.key)).toBeUndefined();
    await compressFile(alone, { staging, results, arena: new Arena() });
    expect(await resultOf(second)).toEqual(await resultOf(alone));
    expect(services.arena.measure()).toBe(0);
  },
);

test.each([0, 1])('a job that loses its arena while its file is read (%i) is not called broken', LONG, async (read) => {
  const stop = gate(read);
  const services = { staging: gated(stop.pass), results, arena: new Arena() };
  const [first, second] = [await job(long), await job(image)];
  const ended = await interleaved(first, second, services, stop);
  expect(ended.first).toBeInstanceOf(LeaseLostError);
  expect(ended.second).toMatchObject({ kind: 'done' });
  expect(services.arena.measure()).toBe(0);
});

test('a job that loses its arena while its result is stored stores nothing', LONG, async () => {
  const stop = gate(0);
  const slow = {
    async write(key: string, body: AsyncIterable<Uint8Array>, meta: Parameters<ResultStore['write']>[2]) {
      const held = async function* () {
        for await (const piece of body) {
          await stop.pass();
          yield piece;
        }
      };
      return await results.write(key, held(), meta);
    },
  } as unknown as ResultStore;
  const [first, second] = [await job(image), await job(image)];
  const ended = await interleaved(first, second, { staging, results: slow, arena: new Arena() }, stop);
  expect(ended.first).toBeInstanceOf(LeaseLostError);
  expect(await results.head(first.result.key)).toBeUndefined();
  expect(await results.head(second.result.key)).toBeDefined();
});

test(
  'a job that loses its arena while its preview is made ends there: it does not take the arena back',
  LONG,
  async () => {
    const stop = gate(0);
    const arena = new Arena();
    const describer = { provider: { id: 'openai', kind: 'model', answer: async () => ({}) } as never, timeoutMs: 1000 };
    const describe = { altText: true, seoName: false, language: 'English', originalName: 'a.jpg' } as const;
    const [first, second] = [await job(smallPng(4000, 3000)), await job(image)];
    const ended = processFile({ ...first, describe }, { staging, results, arena, describer, pause: stop.pass }).catch(
      (error: unknown) => error,
    );
    await stop.reached;
    const workspace = new JobWorkspace(arena);
    stop.open();
    expect(await ended).toBeInstanceOf(LeaseLostError);
    workspace.check();
    workspace.finish();
    expect(await compressFile(second, { staging, results, arena })).toMatchObject({ kind: 'done' });
  },
);
