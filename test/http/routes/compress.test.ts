import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import type { Batch } from '../../../src/batch/batch.ts';
import { languages } from '../../../src/describe/language.ts';
import type { FileErrorCode } from '../../../src/errors.ts';
import type { FileFailure } from '../../../src/http/contract.ts';
import { identify } from '../../../src/image/identify.ts';
import { limits } from '../../../src/limits.ts';
import { createServices, type Env } from '../../../src/services.ts';
import { apiClient, newAccount } from '../../support/api-client.ts';
import { smallPng } from '../../support/small-png.ts';

const lines: Readonly<Record<string, unknown>>[] = [];
const services = createServices(env as Env);
const app = createApp({ ...services, log: (line) => void lines.push(line) });

/** The whole app; an answer comes when the work behind it is done. */
async function fetchWhole(request: Request): Promise<Response> {
  const context = createExecutionContext();
  const response = await app.fetch(request, env, context);
  const body = await response.arrayBuffer();
  await waitOnExecutionContext(context);
  return new Response(body, response);
}

const { send } = apiClient(fetchWhole);

// Other test files share the bucket.
beforeAll(async () => await env.BUCKET.delete(await staged()));

type Part = readonly [name: string, value: string | File];

function picture(name: string, content: Uint8Array<ArrayBuffer> = smallPng(24, 16)): Part {
  return ['file', new File([content], name)];
}

function compress(key: string, parts: readonly Part[], p: { query?: string; headers?: Record<string, string> } = {}) {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  const headers = { Authorization: `Bearer ${key}`, ...p.headers };
  return send('POST', `/api/compress${p.query ?? ''}`, { body: form, headers });
}

async function used(key: string): Promise<number> {
  const { body } = await send('GET', '/api/usage', { headers: { Authorization: `Bearer ${key}` } });
  return body.compressions.used;
}

async function staged(): Promise<string[]> {
  return (await env.BUCKET.list({ prefix: 'staging/' })).objects.map(({ key }) => key);
}

const failedFiles = (headers: Headers) =>
  JSON.parse(decodeURIComponent(headers.get('X-Failed-Files')!)) as FileFailure[];

describe('a batch', () => {
  test('is answered with one item a file, whose address gives the picture', async () => {
    const { apiKey } = await newAccount('agency');
    const content = smallPng(40, 30);
    const { status, body, headers } = await compress(apiKey, [picture('été.png', content), ['maxWidth', '20']]);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toEqual([
      {
        originalName: 'été.png',
        newName: 'été.webp',
        originalSize: content.length,
        optimizedSize: expect.any(Number),
        downloadUrl: expect.stringMatching(
          /^https:\/\/plume\.test\/d\/[^/]+\/%C3%A9t%C3%A9\.webp\?expires=\d+&kid=[0-9a-f]{6}&signature=/,
        ),
      },
    ]);
    expect(headers.get('X-Failed-Files')).toBeNull();
    expect(headers.get('X-Compressions-Used')).toBe('1');
    const download = await fetchWhole(new Request(body.data[0].downloadUrl));
    const result = new Uint8Array(await download.arrayBuffer());
    expect(download.headers.get('Content-Type')).toBe('image/webp');
    expect(result.length).toBe(body.data[0].optimizedSize);
    expect(await identify(result)).toMatchObject({ format: 'webp', width: 20, height: 15 });
  });

  test.each(['webp', 'avif', 'jpg', 'png'] as const)('becomes %s where that is asked for', async (format) => {
    const { appKey } = await newAccount('free');
    const { body } = await compress(appKey, [['format', format], picture('a.png'), ['quality', '60']]);
    expect(body.data[0].newName).toBe(`a.${format}`);
  });

  test('leaves its failed files out of data and names them in the header, and in the body on request', async () => {
    const { apiKey } = await newAccount('agency');
    const parts = [picture('a.png'), picture('b, "b".png', new Uint8Array([1, 2, 3])), picture('a.png')];
    const plain = await compress(apiKey, parts);
    expect(plain.body.data.map(({ newName }: { newName: string }) => newName)).toEqual(['a.webp', 'a-2.webp']);
    const failures = failedFiles(plain.headers);
    expect(failures).toEqual([
      { index: 1, name: 'b, "b".png', error: 'unsupported_image', message: expect.stringMatching(/\w/) },
    ]);
    const told = await compress(apiKey, parts, { query: '?include=errors' });
    expect(told.body.errors).toEqual(failures);
    expect(await used(apiKey)).toBe(4);
  });

  test('of which all fail is still 200, and free', async () => {
    const { apiKey } = await newAccount('agency');
    const { status, body, headers } = await compress(apiKey, [picture('a.png', smallPng(9, 9).slice(0, 60))]);
    expect([status, body]).toEqual([200, { data: [] }]);
    expect(failedFiles(headers)).toHaveLength(1);
    expect(headers.get('X-Compressions-Used')).toBe('0');
  });

  test('leaves nothing in staging, whether it was answered or refused', async () => {
    const { appKey } = await newAccount('free');
    const mark: Part = ['watermarkFile', new File([smallPng(4, 4)], 'm.png')];
    expect((await compress(appKey, [picture('a.png')])).status).toBe(200);
    expect((await compress(appKey, [picture('a.png'), mark])).body.error).toBe('watermark_not_available');
    expect((await compress(appKey, [picture('a.png'), ['quality', '39']])).status).toBe(400);
    expect((await compress(appKey, [picture('a.png'), picture('b.png', new Uint8Array(0))])).status).toBe(400);
    // The answer does not wait for it.
    await expect.poll(staged).toEqual([]);
    expect(await used(appKey)).toBe(1);
  });

  test('has counts in the log and no names', async () => {
    const { id, appKey } = await newAccount('free');
    lines.length = 0;
    await compress(appKey, [picture('secret-launch.png'), picture('b.png', new Uint8Array(7))]);
    const sent = smallPng(24, 16).length + 7;
    expect(lines).toEqual([
      expect.objectContaining({ route: '/api/compress', accountId: id, files: 2, failed: 1, bytesIn: sent }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret-launch');
  });

  test('of which all fail for a reason of ours is no success in the log, though its answer is 200', async () => {
    const { appKey } = await newAccount('free');
    const outcomes = async (...codes: readonly (FileErrorCode | 'done')[]) => {
      lines.length = 0;
      const files = codes.map((error, index) => ({
        index,
        size: 1,
        state: error === 'done' ? 'done' : 'failed',
        outcome: error === 'done' ? { kind: 'done', size: 1 } : { kind: 'failed', error, message: '' },
        result: { key: 'x', expires: 2_000_000_000 },
        name: 'a.png',
      }));
      const record = {
        batch: { image: { format: 'webp' } },
        files,
        inherited: [],
        usage: { compressions: {}, aiCredits: {} },
      };
      const runner = () => ({ start: async () => ({ kind: 'running' }), end: async () => record }) as never;
      const own = {
        ...services,
        batches: { ...services.batches, runner },
        log: (line: object) => void lines.push({ ...line }),
      };
      const answering = createApp(own);
      const { send } = apiClient(async (request) => answering.fetch(request, env, createExecutionContext()));
      const body = new FormData();
      body.set('file', new File([smallPng(2, 2)], 'a.png'));
      const { status } = await send('POST', '/api/compress', { body, headers: { Authorization: `Bearer ${appKey}` } });
      return [status, lines.find((line) => line.event === 'request')];
    };
    const lost = { outcome: 'processing_failed', level: 'error', files: 2, failed: 2, lost: 2 };
    expect(await outcomes('processing_failed', 'service_busy')).toEqual([200, expect.objectContaining(lost)]);
    for (const other of ['broken_image', 'done'] as const) {
      expect(await outcomes('processing_failed', other)).toEqual([
        200,
        expect.objectContaining({ outcome: 'ok', level: 'info', lost: 1 }),
      ]);
    }
    await env.BUCKET.delete(await staged());
  });

  test('whose beginning was not answered keeps its files: it may run. One that was refused does not', async () => {
    const { appKey } = await newAccount('free');
    await expect.poll(staged).toEqual([]);
    const begun: string[] = [];
    const runner = () =>
      ({
        async start({ requestId }: Batch) {
          begun.push(requestId);
          throw new Error('Network connection lost.');
        },
      }) as never;
    const answering = createApp({ ...services, batches: { ...services.batches, runner }, log: () => {} });
    const context = createExecutionContext();
    const { send } = apiClient(async (request) => answering.fetch(request, env, context));
    const body = new FormData();
    body.set('file', new File([smallPng(2, 2)], 'a.png'));
    const { status } = await send('POST', '/api/compress', { body, headers: { Authorization: `Bearer ${appKey}` } });
    await waitOnExecutionContext(context);
    expect([status, begun.length]).toEqual([503, 3]);
    expect(await staged()).toEqual([`staging/${begun[0]}/0/0`]);
    await env.BUCKET.delete(await staged());
  });
});

describe('AI texts', () => {
  const both: Part[] = [
    ['autoAltText', 'true'],
    ['autoRenameSEO', 'TRUE'],
  ];
  const aiUsed = async (key: string) =>
    (await send('GET', '/api/usage', { headers: { Authorization: `Bearer ${key}` } })).body.aiCredits.used;

  test('come with each picture, for one credit, and are in no log', async () => {
    const { apiKey } = await newAccount('agency');
    lines.length = 0;
    const words: Part[] = [
      ['aiContext', 'the secret launch'],
      ['seoKeywords', 'hidden words'],
    ];
    const { body, headers } = await compress(apiKey, [...both, ...words, picture('unseen.png'), picture('b.png')]);
    const [first] = body.data;
    expect(Object.keys(first)).toEqual([
      'originalName',
      'newName',
      'originalSize',
      'optimizedSize',
      'downloadUrl',
      'altText',
    ]);
    expect(first.altText.length).toBeGreaterThan(0);
    expect(first.newName).toMatch(/^[a-z0-9]+(-[a-z0-9]+){2,7}\.webp$/);
    expect([headers.get('X-AI-Failed'), headers.get('X-AI-Credits-Remaining')]).toEqual([null, '4998']);
    expect(lines).toEqual([expect.objectContaining({ files: 2, aiCalls: 2, aiFailed: 0 })]);
    for (const told of ['secret', 'hidden', 'unseen', first.altText, first.newName]) {
      expect(JSON.stringify(lines)).not.toContain(told);
    }
    expect(await aiUsed(apiKey)).toBe(2);
  });

  test('are only those that were asked for', async () => {
    const { apiKey } = await newAccount('agency');
    const named = (await compress(apiKey, [['autoRenameSEO', 'true'], picture('a.png')])).body.data[0];
    expect(named).not.toHaveProperty('altText');
    expect(named.newName).not.toBe('a.webp');
    const described = (await compress(apiKey, [['autoAltText', 'true'], picture('a.png')])).body.data[0];
    expect([described.newName, typeof described.altText]).toEqual(['a.webp', 'string']);
    expect(await aiUsed(apiKey)).toBe(2);
  });

  test('that fail are counted in a header that pages of other origins may read', async () => {
    const { apiKey } = await newAccount('agency');
    // A picture that is refused before its pixels: the engine cannot show it to anyone, and the file fails.
    const broken = await compress(apiKey, [...both, picture('a.png', smallPng(9, 9).slice(0, 60))]);
    expect([broken.body, broken.headers.get('X-AI-Failed')]).toEqual([{ data: [] }, null]);
    expect(broken.headers.get('Access-Control-Expose-Headers')).toContain('X-AI-Failed');
    expect(await aiUsed(apiKey)).toBe(0);
  });

  test('need a credit for each picture: 403 no_credits with both properties, before any work', async () => {
    const { id, appKey } = await newAccount('starter');
    await env.LEDGER.get(env.LEDGER.idFromName(id)).reserve({
      requestId: 'others',
      plan: 'starter',
      compressions: 0,
      aiCredits: 199,
    });
    const { status, body } = await compress(appKey, [...both, picture('a.png'), picture('b.png')]);
    expect([status, body.error, Object.keys(body)]).toEqual([403, 'no_credits', ['error', 'message']]);
    expect(await used(appKey)).toBe(0);
    expect((await compress(appKey, [...both, picture('a.png')])).status).toBe(200);
  });
});

test('a request that is refused leaves none of its files in R2 or in the object of its batch', async () => {
  const { appKey } = await newAccount('free');
  const large: Part = ['file', new File([new Uint8Array(limits.segmentBytes + 1)], 'large.png')];
  const mark: Part = ['watermarkFile', new File([smallPng(4, 4)], 'm.png')];
  const refusals = [
    [picture('a.png'), large, ['quality', '500']],
    [picture('a.png'), large, ['file', 'text']],
    [picture('a.png'), large, mark],
    [picture('a.png'), large, ['uploadId', 'unknown']],
  ] as const;
  for (const parts of refusals) {
    const { status, headers } = await compress(appKey, parts as readonly Part[]);
    expect([400, 403]).toContain(status);
    const object = env.BATCH.get(env.BATCH.idFromName(headers.get('X-Request-Id')!));
    await runInDurableObject(object, async (_instance, { storage }) => {
      const tables = storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_%' ESCAPE '\\'")
        .toArray();
      expect([tables, await storage.getAlarm()]).toEqual([[], null]);
    });
  }
  expect(await staged()).toEqual([]);
});

describe('checks', () => {
  test('come in the order of the interface', async () => {
    const { appKey } = await newAccount('free');
    const free = await newAccount('free');
    const mark: Part = ['watermarkFile', new File([smallPng(4, 4)], 'm.png')];
    const all = [...Array.from({ length: 21 }, () => picture('a.png')), mark, ['autoAltText', 'true']] as const;
    const error = async (key: string, parts: readonly (readonly [string, string | File])[]) =>
      (await compress(key, parts)).body.error;
    expect(await error('wrong', all)).toBe('Unauthorized');
    expect(await error(free.apiKey, all)).toBe('api_not_available');
    expect(await error(appKey, all)).toBe('Maximum 20 images allowed per batch');
    expect(await error(appKey, [...all.slice(20), ['language', 'Klingon']])).toBe('invalid_request');
    expect(await error(appKey, all.slice(20))).toBe('watermark_not_available');
    expect(await error(appKey, [all[0]!, all[22]!])).toBe('ia_not_available');
    expect(await used(appKey)).toBe(0);
  });

  test('of the monthly limit say what is left, and nothing is done', async () => {
    const { id, appKey } = await newAccount('free');
    const ledger = env.LEDGER.get(env.LEDGER.idFromName(id));
    await ledger.reserve({ requestId: 'others', plan: 'free', compressions: 99, aiCredits: 0, late: true });
    await ledger.settle('others', { compressions: 99, aiCredits: 0, complete: true });
    const { status, body } = await compress(appKey, [picture('a.png'), picture('b.png')]);
    expect([status, body.error]).toEqual([403, 'plan_limit_reached']);
    expect(body.message).toMatch(/1 are left.*100/);
    expect((await compress(appKey, [picture('a.png')])).status).toBe(200);
  });

  test('of what is under way say how much may be, and when to come again', async () => {
    const { id, appKey } = await newAccount('free');
    const ledger = env.LEDGER.get(env.LEDGER.idFromName(id));
    await ledger.reserve({ requestId: 'others', plan: 'free', compressions: 79, aiCredits: 0 });
    const { status, body, headers } = await compress(appKey, [picture('a.png'), picture('b.png')]);
    expect([status, body.error]).toEqual([429, 'rate_limited']);
    expect(body.message).toMatch(/At most 80 files .* free/);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await compress(appKey, [picture('a.png')])).status).toBe(200);
  });

  test('take every language', async () => {
    const { appKey } = await newAccount('free');
    for (const language of languages) {
      const { body } = await compress(appKey, [['language', language], ['maxWidth', 'x'], picture('a.png')]);
      expect(body.message).toContain('maxWidth');
      expect(body.message).not.toContain('language');
    }
  });
});

describe('Idempotency-Key', () => {
  const under = (key: string) => ({ headers: { 'Idempotency-Key': key } });

  test('repeats the answer without a charge: only the links are signed anew', async () => {
    const { apiKey } = await newAccount('agency');
    const parts = [picture('a.png'), picture('b.png', new Uint8Array(5))];
    const first = await compress(apiKey, parts, under('k'));
    const second = await compress(apiKey, parts, under('k'));
    const [{ downloadUrl, ...item }] = second.body.data;
    expect(first.body.data).toEqual([{ ...item, downloadUrl: expect.any(String) }]);
    expect(new URL(downloadUrl).pathname).toBe(new URL(first.body.data[0].downloadUrl).pathname);
    expect((await fetchWhole(new Request(downloadUrl))).status).toBe(200);
    for (const name of ['X-Failed-Files', 'X-Compressions-Used', 'Content-Type']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(second.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'));
    expect(await used(apiKey)).toBe(1);
    await expect.poll(staged).toEqual([]);
  });

  test('whose first answer came after other work tells where the account stands now', async () => {
    const { apiKey } = await newAccount('agency');
    await compress(apiKey, [picture('a.png')], under('k'));
    await compress(apiKey, [picture('b.png')]);
    const again = await compress(apiKey, [picture('a.png')], under('k'));
    expect(again.headers.get('X-Compressions-Used')).toBe('2');
  });

  test('refuses another request: other fields, another file, another way to be told', async () => {
    const { apiKey } = await newAccount('agency');
    await compress(apiKey, [picture('a.png')], under('k'));
    const others = [
      compress(apiKey, [picture('a.png'), ['quality', '81']], under('k')),
      compress(apiKey, [picture('a.png', smallPng(24, 16, 1))], under('k')),
      compress(apiKey, [picture('a.png')], { ...under('k'), query: '?include=errors' }),
    ];
    for (const { status, body } of await Promise.all(others)) {
      expect([status, body.error]).toEqual([422, 'idempotency_mismatch']);
    }
    // Defaults that are sent are what they are when they are not.
    expect((await compress(apiKey, [['quality', '82'], picture('a.png')], under('k'))).status).toBe(200);
    expect(await used(apiKey)).toBe(1);
  });

  test('is the account’s own', async () => {
    const [one, other] = [await newAccount('free'), await newAccount('free')];
    for (const { appKey } of [one, other]) {
      expect((await compress(appKey, [picture('a.png')], under('k'))).status).toBe(200);
      expect(await used(appKey)).toBe(1);
    }
  });

  test('has 1 to 200 characters', async () => {
    const { appKey } = await newAccount('free');
    expect((await compress(appKey, [picture('a.png')], under('k'.repeat(200)))).status).toBe(200);
    const { status, body } = await compress(appKey, [picture('a.png')], under('k'.repeat(201)));
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.message).toContain('Idempotency-Key');
    expect((await compress(appKey, [picture('a.png')], under(''))).status).toBe(400);
  });
});
