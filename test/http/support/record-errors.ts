import { Hono } from 'hono';
import type { Batch } from '../../../src/batch/batch.ts';
import { refusal } from '../../../src/batch/refusal.ts';
import { submitBatch } from '../../../src/batch/submit-batch.ts';
import { signDownload } from '../../../src/delivery/signed-url.ts';
import { handleError } from '../../../src/http/handle-error.ts';
import type { HttpEnv } from '../../../src/http/http-env.ts';
import { httpsOnly } from '../../../src/http/https-only.ts';
import { UploadPace, uploadPace } from '../../../src/http/upload-pace.ts';
import { limits } from '../../../src/limits.ts';
import { PlatformError } from '../../../src/platform/call-platform.ts';
import { signingKey } from '../../conformance/support/server.ts';
import type { ExampleRecorder } from './example-recorder.ts';
import { batchForm, type Story } from './record-operations.ts';

/** Brings every error about and records its answer: most by a request, those of rare moments by the code that makes them. */
export async function recordErrors(recorder: ExampleRecorder, story: Story): Promise<void> {
  await recordRefusedBatches(recorder, story);
  await recordRefusedDownloads(recorder, story);
  await recordRefusedAccess(recorder, story);
  await recordRareMoments(recorder);
}

async function recordRefusedBatches(recorder: ExampleRecorder, { key }: Story): Promise<void> {
  const refuse = (code: Parameters<typeof recorder.refuse>[0], form: FormData, headers = {}) =>
    recorder.refuse(code, 'POST', '/api/compress', { as: { key }, form, headers });
  const names = Array.from({ length: limits.files + 1 }, (_, place) => `${place + 1}.png`);
  await refuse('too_many_files', batchForm({}, ...names).form);
  const large = new FormData();
  large.append('file', new File([new Uint8Array(limits.fileBytes + 1)], 'large.jpg'));
  await refuse('file_too_large', large);
  await refuse('invalid_request', batchForm({ quality: 30 }, 'photo.png').form);
  const keyed = { 'Idempotency-Key': 'order 4711' };
  await recorder.send('POST', '/api/compress', { as: { key }, form: batchForm({}, 'photo.png').form, headers: keyed });
  await refuse('idempotency_mismatch', batchForm({ quality: 60 }, 'photo.png').form, keyed);
  await recorder.refuse('unsupported_media_type', 'POST', '/api/zips', {
    as: { key },
    headers: { 'Content-Type': 'text/plain' },
  });
  const json = { urls: Array(600).fill('x'.repeat(4000)) };
  await recorder.refuse('payload_too_large', 'POST', '/api/zips', { as: { key }, json });
  await recorder.refuse('method_not_allowed', 'PUT', '/api/usage', { as: { key } });
  await recorder.refuse('not_found', 'GET', `/api/batches/${crypto.randomUUID()}`, { as: { key } });
}

async function recordRefusedDownloads(recorder: ExampleRecorder, { downloadUrl }: Story): Promise<void> {
  const path = downloadUrl.slice(recorder.url.length);
  await recorder.refuse('precondition_failed', 'GET', path, { headers: { 'If-Match': '"other"' } });
  await recorder.refuse('range_not_satisfiable', 'GET', path, { headers: { Range: 'bytes=99999999-' } });
  await recorder.refuse('invalid_signature', 'GET', path.replace(/signature=.{3}/, 'signature=AAA'));
  const key = decodeURIComponent(path.split('/')[2]!);
  const old = { baseUrl: '', key, fileName: 'photo.webp', expires: 1_700_000_000, secret: signingKey };
  await recorder.refuse('link_expired', 'GET', await signDownload(old));
}

async function recordRefusedAccess(recorder: ExampleRecorder, { key }: Story): Promise<void> {
  await recorder.refuse('unauthorized', 'GET', '/api/usage');
  await recorder.refuse('session_required', 'GET', '/api/keys', { as: { key } });
  await recorder.refuse('cross_origin', 'DELETE', '/session', {
    as: 'browser',
    headers: { Origin: 'https://other.example' },
  });
  for (let made = 0; made < limits.liveKeys; made++) {
    await recorder.send('POST', '/api/keys', { as: 'browser', json: { label: `key ${made}` } });
  }
  await recorder.refuse('key_limit_reached', 'POST', '/api/keys', { as: 'browser', json: { label: 'one more' } });
  const free = await newFreeAccount(recorder);
  const sent = { as: { key: free.appKey } };
  const png = new File([new Uint8Array(1)], 'logo.png');
  const marked = batchForm({}, 'photo.png').form;
  marked.append('watermarkFile', png);
  await recorder.refuse('watermark_not_available', 'POST', '/api/compress', { ...sent, form: marked });
  const described = batchForm({ autoAltText: true }, 'photo.png').form;
  await recorder.refuse('ia_not_available', 'POST', '/api/compress', { ...sent, form: described });
  await recorder.refuse('api_not_available', 'GET', '/api/usage', { as: { key: free.apiKey } });
  await recorder.send('PATCH', `/admin/accounts/${free.id}`, { as: 'admin', json: { suspended: true } });
  await recorder.refuse('account_suspended', 'GET', '/api/usage', sent);
  for (let attempt = 0; attempt < limits.refusalsPerMinute; attempt++) await recorder.send('GET', '/api/usage');
  await recorder.refuse('rate_limited', 'GET', '/api/usage');
}

async function newFreeAccount(recorder: ExampleRecorder) {
  const post = async (path: string, json: unknown) =>
    (await (await recorder.send('POST', `/admin${path}`, { as: 'admin', json })).json()) as Record<string, string>;
  const { id } = await post('/accounts', { name: 'Grace', plan: 'free' });
  const keyOf = async (kind: string) => (await post(`/accounts/${id}/keys`, { label: kind, kind })).key!;
  return { id: id!, apiKey: await keyOf('api'), appKey: await keyOf('app') };
}

const usage = {
  plan: 'starter',
  period: { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' },
  compressions: { used: 1985, limit: 2000, remaining: 15 },
  aiCredits: { used: 195, limit: 200, topUp: 0, remaining: 5 },
} as const;
const batch = {
  requestId: '6f1c5a9e-0000-4000-8000-000000000001',
  plan: 'starter',
  files: Array(20).fill({}),
} as unknown as Batch;

async function recordRareMoments(recorder: ExampleRecorder): Promise<void> {
  const thrown = (error: unknown) => answerTo(() => Promise.reject(error));
  for (const code of ['plan_limit_reached', 'no_credits'] as const) {
    await recorder.keep(code, await thrown(refusal({ kind: 'refused', code, usage }, batch)));
  }
  const running = { kind: 'refused', code: 'idempotency_conflict', requestId: batch.requestId, usage } as const;
  await recorder.keep('idempotency_conflict', await thrown(refusal(running, batch)));
  await recorder.keep('result_expired', await answerTo(askForExpired));
  await recorder.keep('request_timeout', await answerTo(sendTooSlowly));
  await recorder.keep('internal_error', await thrown(new TypeError('a defect')));
  await recorder.keep('service_busy', await thrown(new PlatformError('D1', new Error('away'))));
  const insecure = new Hono<HttpEnv>()
    .onError(handleError(() => {}))
    .use(httpsOnly())
    .post('/');
  await recorder.keep('https_required', await insecure.request('http://plume.example/', { method: 'POST' }));
}

/** What the service answers where this is thrown. */
async function answerTo(fail: () => Promise<unknown>): Promise<Response> {
  const app = new Hono<HttpEnv>()
    .onError(handleError(() => {}))
    .use(async (c, next) => {
      c.set('requestId', batch.requestId);
      await next();
    })
    .get('/', async (c) => {
      await fail();
      return c.body(null);
    });
  return await app.request('/');
}

/** A repetition of a batch whose object has forgotten it. */
async function askForExpired(): Promise<void> {
  const runner = {
    start: async () => ({ kind: 'replay', requestId: batch.requestId, usage }),
    end: async () => undefined,
  };
  const services = { staging: {}, runner: () => runner, now: () => 0 } as unknown as Parameters<typeof submitBatch>[1];
  await (await submitBatch(batch, services)).end();
}

/** A client of which nothing comes while the clock goes on. */
async function sendTooSlowly(): Promise<void> {
  const clock = {
    now: () => 0,
    timer: (_: number, late: () => void) => {
      late();
      return () => {};
    },
  };
  await new UploadPace(uploadPace, clock).wait(new Promise<Uint8Array>(() => {}));
}
