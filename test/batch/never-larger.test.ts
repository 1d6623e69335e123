import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type CompressFileServices, compressFile } from '../../src/batch/compress-file.ts';
import type { ImageRequest } from '../../src/batch/file-job.ts';
import { Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { ResultStore } from '../../src/delivery/result-store.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import { limits } from '../../src/limits.ts';
import { decodePicture, encodePicture } from '../support/code-picture.ts';
import { firstDifference } from '../support/first-difference.ts';
import { joined, jpegSegment } from '../support/jpeg-file.ts';
import { stageFile } from '../support/stage-file.ts';
import { syntheticPicture } from '../support/synthetic-picture.ts';

const services: CompressFileServices = {
  staging: new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight)),
  results: new ResultStore(env.BUCKET),
  arena: new Arena(),
};

async function compressed(file: Uint8Array, image: ImageRequest) {
  const staged = await stageFile(services.staging, file, 0, 'never-larger');
  const result = { key: 'never-larger', expires: 4_000_000_000 };
  const owner = { accountId: 'account', plan: 'free' } as const;
  const job = { requestId: 'never-larger', ...owner, index: 0, file: staged, image, result };
  const outcome = await compressFile(job, services);
  const stored = await services.results.get(result.key);
  const bytes = new Uint8Array(await new Response(stored!.body).arrayBuffer());
  expect(outcome).toMatchObject({ kind: 'done', size: bytes.length });
  expect(services.arena.measure()).toBe(0);
  return bytes;
}

const picture = syntheticPicture('photo', 90, 70);

test.each(['jpg', 'webp', 'avif'] as const)('%s that would grow comes back as it was coded', async (format) => {
  const file = await encodePicture(format, picture, 40);
  const result = await compressed(file, { format, quality: 100 });
  expect(result.length).toBeLessThanOrEqual(file.length);
  expect(firstDifference((await decodePicture(result)).pixels, (await decodePicture(file)).pixels)).toBeUndefined();
});

test('metadata goes although the coding stays', async () => {
  const plain = await encodePicture('jpg', picture, 40);
  const secret = new TextEncoder().encode('taken at home');
  const file = joined(plain.subarray(0, 2), jpegSegment(0xfe, secret), plain.subarray(2));
  const result = await compressed(file, { format: 'jpg', quality: 100 });
  expect(result.length).toBe(plain.length);
  expect(new TextDecoder('latin1').decode(result)).not.toContain('taken at home');
});

test('what was asked to change is changed, even if it grows', async () => {
  const file = await encodePicture('webp', picture, 40);
  const result = await compressed(file, { format: 'jpg', quality: 100 });
  expect(result.length).toBeGreaterThan(file.length);
  expect((await decodePicture(result)).header.format).toBe('jpg');
});

test('a smaller new file is kept', async () => {
  const file = await encodePicture('jpg', picture, 100);
  const result = await compressed(file, { format: 'jpg', quality: 40 });
  expect(result.length).toBeLessThan(file.length / 2);
});

test.each([1, 90])('PNG to PNG never grows and never changes, %i pixels wide', async (width) => {
  const source = syntheticPicture('photo', width, 40, true);
  const file = await encodePicture('png', source);
  const result = await compressed(file, { format: 'png', quality: 82 });
  expect(result.length).toBeLessThanOrEqual(file.length);
  expect(firstDifference((await decodePicture(result)).pixels, source.pixels)).toBeUndefined();
});
