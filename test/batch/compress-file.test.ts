import { env } from 'cloudflare:workers';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type CompressFileServices, compressFile } from '../../src/batch/compress-file.ts';
import type { FileJob, ImageRequest } from '../../src/batch/file-job.ts';
import { Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { ResultStore } from '../../src/delivery/result-store.ts';
import { type FormatId, formatIds } from '../../src/image/formats/format-id.ts';
import { registry } from '../../src/image/formats/registry.ts';
import { identify } from '../../src/image/identify.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import { limits } from '../../src/limits.ts';
import { chunk, concat, ihdr, makePng, signature } from '../image/formats/png/make-png.ts';
import { smallPng } from '../support/small-png.ts';
import { stageFile } from '../support/stage-file.ts';

const EXPIRES = 2_000_000_000;
const services: CompressFileServices = {
  staging: new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight)),
  results: new ResultStore(env.BUCKET),
  arena: new Arena(),
};

/** A PNG that claims these sides and has next to no pixels. */
const claimedPng = (width: number, height: number, ...before: Uint8Array[]) =>
  makePng(ihdr(width, height, 8, 6), Uint8Array.of(0), ...before);

/** A PNG that deflates to about as many bytes as it has samples, in many chunks: it can break off anywhere. */
function noisePng(width: number, height: number): Uint8Array {
  let state = 1;
  const rows = Uint8Array.from({ length: height * (1 + width * 3) }, (_, at) => {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    return at % (1 + width * 3) === 0 ? 0 : state >>> 24;
  });
  const data = deflateSync(rows);
  const pieces = Array.from({ length: Math.ceil(data.length / 8192) }, (_, piece) =>
    chunk('IDAT', data.subarray(piece * 8192, (piece + 1) * 8192)),
  );
  return concat(signature, ihdr(width, height, 8, 2), ...pieces, chunk('IEND'));
}

async function job(content: Uint8Array, image: Partial<ImageRequest> = {}): Promise<FileJob> {
  const requestId = crypto.randomUUID();
  return {
    requestId,
    accountId: 'account',
    plan: 'free',
    index: 0,
    file: await stageFile(services.staging, content),
    image: { format: 'webp', quality: 82, ...image },
    result: { key: requestId, expires: EXPIRES },
  };
}

async function resultOf({ result }: FileJob): Promise<Uint8Array> {
  const stored = await services.results.get(result.key);
  return new Uint8Array(await new Response(stored!.body).arrayBuffer());
}

/** Compresses and gives back the bytes of the result. */
async function compressed(content: Uint8Array, image: Partial<ImageRequest> = {}): Promise<Uint8Array> {
  const file = await job(content, image);
  expect(await compressFile(file, services)).toMatchObject({ kind: 'done' });
  return await resultOf(file);
}

describe.each(formatIds)('a picture becomes %s', (format) => {
  test('and is stored with what a download needs', async () => {
    const file = await job(smallPng(70, 50), { format, maxWidth: 35 });
    const outcome = await compressFile(file, services);
    const result = await resultOf(file);
    const picture = { originalWidth: 70, originalHeight: 50, width: 35, height: 25, unchanged: false };
    expect(outcome).toEqual({ kind: 'done', size: result.length, picture });
    expect(await identify(result)).toMatchObject({ format, width: 35, height: 25 });
    expect(await services.results.head(file.result.key)).toMatchObject({
      size: result.length,
      mediaType: registry[format].mediaType,
    });
  });

  test('and nothing of it stays in the arena', async () => {
    await compressFile(await job(smallPng(70, 50), { format }), services);
    expect(services.arena.measure()).toBe(0);
  });

  test('and repeated, the same at the same place', async () => {
    const file = await job(smallPng(40, 30), { format });
    await compressFile(file, services);
    const first = await resultOf(file);
    await compressFile(file, services);
    expect(await resultOf(file)).toEqual(first);
  });
});

describe('a file that cannot be processed is an outcome, and nothing is stored:', () => {
  test.each([
    ['text', new TextEncoder().encode('not a picture'), 'unsupported_image'],
    ['a header without pixels', smallPng(30, 30).subarray(0, 60), 'broken_image'],
    ['damaged pixels', smallPng(30, 30).map((byte, at) => (at > 60 && at < 90 ? byte ^ 0x55 : byte)), 'broken_image'],
    ['more pixels than accepted', claimedPng(20_000, 5001), 'image_too_large'],
    ['an animation', claimedPng(9, 9, chunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0])), 'animated_image'],
  ])('%s', async (_, content, error) => {
    const file = await job(content, { maxWidth: 20 });
    expect(await compressFile(file, services)).toMatchObject({ kind: 'failed', error });
    expect(await services.results.head(file.result.key)).toBeUndefined();
    expect(services.arena.measure()).toBe(0);
  });
});

describe('a file that fails says what it has cost:', () => {
  test('nothing where its header or its plan refused it', async () => {
    for (const content of [new TextEncoder().encode('not a picture'), claimedPng(20_000, 5001)]) {
      expect(await compressFile(await job(content), services)).not.toHaveProperty('cpuSeconds');
    }
  });

  async function costOfCut(share: number, format: FormatId): Promise<number> {
    const whole = noisePng(600, 400);
    const outcome = await compressFile(await job(whole.slice(0, whole.length * share), { format }), services);
    if (outcome.kind !== 'failed') throw new Error('it was processed');
    return outcome.cpuSeconds!;
  }

  test('what was decoded and encoded where its data breaks off', async () => {
    const early = await costOfCut(0.3, 'webp');
    const late = await costOfCut(0.9, 'webp');
    expect(early).toBeGreaterThan(0.01);
    expect(late).toBeGreaterThan(2 * early);
    expect(late).toBeLessThan(1);
  });

  test('next to nothing of an AVIF that was never begun', async () => {
    const cost = await costOfCut(0.9, 'avif');
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThan(0.1);
  });
});

describe('never larger:', () => {
  test('a PNG that is as small as it gets comes back without its metadata and nothing else', async () => {
    const best = await compressed(smallPng(60, 40), { format: 'png' });
    const noted = withText(best);
    expect(await compressed(noted, { format: 'png' })).toEqual(best);
  });

  test('a JPEG asked for at a higher quality comes back as it was', async () => {
    const coarse = await compressed(smallPng(60, 40), { format: 'jpg', quality: 40 });
    expect(await compressed(coarse, { format: 'jpg', quality: 100 })).toEqual(coarse);
  });

  test('but a change that was asked for is made, whatever it costs', async () => {
    const coarse = await compressed(smallPng(60, 40), { format: 'jpg', quality: 40 });
    const resized = await compressed(coarse, { format: 'jpg', quality: 100, maxWidth: 59 });
    expect(await identify(resized)).toMatchObject({ format: 'jpg', width: 59 });
    expect((await identify(await compressed(coarse, { format: 'png' }))).format).toBe('png');
  });
});

test('a watermark changes the picture, and one that is fully transparent does not', async () => {
  const picture = smallPng(80, 60);
  const mark = { file: await stageFile(services.staging, smallPng(10, 10, 99)), scale: 30, position: 'TL' } as const;
  const at = (opacity: number) => compressed(picture, { format: 'png', watermark: { ...mark, opacity } });
  const plain = await compressed(picture, { format: 'png' });
  expect(await at(100)).not.toEqual(plain);
  expect((await at(0)).length).toBeLessThanOrEqual((await at(100)).length);
});

describe('when the platform fails', () => {
  test('a staged file that is gone is an error, so that the job may be repeated', async () => {
    const file = await job(smallPng(9, 9));
    await services.staging.remove([file.file]);
    await expect(compressFile(file, services)).rejects.toThrow('gone');
  });

  test('a result that cannot be stored is an error, and the arena is clean for the next job', async () => {
    const results = { write: () => Promise.reject(new Error('R2 is away')) } as unknown as ResultStore;
    const file = await job(smallPng(9, 9));
    await expect(compressFile(file, { ...services, results })).rejects.toThrow('R2 is away');
    expect(services.arena.measure()).toBe(0);
    expect(await compressFile(file, services)).toMatchObject({ kind: 'done' });
  });
});

/** The PNG with a text chunk ahead of its pixels. */
function withText(png: Uint8Array): Uint8Array {
  const ihdrEnd = 8 + 25;
  const text = chunk('tEXt', new TextEncoder().encode('Author\0Somebody'));
  return concat(png.subarray(0, ihdrEnd), text, png.subarray(ihdrEnd));
}
