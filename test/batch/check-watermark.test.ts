import { env } from 'cloudflare:workers';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkWatermark } from '../../src/batch/check-watermark.ts';
import { Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { limits } from '../../src/limits.ts';
import { chunk, concat, ihdr, makePng, signature } from '../image/formats/png/make-png.ts';
import { smallPng } from '../support/small-png.ts';
import { stageFile } from '../support/stage-file.ts';

const staging = new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight));

async function check(content: Uint8Array): Promise<void> {
  await checkWatermark(await stageFile(staging, content, 'watermark'), staging);
}

/** A PNG that claims these sides; its pixels are not looked at. */
const claiming = (width: number, height: number, ...before: Uint8Array[]) =>
  makePng(ihdr(width, height, 8, 6), Uint8Array.of(0), ...before);

/** `VP8L` of 1×1: what an image editor may save under the name of a PNG. */
const webp = concat(
  Uint8Array.from(new TextEncoder().encode('RIFF')),
  Uint8Array.of(22, 0, 0, 0),
  Uint8Array.from(new TextEncoder().encode('WEBPVP8L')),
  Uint8Array.of(10, 0, 0, 0, 0x2f, 0, 0, 0, 0, 0x88, 0x88, 0x08, 0, 0),
);

describe('is accepted:', () => {
  test.each([
    ['a PNG', smallPng(9, 7)],
    ['as many pixels as are allowed', claiming(4000, 4000)],
  ])('%s', (_, content) => check(content));
});

describe('is refused with the field, the reason and what is allowed:', () => {
  test.each([
    ['a WebP under the name of a PNG', webp, 'webp'],
    ['text', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'cannot be read'],
    ['a PNG that ends in its header', smallPng(9, 7).subarray(0, 20), 'cannot be read'],
    ['one row too many', claiming(4000, 4001), '16.0 megapixels'],
    ['an animated PNG', claiming(9, 9, chunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0])), 'animated'],
  ])('%s', async (_, content, reason) => {
    const refusal = await check(content).then(
      () => expect.fail('was accepted'),
      (error: unknown) => error as Error,
    );
    expect(refusal).toMatchObject({ name: 'RequestError', code: 'invalid_request' });
    expect(refusal.message).toContain('watermarkFile');
    expect(refusal.message).toContain(reason);
    expect(refusal.message).toContain('still PNG of at most 16 megapixels');
  });
});

test('a watermark whose pixels are many is refused without unpacking them', async () => {
  const bomb = concat(
    signature,
    ihdr(60_000, 60_000, 8, 6),
    chunk('IDAT', deflateSync(new Uint8Array(4_000_000))),
    chunk('IEND'),
  );
  await expect(check(bomb)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a watermark that is gone is our fault, not the client’s', async () => {
  const gone = { key: staging.keyFor(crypto.randomUUID(), 'watermark'), size: 1, sha256: '' };
  await expect(checkWatermark(gone, staging)).rejects.toThrow('gone');
});
