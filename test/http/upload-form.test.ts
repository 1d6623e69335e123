import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { BatchFile } from '../../src/batch/batch.ts';
import { Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { RequestError } from '../../src/errors.ts';
import { readUploadForm, type UploadForm } from '../../src/http/upload-form.ts';
import { limits } from '../../src/limits.ts';
import { filePart, inPieces, multipartBody, type RawPart, textPart } from '../support/multipart-body.ts';

const TYPE = 'multipart/form-data; boundary=B0undary';
const staging = new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight));
let requests = 0;

function send(parts: readonly RawPart[], requestId = `form-${requests++}`) {
  const body = multipartBody('B0undary', parts);
  const request = new Request('http://x/', { method: 'POST', body, headers: { 'content-type': TYPE } });
  return { requestId, form: readUploadForm(request, { staging, requestId }) };
}

async function refusal(reading: Promise<unknown>): Promise<RequestError> {
  const error = await reading.catch((e: unknown) => e);
  expect(error).toBeInstanceOf(RequestError);
  return error as RequestError;
}

/** The files that came with a form. */
function ownFiles({ files }: UploadForm): BatchFile[] {
  return files.flatMap((file) => ('staged' in file ? [file] : []));
}

async function stagedKeys(requestId: string): Promise<string[]> {
  return (await env.BUCKET.list({ prefix: `staging/${requestId}/` })).objects.map(({ key }) => key);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('fields and files in any order are all there, files in the order sent', async () => {
  const { form, requestId } = send([
    filePart('file', 'a.png', 'first'),
    textPart('format', 'avif'),
    filePart('watermarkFile', 'w.png', 'mark'),
    filePart('file', 'dir/b %22b%22.png', 'second'),
    textPart('sessionId', 'año'),
    filePart('other', 'x', 'passed over'),
    textPart('format', 'png'),
  ]);
  const { fields, files, watermark } = await form;
  expect([...fields]).toEqual([
    ['format', 'png'],
    ['sessionId', 'año'],
  ]);
  expect(files).toEqual([
    { index: 0, name: 'a.png', staged: { key: `staging/${requestId}/0`, size: 5, sha256: sha256('first') } },
    { index: 1, name: 'dir/b "b".png', staged: { key: `staging/${requestId}/1`, size: 6, sha256: sha256('second') } },
  ]);
  expect(watermark?.staged).toEqual({ key: `staging/${requestId}/watermark`, size: 4, sha256: sha256('mark') });
  const second = new Uint8Array(6);
  await staging.read(ownFiles(await form)[1]!.staged, 0, second);
  expect(new TextDecoder().decode(second)).toBe('second');
});

test('fields uploadId stand among the files wherever the body is split', async () => {
  const id = 'c0ffee00-0000-4000-8000-000000000001';
  const body = multipartBody('B0undary', [
    textPart('uploadId', id),
    filePart('file', 'a.png', '\r\n--B0undar\r\n'),
    textPart('uploadId', ` ${id.replace('1', '2')}\r\n`),
    textPart('quality', '50'),
    textPart('uploadId', id),
  ]);
  const seen: unknown[] = [
    { index: 0, uploadId: id },
    { index: 1, name: 'a.png' },
    { index: 2, uploadId: id.replace('1', '2') },
    { index: 3, uploadId: id },
  ];
  const read = async (ends: readonly number[]) => {
    const request = { headers: new Headers({ 'content-type': TYPE }), body: inPieces(body, ends) };
    const { files, fields } = await readUploadForm(request, { staging: kept, requestId: 'split' });
    expect(files, `split at ${ends}`).toMatchObject(seen);
    expect([...fields]).toEqual([['quality', '50']]);
  };
  // R2 is none of this test's concern, and several hundred writes of it would take long.
  const put = async (_: string, body: ReadableStream) => void (await new Response(body).arrayBuffer());
  const kept = new Staging({ put } as unknown as R2Bucket, new UploadGate(limits.uploadBytesInFlight));
  for (let at = 0; at <= body.length; at++) await read([at]);
  await read(Array.from(body, (_, at) => at));
});

test('a watermark input with nothing chosen is no watermark', async () => {
  const { form, requestId } = send([filePart('file', 'a.png', 'x'), filePart('watermarkFile', '', '')]);
  expect((await form).watermark).toBeUndefined();
  expect(await stagedKeys(requestId)).toEqual([`staging/${requestId}/0/0`]);
});

test('twenty files pass; the twenty-first ends the request and nothing stays staged', async () => {
  const files = Array.from({ length: 21 }, (_, i) => filePart('file', `${i}.png`, 'x'));
  expect((await send(files.slice(1)).form).files).toHaveLength(20);
  const { form, requestId } = send(files);
  const { code, message } = await refusal(form);
  expect([code, message]).toEqual(['too_many_files', expect.stringMatching(/^Maximum 20 images allowed per batch/)]);
  expect(await stagedKeys(requestId)).toEqual([]);
});

test('20 MiB pass; one byte more is refused by name and nothing stays staged', async () => {
  const large = new Uint8Array(limits.fileBytes + 1);
  const files = ownFiles(await send([filePart('file', 'a.png', large.subarray(1))]).form);
  expect(files[0]!.staged.size).toBe(limits.fileBytes);
  const { form, requestId } = send([filePart('file', 'ok.png', 'x'), filePart('file', 'big %22$&%22.png', large)]);
  const { code, message, details } = await refusal(form);
  expect([code, details]).toEqual(['file_too_large', { name: 'big "$&".png' }]);
  expect(message).toMatch(/^File big "\$&"\.png exceeds the 20MB limit/);
  expect(await stagedKeys(requestId)).toEqual([]);
}, 30_000);

test.each<[string, RawPart[], RegExp]>([
  ['no file', [textPart('format', 'webp')], /no part named file/],
  ['no parts at all', [], /no part named file/],
  ['a file sent as text', [textPart('file', 'data')], /file was sent as text/],
  ['an empty file', [filePart('file', 'a.png', '')], /a\.png is empty/],
  ['no file chosen', [filePart('file', '', '')], /No file was chosen/],
  ['an empty file behind a good one', [filePart('file', 'a', 'x'), filePart('file', 'b', '')], /b is empty/],
  ['a watermark sent as text', [textPart('watermarkFile', 'x')], /watermarkFile was sent as text/],
  ['an empty watermark', [filePart('watermarkFile', 'w.png', '')], /watermarkFile is an empty file/],
  ['two watermarks', [filePart('watermarkFile', 'w', 'x'), filePart('watermarkFile', 'v', 'y')], /sent twice/],
  [
    'a watermark over 5 MiB',
    [filePart('watermarkFile', 'w', new Uint8Array(limits.watermarkBytes + 1))],
    /watermarkFile exceeds the 5 MB limit/,
  ],
])('%s is an invalid request that names the field, with nothing left staged', async (_, parts, expected) => {
  const { form, requestId } = send(parts);
  const { code, message } = await refusal(form);
  expect([code, message]).toEqual(['invalid_request', expect.stringMatching(expected)]);
  expect(await stagedKeys(requestId)).toEqual([]);
});

test('a watermark of 5 MiB passes', async () => {
  const mark = filePart('watermarkFile', 'w', new Uint8Array(limits.watermarkBytes));
  const { watermark } = await send([filePart('file', 'a', 'x'), mark]).form;
  expect(watermark?.staged.size).toBe(limits.watermarkBytes);
});

test('a text longer than any field may be is cut where its length is still wrong', async () => {
  const { fields } = await send([filePart('file', 'a', 'x'), textPart('aiContext', 'é'.repeat(100_000))]).form;
  const length = fields.get('aiContext')!.length;
  expect(length).toBeGreaterThan(limits.textCharacters);
  expect(length).toBeLessThanOrEqual(limits.fieldBytes);
});

test('only fields of the contract are kept, however many and long others are', async () => {
  const unknown = Array.from({ length: 190 }, (_, n) => textPart(`x${n}`, 'y'.repeat(24_000)));
  const { fields } = await send([textPart('quality', '50'), ...unknown, filePart('file', 'a', 'x')]).form;
  expect([...fields]).toEqual([['quality', '50']]);
});

test('all text of a form has one limit, which its names of files share', async () => {
  const long = (name: string) => textPart(name, 'x'.repeat(limits.fieldBytes));
  const known = ['format', 'quality', 'aiContext', 'seoKeywords', 'language'];
  const { form, requestId } = send([filePart('file', 'a', 'x'), ...known.map(long)]);
  const { code, message } = await refusal(form);
  expect([code, message]).toEqual(['invalid_request', expect.stringMatching(/more than 32 KiB together.*shorter/)]);
  expect(await stagedKeys(requestId)).toEqual([]);
  const named = [...known.slice(0, 4).map(long), filePart('file', 'a', 'x')];
  expect((await refusal(send(named).form)).message).toMatch(/file names .* 32 KiB/);
  // The same field again and again is one field: the last counts.
  await send([filePart('file', 'a', 'x'), ...Array.from({ length: 20 }, () => long('aiContext'))]).form;
});

test('what an honest customer sends at the most is far from that limit', async () => {
  const names = Array.from({ length: 20 }, (_, n) => filePart('file', `${'😀'.repeat(240)}${n}.jpeg`, 'x'));
  const texts = ['sessionId', 'aiContext', 'seoKeywords'].map((name) => textPart(name, '😀'.repeat(200)));
  const files = ownFiles(await send([...texts, ...names]).form);
  expect(files.map(({ name }) => name.length)).toEqual(Array.from({ length: 20 }, (_, n) => (n < 10 ? 486 : 487)));
});

test('names longer than 255 characters are cut between characters, before their extension, in messages too', async () => {
  const kept = `${'😀'.repeat(250)}.webp`;
  const { form } = send([filePart('file', `${'😀'.repeat(300)}.webp`, 'x')]);
  expect(ownFiles(await form)[0]!.name).toBe(kept);
  const large = filePart('file', `${'😀'.repeat(300)}.webp`, new Uint8Array(limits.fileBytes + 1));
  const { message, details } = await refusal(send([large]).form);
  expect([message, details]).toEqual([expect.stringContaining(`File ${kept} exceeds`), { name: kept }]);
}, 30_000);

test('a body with a Content-Encoding is an unsupported media type', async () => {
  const headers = { 'content-type': TYPE, 'content-encoding': 'gzip' };
  const request = new Request('http://x/', { method: 'POST', body: 'x', headers });
  const { code } = await refusal(readUploadForm(request, { staging, requestId: 'encoded' }));
  expect(code).toBe('unsupported_media_type');
});

test('a form that was read, refused or broken off leaves its place to the next', async () => {
  const one = new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight, { uploads: 1 }));
  const body = () => multipartBody('B0undary', [filePart('file', 'a', 'x')]);
  const read = (bytes: Uint8Array<ArrayBuffer>) => {
    const request = new Request('http://x/', { method: 'POST', body: bytes, headers: { 'content-type': TYPE } });
    return readUploadForm(request, { staging: one, requestId: `place-${requests++}` });
  };
  await read(body());
  await refusal(read(body().subarray(0, 20)));
  await refusal(read(multipartBody('B0undary', [])));
  await read(body());
});

test('a form has at most so many bytes, announced or not, and nothing stays of it', async () => {
  const body = multipartBody('B0undary', [filePart('file', 'a', 'x'), filePart('file', 'b', new Uint8Array(3000))]);
  const read = (headers: Record<string, string>, maxBytes: number) => {
    const request = { headers: new Headers({ 'content-type': TYPE, ...headers }), body: inPieces(body, []) };
    return readUploadForm(request, { staging, requestId: 'bounded', maxBytes });
  };
  for (const headers of [{ 'content-length': String(body.length) }, {}]) {
    const { code, message } = await refusal(read(headers, body.length - 1));
    expect([code, message]).toEqual(['payload_too_large', expect.stringMatching(/Split.*POST \/api\/uploads/)]);
    expect(await stagedKeys('bounded')).toEqual([]);
  }
  expect((await read({}, body.length)).files).toHaveLength(2);
});

test('unknown fields have an end, too', async () => {
  const { form } = send([filePart('file', 'a', 'x'), filePart('junk', 'j', new Uint8Array(limits.fileBytes + 1))]);
  expect((await refusal(form)).code).toBe('payload_too_large');
});

test('a form that breaks off leaves nothing staged', async () => {
  const whole = multipartBody('B0undary', [filePart('file', 'a', 'x'), filePart('file', 'b', 'y'.repeat(1000))]);
  const body = whole.subarray(0, whole.length - 500);
  const request = new Request('http://x/', { method: 'POST', body, headers: { 'content-type': TYPE } });
  const { code } = await refusal(readUploadForm(request, { staging, requestId: 'broken' }));
  expect(code).toBe('invalid_request');
  expect(await stagedKeys('broken')).toEqual([]);
});
