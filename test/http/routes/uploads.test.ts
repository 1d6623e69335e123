import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { limits } from '../../../src/limits.ts';
import { createServices, type Env } from '../../../src/services.ts';
import { apiClient, newAccount } from '../../support/api-client.ts';
import { smallPng } from '../../support/small-png.ts';

const services = createServices(env as Env);
const app = createApp({ ...services, log: () => {} });

/** The whole app; an answer comes when the work behind it is done. */
async function fetchWhole(request: Request): Promise<Response> {
  const context = createExecutionContext();
  const response = await app.fetch(request, env, context);
  const body = await response.arrayBuffer();
  await waitOnExecutionContext(context);
  return new Response(body, response);
}

const { send } = apiClient(fetchWhole);

function uploadBody(key: string, body: BodyInit, query = '') {
  return send('POST', `/api/uploads${query}`, { body, headers: { Authorization: `Bearer ${key}` } });
}

async function upload(key: string, name: string, content: Uint8Array<ArrayBuffer> = smallPng(24, 16)): Promise<string> {
  const { status, body } = await uploadBody(key, content, `?name=${encodeURIComponent(name)}`);
  expect(status).toBe(201);
  return body.uploadId;
}

async function staged(): Promise<string[]> {
  return (await env.BUCKET.list({ prefix: 'staging/' })).objects.map(({ key }) => key);
}

// Other test files share the bucket.
beforeAll(async () => await env.BUCKET.delete(await staged()));

type Part = readonly [name: string, value: string | File];

const picture = (name: string, content = smallPng(24, 16)): Part => ['file', new File([content], name)];
const named = (id: string): Part => ['uploadId', id];

function compress(key: string, parts: readonly Part[], headers: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value as string);
  return send('POST', '/api/compress', { body: form, headers: { Authorization: `Bearer ${key}`, ...headers } });
}

const names = (body: { data: { originalName: string; newName: string }[] }) =>
  body.data.map(({ originalName, newName }) => [originalName, newName]);

async function used(key: string): Promise<number> {
  const { body } = await send('GET', '/api/usage', { headers: { Authorization: `Bearer ${key}` } });
  return body.compressions.used;
}

/** Lets an hour pass for the account's uploads. */
async function expire(accountId: string): Promise<void> {
  await runInDurableObject(env.LEDGER.get(env.LEDGER.idFromName(accountId)), (_instance, state) => {
    state.storage.sql.exec('UPDATE uploads SET expires_at = ?', Date.now() - 1);
  });
}

async function stored(id: string): Promise<number> {
  const { objects } = await env.BUCKET.list({ prefix: 'uploads/' });
  return objects.filter(({ key }) => key.includes(`.${id}/`)).length;
}

test('a file is kept for an hour, whether it comes in a form or as it is', async () => {
  const { appKey } = await newAccount('free');
  const content = smallPng(24, 16);
  const form = new FormData();
  form.append('file', new File([content], 'a.png'));
  for (const body of [content, form]) {
    const before = Date.now();
    const { status, body: answer, headers } = await uploadBody(appKey, body);
    expect([status, answer.size]).toEqual([201, content.length]);
    const keptMs = Date.parse(answer.expiresAt) - before;
    expect(keptMs).toBeGreaterThan(3_590_000);
    expect(keptMs).toBeLessThan(3_610_000);
    expect(headers.get('X-Compressions-Used')).toBe('0');
    expect(await stored(answer.uploadId)).toBe(1);
  }
});

test('needs a key, and takes a file only', async () => {
  expect((await send('POST', '/api/uploads', { body: 'x' })).status).toBe(401);
  const { appKey } = await newAccount('free');
  expect((await send('GET', '/api/uploads', { headers: { Authorization: `Bearer ${appKey}` } })).status).toBe(405);
  const { status, body } = await uploadBody(appKey, new Uint8Array(0));
  expect([status, body.error]).toEqual([400, 'invalid_request']);
});

test('a file over 20 MB is refused by name, and holds nothing of what the account may keep', async () => {
  const { id, appKey } = await newAccount('free');
  const { status, body } = await uploadBody(appKey, new Uint8Array(limits.fileBytes + 1), '?name=big.png');
  expect([status, body.error]).toEqual([400, 'File big.png exceeds the 20MB limit']);
  await runInDurableObject(env.LEDGER.get(env.LEDGER.idFromName(id)), (_instance, state) => {
    expect(state.storage.sql.exec('SELECT * FROM uploads').toArray()).toEqual([]);
  });
});

test('past what the plan keeps at once: 429 with the time, and nothing is stored', async () => {
  const { id, appKey } = await newAccount('free');
  const ledger = env.LEDGER.get(env.LEDGER.idFromName(id));
  for (let n = 0; n < limits.files; n++) await ledger.holdUpload(`u${n}`, 'free', limits.fileBytes);
  const { status, body, headers } = await uploadBody(appKey, smallPng(9, 9));
  expect([status, body.error]).toEqual([429, 'rate_limited']);
  expect(body.message).toMatch(/^400 MB of the 400 MB of uploads that the free plan keeps/);
  expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
});

describe('a batch', () => {
  test('takes uploads and parts in the order sent, the same upload twice, and leaves uploads to others', async () => {
    const { apiKey } = await newAccount('agency');
    const [one, two] = [await upload(apiKey, 'one.png'), await upload(apiKey, 'two.png', smallPng(9, 9, 3))];
    const parts = [named(two), picture('part.png'), named(one), named(one)];
    for (let turn = 0; turn < 2; turn++) {
      const { status, body } = await compress(apiKey, parts);
      expect(status).toBe(200);
      expect(names(body)).toEqual([
        ['two.png', 'two.webp'],
        ['part.png', 'part.webp'],
        ['one.png', 'one.webp'],
        ['one.png', 'one-2.webp'],
      ]);
      expect(body.data[0].originalSize).toBe(smallPng(9, 9, 3).length);
    }
    expect(await used(apiKey)).toBe(8);
    expect([await stored(one), await stored(two)]).toEqual([1, 1]);
  });

  test('has at most twenty files, of whatever kind', async () => {
    const { apiKey } = await newAccount('agency');
    const id = await upload(apiKey, 'a.png');
    const ids = Array.from({ length: limits.files }, () => named(id));
    expect((await compress(apiKey, ids)).body.data).toHaveLength(20);
    for (const parts of [
      [...ids, named(id)],
      [...ids, picture('b.png')],
      [picture('b.png'), ...ids],
    ]) {
      const { status, body } = await compress(apiKey, parts);
      expect([status, body.error]).toEqual([400, 'Maximum 20 images allowed per batch']);
    }
  });

  test('with an id that never was, another account’s, or an expired one is refused by the id, and costs nothing', async () => {
    const [own, other] = [await newAccount('agency'), await newAccount('agency')];
    const mine = await upload(own.apiKey, 'mine.png');
    const foreign = await upload(other.apiKey, 'foreign.png');
    const gone = await upload(own.apiKey, 'gone.png');
    await expire(own.id);
    const fresh = await upload(own.apiKey, 'fresh.png');
    const never = crypto.randomUUID();
    for (const id of [foreign, gone, never, 'no id of ours', '../uploads/x', mine.slice(1)]) {
      const { status, body } = await compress(own.apiKey, [picture('a.png'), named(fresh), named(id)]);
      expect([status, body.error]).toEqual([400, 'upload_not_found']);
      expect(body.message).toContain(JSON.stringify(id));
      expect(body.message).not.toContain(fresh);
    }
    const { body } = await compress(own.apiKey, [named(foreign), named(never), named(foreign)]);
    expect(body.message).toContain(`${JSON.stringify(foreign)}, ${JSON.stringify(never)}:`);
    expect(await used(own.apiKey)).toBe(0);
    expect(await staged()).toEqual([]);
  });

  test('refuses an id that is empty, or sent as a file', async () => {
    const { apiKey } = await newAccount('agency');
    const asFile: Part = ['uploadId', new File(['x'], 'x')];
    for (const part of [named(''), named(' '), asFile]) {
      const { status, body } = await compress(apiKey, [picture('a.png'), part]);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect(body.message).toContain('uploadId');
    }
  });
});

describe('under an Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'k' };

  test('a repetition is answered although the upload has expired, or was sent anew', async () => {
    const { id, apiKey } = await newAccount('agency');
    const upload1 = await upload(apiKey, 'a.png');
    const first = await compress(apiKey, [named(upload1)], key);
    await expire(id);
    const upload2 = await upload(apiKey, 'a.png');
    for (const again of [upload1, upload2]) {
      const { status, body } = await compress(apiKey, [named(again)], key);
      expect([status, names(body)]).toEqual([200, names(first.body)]);
    }
    expect(await used(apiKey)).toBe(1);
    expect(await stored(upload1)).toBe(1);
  });

  test('another upload is another request', async () => {
    const { apiKey } = await newAccount('agency');
    const first = await upload(apiKey, 'a.png');
    expect((await compress(apiKey, [named(first)], key)).status).toBe(200);
    for (const other of [await upload(apiKey, 'a.png', smallPng(24, 16, 1)), await upload(apiKey, 'b.png')]) {
      const { status, body } = await compress(apiKey, [named(other)], key);
      expect([status, body.error]).toEqual([422, 'idempotency_mismatch']);
    }
  });

  test('a new batch cannot have one that has expired', async () => {
    const { id, apiKey } = await newAccount('agency');
    const old = await upload(apiKey, 'a.png');
    await expire(id);
    const { status, body } = await compress(apiKey, [named(old)], key);
    expect([status, body.error]).toEqual([400, 'upload_not_found']);
    expect(await used(apiKey)).toBe(0);
    const fresh = await upload(apiKey, 'a.png');
    expect((await compress(apiKey, [named(fresh)], key)).status).toBe(200);
  });
});
