import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { RequestError } from '../../src/errors.ts';
import { readUploadBody } from '../../src/http/upload-body.ts';
import { limits, MIB } from '../../src/limits.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { filePart, inPieces, multipartBody, type RawPart, textPart } from '../support/multipart-body.ts';

const staging = new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight, { uploads: 1 }));
const FORM = { 'content-type': 'multipart/form-data; boundary=B0undary' };
let count = 0;

interface Sent {
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly maxBytes?: number;
  readonly clock?: ManualClock;
}

function send({ body, headers = {}, query = '', maxBytes, clock }: Sent) {
  const key = `uploads/body-${count++}`;
  const request = {
    url: `https://plume.test/api/uploads${query}`,
    headers: new Headers(headers),
    body: streamOf(body),
  };
  const file = readUploadBody(request, { staging, key, maxBytes, ...(clock && { clock }) });
  return { key, file };
}

function streamOf(body: Sent['body']): ReadableStream<Uint8Array> | null {
  return body instanceof Uint8Array ? (new Response(body).body as ReadableStream<Uint8Array>) : body;
}

const form = (...parts: RawPart[]): Sent => ({ body: multipartBody('B0undary', parts), headers: FORM });
const bytes = (text: string) => new Uint8Array(Buffer.from(text));

async function refusal({ key, file }: ReturnType<typeof send>): Promise<RequestError> {
  const error = await file.catch((e: unknown) => e);
  expect(error).toBeInstanceOf(RequestError);
  expect((await env.BUCKET.list({ prefix: `${key}/` })).objects).toEqual([]);
  return error as RequestError;
}

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

test.each<[string, Sent]>([
  ['a form', form(textPart('note', 'x'), filePart('file', 'b %22c%22.png', 'content'), filePart('other', 'o', 'y'))],
  ['a body named by the query', { body: bytes('content'), query: '?name=b%20%22c%22.png' }],
  [
    'a body named by Content-Disposition',
    { body: bytes('content'), headers: { 'content-disposition': 'attachment; filename="b \\"c\\".png"' } },
  ],
  [
    'a body that is named twice',
    {
      body: bytes('content'),
      query: '?name=b+%22c%22.png',
      headers: { 'content-disposition': 'attachment; filename=other.png' },
    },
  ],
])('%s is stored under its name', async (_, sent) => {
  const { key, file } = send(sent);
  const staged = { key, size: 7, sha256: sha256(bytes('content')) };
  expect(await file).toEqual({ name: 'b "c".png', staged });
  const stored = new Uint8Array(7);
  await staging.read(staged, 0, stored);
  expect(Buffer.from(stored).toString()).toBe('content');
});

test('a body without a name has one, whatever type it claims, and a long one is cut before its extension', async () => {
  const named = async (sent: Omit<Sent, 'body'>) => (await send({ body: bytes('x'), ...sent }).file).name;
  expect(await named({})).toBe('image');
  expect(await named({ headers: { 'content-type': 'application/x-www-form-urlencoded' } })).toBe('image');
  const coded = "attachment; filename*=UTF-8''%C3%A9t%C3%A9.jpg";
  expect(await named({ headers: { 'content-disposition': coded } })).toBe('été.jpg');
  expect(await named({ query: `?name=${'y'.repeat(400)}.jpeg` })).toBe(`${'y'.repeat(250)}.jpeg`);
});

test('20 MiB pass in a body of unknown length and in a form; a byte more does not', async () => {
  const large = new Uint8Array(limits.fileBytes + 1);
  const most = large.subarray(1);
  const pieces = (whole: Uint8Array) => inPieces(whole, [9 * MIB, 12 * MIB + 5]);
  expect((await send({ body: pieces(most) }).file).staged.size).toBe(limits.fileBytes);
  expect((await send(form(filePart('file', 'a', most))).file).staged.size).toBe(limits.fileBytes);
  for (const sent of [{ body: pieces(large), query: '?name=a' }, form(filePart('file', 'a', large))]) {
    const { code, details } = await refusal(send(sent));
    expect([code, details]).toEqual(['file_too_large', { name: 'a' }]);
  }
}, 60_000);

test('a body that announces too much is refused before it is read', async () => {
  let asked = 0;
  const stream = new ReadableStream<Uint8Array>({ pull: () => void asked++ }, { highWaterMark: 0 });
  const headers = { 'content-length': String(limits.fileBytes + 1) };
  const { code, message } = await refusal(send({ body: stream, headers, query: '?name=big.jpg' }));
  expect([code, message]).toEqual(['file_too_large', expect.stringMatching(/^File big\.jpg exceeds the 20MB limit/)]);
  expect(asked).toBe(0);
});

test.each<[string, Sent, RegExp]>([
  ['nothing at all', { body: null }, /^File image is empty/],
  ['an empty body', { body: new Uint8Array(0), query: '?name=a.png' }, /^File a\.png is empty/],
  ['a form without a file', form(textPart('x', 'y')), /no part named file/],
  ['a form with text for a file', form(textPart('file', 'data')), /file was sent as text/],
  ['a form with an empty file', form(filePart('file', 'a.png', '')), /^File a\.png is empty/],
  ['a form in which none was chosen', form(filePart('file', '', '')), /No file was chosen/],
  ['a form with two files', form(filePart('file', 'a', 'x'), filePart('file', 'b', 'y')), /one file in a request/],
  [
    'a form that breaks off',
    { ...form(), body: multipartBody('B0undary', [filePart('file', 'a', 'x')]).subarray(0, -9) },
    /ends before its closing boundary/,
  ],
])('%s is an invalid request, and nothing stays stored', async (_, sent, expected) => {
  const { code, message } = await refusal(send(sent));
  expect([code, message]).toEqual(['invalid_request', expect.stringMatching(expected)]);
});

test('an encoded body is refused', async () => {
  const { code } = await refusal(send({ body: bytes('x'), headers: { 'content-encoding': 'gzip' } }));
  expect(code).toBe('unsupported_media_type');
});

describe('a bound for the whole request', () => {
  const maxBytes = 1000;
  const advice = /^The request has more than 0 MB.*POST \/api\/uploads.*uploadId/;

  test.each<[string, Sent]>([
    ['a body', { body: inPieces(new Uint8Array(1001), [500]) }],
    ['a form', form(filePart('file', 'a', new Uint8Array(900)))],
  ])('ends %s that is longer, wherever the length was not announced', async (_, sent) => {
    const { code, message } = await refusal(send({ ...sent, maxBytes }));
    expect([code, message]).toEqual(['payload_too_large', expect.stringMatching(advice)]);
  });

  test('refuses one that announces more, and lets pass what is within', async () => {
    const headers = { 'content-length': '1001' };
    expect((await refusal(send({ body: bytes('x'), headers, maxBytes }))).code).toBe('payload_too_large');
    expect((await send({ body: inPieces(new Uint8Array(1000), []), maxBytes }).file).staged.size).toBe(1000);
  });
});

test('a client that is too slow is told so', async () => {
  const clock = new ManualClock();
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      new Promise<void>(
        (pulled) =>
          void clock.timer(20_000, () => {
            controller.enqueue(bytes('x'));
            pulled();
          }),
      ),
  });
  const sent = send({ body: stream, clock });
  let ended = false;
  const refused = refusal(sent).finally(() => {
    ended = true;
  });
  while (!ended) {
    await clock.advance(1000);
    // R2's answers are no promises of this isolate alone.
    await scheduler.wait(0);
  }
  expect((await refused).code).toBe('request_timeout');
  expect(clock.now()).toBeLessThan(60_000);
});

test('whoever was refused leaves the place to the next', async () => {
  // The gate of this file has one place.
  expect((await send({ body: bytes('x') }).file).staged.size).toBe(1);
});
