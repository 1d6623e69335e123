import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FileJob, ImageRequest } from '../../src/batch/file-job.ts';
import { type ProcessFileServices, processFile } from '../../src/batch/process-file.ts';
import { Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { ResultStore } from '../../src/delivery/result-store.ts';
import type { DescriptionRequest } from '../../src/describe/description.ts';
import type { Picture, Provider } from '../../src/describe/providers/provider.ts';
import { identify } from '../../src/image/identify.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import { limits } from '../../src/limits.ts';
import { smallPng } from '../support/small-png.ts';
import { stageFile } from '../support/stage-file.ts';

const staging = new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight));
const results = new ResultStore(env.BUCKET);
const arena = new Arena();
const request: DescriptionRequest = { altText: true, seoName: true, language: 'English', originalName: 'a.png' };
const good = { altText: 'Blue and pink stripes', seoName: 'blue-pink-stripes' };

/** A provider that remembers what it was shown and answers when it is told to. */
class SlowProvider implements Provider {
  readonly id = 'openai';
  kind: Provider['kind'] = 'model';
  shown: Picture | undefined;
  signal: AbortSignal | undefined;
  readonly #answer = Promise.withResolvers<unknown>();

  answer(_request: DescriptionRequest, picture: Picture, signal: AbortSignal): Promise<unknown> {
    this.shown = picture;
    this.signal = signal;
    return this.#answer.promise;
  }

  say(answer: unknown): void {
    this.#answer.resolve(answer);
  }
}

let provider: SlowProvider;
beforeEach(() => {
  provider = new SlowProvider();
});

function services(more: Partial<ProcessFileServices> = {}): ProcessFileServices {
  return { staging, results, arena, describer: { provider, timeoutMs: 5000 }, ...more };
}

async function job(content: Uint8Array, image: Partial<ImageRequest> = {}): Promise<FileJob> {
  const requestId = crypto.randomUUID();
  return {
    requestId,
    accountId: 'account',
    plan: 'starter',
    index: 0,
    file: await stageFile(staging, content, 0, requestId),
    image: { format: 'webp', quality: 82, ...image },
    describe: request,
    result: { key: requestId, expires: 2_000_000_000 },
  };
}

test('the picture is done, stored, and the arena free while the provider still works', async () => {
  const file = await job(smallPng(90, 60));
  const { outcome } = await processFile(file, services());
  expect(await results.head(file.result.key)).toBeDefined();
  expect(arena.measure()).toBe(0);
  let settled = false;
  outcome.then(() => {
    settled = true;
  });
  await scheduler.wait(1);
  expect(settled).toBe(false);
  provider.say(good);
  expect(await outcome).toMatchObject({ kind: 'done', size: expect.any(Number), description: { ...good, calls: 1 } });
});

test('the provider is shown a JPEG of the upload, not of the result', async () => {
  const file = await job(smallPng(1600, 100), { format: 'png', maxWidth: 10 });
  provider.say(good);
  await (await processFile(file, services())).outcome;
  expect(await identify(provider.shown!.jpeg)).toMatchObject({ format: 'jpg', width: 768, height: 48 });
  expect(provider.shown!.traits).toBeUndefined();
});

test('traits are measured for a provider that works from them', async () => {
  provider.kind = 'measured';
  provider.say(good);
  await (await processFile(await job(smallPng(120, 40)), services())).outcome;
  expect(provider.shown!.traits).toMatchObject({ transparent: false, colours: expect.any(Array) });
});

test('without AI nothing is described', async () => {
  const { describe: _, ...plain } = await job(smallPng(20, 20));
  const outcome = await (await processFile(plain, services())).outcome;
  expect(outcome).toMatchObject({ kind: 'done', size: expect.any(Number) });
  expect(outcome).not.toHaveProperty('description');
  expect(provider.shown).toBeUndefined();
});

describe('a file that fails', () => {
  test('before its preview is ready is not shown to the provider', async () => {
    const file = await job(smallPng(30, 30).subarray(0, 60));
    expect(await (await processFile(file, services())).outcome).toMatchObject({
      kind: 'failed',
      error: 'broken_image',
    });
    expect(provider.shown).toBeUndefined();
  });

  test('after it needs no answer any more: the call is given up and the outcome does not wait', async () => {
    const { FileError } = await import('../../src/errors.ts');
    const refusing = { write: () => Promise.reject(new FileError('image_too_large', 'too large')) };
    const file = await job(smallPng(30, 30));
    const { outcome } = await processFile(file, services({ results: refusing as unknown as ResultStore }));
    expect(await outcome).toMatchObject({ kind: 'failed', error: 'image_too_large' });
    expect(provider.signal?.aborted).toBe(true);
  });

  test('for the platform’s reasons gives the call up, and is thrown', async () => {
    const away = { write: () => Promise.reject(new Error('R2 is away')) } as unknown as ResultStore;
    await expect(processFile(await job(smallPng(30, 30)), services({ results: away }))).rejects.toThrow('R2 is away');
    expect(provider.signal?.aborted).toBe(true);
  });
});

test('a picture that is fine but whose preview cannot be made is optimised without a description', async () => {
  let reads = 0;
  const once = new Proxy(staging, {
    get: (target, name) =>
      name === 'read'
        ? (...read: Parameters<Staging['read']>) =>
            reads++ === 0 ? Promise.reject(new Error('the platform failed')) : target.read(...read)
        : Reflect.get(target, name).bind(target),
  });
  const { outcome } = await processFile(await job(smallPng(30, 30)), services({ staging: once }));
  expect(await outcome).toMatchObject({
    kind: 'done',
    description: { calls: 0, failure: 'no_preview', code: 'defect' },
  });
});
