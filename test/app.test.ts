import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import manifest from '../package.json';
import { createApp } from '../src/app.ts';
import { signDownload } from '../src/delivery/signed-url.ts';
import { signingKeyName } from '../src/delivery/signing-keys.ts';
import { operations } from '../src/http/operations.ts';
import worker from '../src/index.ts';
import { createServices, type Env } from '../src/services.ts';
import { adminToken, apiClient, newAccount } from './support/api-client.ts';

const { send, sendJson } = apiClient();

test('GET /health tells the version', async () => {
  expect(await send('GET', '/health')).toMatchObject({
    status: 200,
    body: { status: 'ok', version: manifest.version, versionId: env.VERSION.id },
  });
});

describe('GET /health/ready', () => {
  test('says in how many milliseconds each part answered', async () => {
    const { status, body, headers } = await send('GET', '/health/ready');
    const ms = expect.any(Number);
    expect([status, body]).toEqual([200, { ready: true, checks: { database: ms, storage: ms, ledger: ms, lane: ms } }]);
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  test('is 503 and names the part that fails, without a word of why', async () => {
    const DB = { prepare: () => ({ first: () => Promise.reject(new Error('secret.db is locked')) }) };
    const app = createApp(createServices({ ...env, DB } as unknown as Env));
    const { status, body, headers } = await apiClient(async (request) => app.fetch(request, env)).send(
      'GET',
      '/health/ready',
    );
    expect([status, body.error]).toEqual([503, 'service_busy']);
    expect(body.message).toBe('Not ready: database. Try again in a few seconds.');
    expect(headers.get('Retry-After')).toBe('5');
    expect(headers.get('Cache-Control')).toBe('no-store');
  });
});

test('a line of the log names the running version, and the administrator who called', async () => {
  const written = vi.spyOn(console, 'log').mockImplementation(() => {});
  const app = createApp(createServices(env));
  await apiClient(async (request) => app.fetch(request, env)).sendJson('GET', '/admin/audit?limit=1', adminToken);
  const lines = written.mock.calls.map(([line]) => JSON.parse(line));
  written.mockRestore();
  expect(lines).toContainEqual(
    expect.objectContaining({ route: '/admin/audit', admin: 'admin', versionId: env.VERSION.id }),
  );
  expect(JSON.stringify(lines)).not.toContain(adminToken);
});

test('lanes of the data centre are asked one after the other: two that fail in a row are not ready', async () => {
  const asked: string[] = [];
  const broken = new Set(['VIE-1']);
  const LANE = {
    idFromName: (name: string) => name,
    get: (name: string) => ({
      async check() {
        asked.push(name);
        if (broken.has(name)) throw new Error('the engine has a defect');
      },
    }),
  };
  const time = { now: 0 };
  const now = vi.spyOn(Date, 'now').mockImplementation(() => time.now);
  const written = vi.spyOn(console, 'log').mockImplementation(() => {});
  const services = createServices({ ...env, LANE, LANES: '3' } as unknown as Env);
  const failing: string[][] = [];
  for (; time.now < 20_000; time.now += 5000) failing.push([...(await services.readiness('VIE')).failing]);
  broken.add('VIE-0').add('VIE-2');
  failing.push([...(await services.readiness('VIE')).failing]);
  now.mockRestore();
  written.mockRestore();
  expect(asked).toEqual(['VIE-0', 'VIE-1', 'VIE-2', 'VIE-0', 'VIE-1', 'VIE-2', 'VIE-0', 'VIE-1']);
  expect(failing).toEqual([[], [], [], [], ['lane']]);
});

test('a part that is not ready is counted, and the log has the reason', async () => {
  const written = vi.spyOn(console, 'log').mockImplementation(() => {});
  const BUCKET = { head: () => Promise.reject(new Error('we encountered an internal error')) };
  const services = createServices({ ...env, BUCKET } as unknown as Env);
  services.metrics.counters.take();
  expect((await services.readiness('VIE')).failing).toEqual(['storage']);
  const lines = written.mock.calls.map(([line]) => JSON.parse(line));
  written.mockRestore();
  expect(lines).toContainEqual(expect.objectContaining({ event: 'readiness', part: 'storage' }));
  expect(services.metrics.counters.take()).toMatchObject({
    'plume_readiness_failures_total{part="storage"}': 1,
    'plume_platform_failures_total{call="readiness of storage",last="true"}': 1,
  });
});

test('with a jurisdiction every Durable Object is made in it', async () => {
  const asked: string[] = [];
  const namespace = <Real>(binding: string, real: Real) => ({
    jurisdiction(name: string) {
      asked.push(`${binding} ${name}`);
      return real;
    },
  });
  // The runtime of the tests has no jurisdictions: these stand for namespaces that have.
  const own = { LEDGER: namespace('LEDGER', env.LEDGER), BATCH: namespace('BATCH', env.BATCH) };
  const bindings = { ...env, ...own, METRICS: namespace('METRICS', env.METRICS), LANE: namespace('LANE', env.LANE) };
  const services = createServices({ ...bindings, JURISDICTION: 'eu' } as unknown as Env);
  expect(asked).toEqual(['LEDGER eu', 'BATCH eu', 'METRICS eu']);
  expect((await services.ledger('acc_eu').usage('free')).plan).toBe('free');
  expect((await services.readiness('VIE')).failing).toEqual([]);
  expect(asked.at(-1)).toBe('LANE eu');
  expect(services.runner('x').id.toString()).toBe(env.BATCH.idFromName('x').toString());
});

test('every response has its own request id, whatever the client sends', async () => {
  const headers = { 'X-Request-Id': 'mine' };
  const ids = new Set<string | null>();
  for (const path of ['/health', '/nothing', '/api/usage', '/admin/accounts', '/health']) {
    ids.add((await send('GET', path, { headers })).headers.get('X-Request-Id'));
  }
  expect(ids.size).toBe(5);
  expect(ids).not.toContain('mine');
});

test('every route is documented, and nothing else is', () => {
  const { routes } = createApp(createServices(env));
  const mounted = routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
  const documented = operations.map(({ method, path }) => {
    return `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  });
  expect([...new Set(mounted)].sort()).toEqual(documented.sort());
});

describe('methods', () => {
  test.each(['/', '/nothing', '/health/more', '/openapi', '/d', '//health'])('%s is not there', async (path) => {
    for (const method of ['GET', 'POST', 'HEAD']) expect((await send(method, path)).status).toBe(404);
  });

  test.each([
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and names what is allowed', async (method, path, allow) => {
    const { status, body, headers } = await send(method, path);
    expect(status).toBe(405);
    expect(body.error).toBe('method_not_allowed');
    expect(headers.get('Allow')).toBe(allow);
  });

  test('a wrong method under /api is 405 for whoever has a key', async () => {
    const { appKey } = await newAccount('free');
    const { status, headers } = await sendJson('PUT', '/api/usage', appKey);
    expect(status).toBe(405);
    expect(headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(headers.get('X-Compressions-Limit')).toBe('100');
  });

  test('HEAD is answered where GET is', async () => {
    for (const path of ['/health', '/openapi.json']) expect((await send('HEAD', path)).status).toBe(200);
  });

  test.each([
    ['/health', 'GET, HEAD, OPTIONS'],
    ['/api/usage', 'GET, HEAD, OPTIONS'],
    ['/admin/accounts', 'POST, GET, HEAD, OPTIONS'],
  ])('OPTIONS %s tells the methods without a key', async (path, allow) => {
    const { status, headers } = await send('OPTIONS', path);
    expect(status).toBe(204);
    expect(headers.get('Allow')).toBe(allow);
  });

  test('OPTIONS on an unknown address is 404', async () => {
    expect((await send('OPTIONS', '/nothing')).status).toBe(404);
  });
});

describe('browsers', () => {
  const Origin = 'https://shop.example';
  const preflight = {
    Origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization',
  };

  test('get their preflight answered without a key', async () => {
    const { status, headers } = await send('OPTIONS', '/api/compress', { headers: preflight });
    expect(status).toBe(204);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(headers.get('Access-Control-Allow-Methods')).toContain('POST');
    expect(headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
    expect(headers.get('Access-Control-Allow-Headers')).toContain('Idempotency-Key');
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });

  test('may read our headers, on errors as well', async () => {
    const { status, headers } = await send('GET', '/api/usage', { headers: { Origin } });
    expect(status).toBe(401);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    for (const name of [
      'X-Request-Id',
      'X-Failed-Files',
      'X-Compressions-Used',
      'X-AI-Credits-Remaining',
      'Retry-After',
    ]) {
      expect(headers.get('Access-Control-Expose-Headers')).toContain(name);
    }
  });

  test('of other origins are kept out where the operator lists some', async () => {
    const app = createApp(createServices({ ...env, CORS_ORIGINS: 'https://a.example, https://shop.example/' } as Env));
    const { send } = apiClient(async (request) => app.fetch(request, env));
    const allowed = await send('GET', '/health', { headers: { Origin } });
    expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    expect(allowed.headers.get('Vary')).toContain('Origin');
    const other = await send('GET', '/health', { headers: { Origin: 'https://evil.example' } });
    expect(other.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

test('the log has one line a request, with the pattern of the route and no key', async () => {
  const lines: Record<string, unknown>[] = [];
  const services = { ...createServices(env), log: (line: Readonly<Record<string, unknown>>) => void lines.push(line) };
  const app = createApp(services);
  const { sendJson, send } = apiClient(async (request) => app.fetch(request, env));
  const { id, appKey } = await newAccount('free');
  const { headers } = await sendJson('GET', '/api/usage?secret=1', appKey);
  await send('GET', '/api/usage');
  await send('GET', '/holiday.jpg');
  expect(lines).toEqual([
    expect.objectContaining({
      requestId: headers.get('X-Request-Id'),
      method: 'GET',
      route: '/api/usage',
      status: 200,
      outcome: 'ok',
      accountId: id,
      durationMs: expect.any(Number),
    }),
    expect.objectContaining({ status: 401, outcome: 'unauthorized', accountId: undefined }),
    expect.objectContaining({ status: 404, outcome: 'not_found' }),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${appKey}|secret|holiday`));
});

test('a request is a data point where Analytics Engine is bound', async () => {
  const points: AnalyticsEngineDataPoint[] = [];
  const ANALYTICS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) };
  const services = { ...createServices({ ...env, ANALYTICS } as unknown as Env), log: () => {} };
  const app = createApp(services);
  const { id, appKey } = await newAccount('free');
  await apiClient(async (request) => app.fetch(request, env)).sendJson('GET', '/api/usage?secret=1', appKey);
  expect(points).toEqual([
    {
      indexes: [id],
      blobs: ['request', 'ok', 'GET', '/api/usage', '200', '', 'local', env.VERSION.id],
      doubles: [expect.any(Number), 0, 0, 0, 0, 0],
    },
  ]);
});

test('a ledger that fails once in two calls is asked again', async () => {
  const real = createServices(env);
  let calls = 0;
  const ledger = (id: string) => {
    const account = real.ledger(id);
    return {
      admit: async (...admission: Parameters<typeof account.admit>) => await account.admit(...admission),
      async usage(plan: 'free') {
        if (++calls % 2 === 1) throw Object.assign(new Error('Network connection lost.'), { retryable: true });
        return await account.usage(plan);
      },
    };
  };
  const app = createApp({ ...real, ledger: ledger as never, log: () => {} });
  const { id, appKey } = await newAccount('free');
  const { sendJson, admin } = apiClient(async (request) => app.fetch(request, env));
  expect((await sendJson('GET', '/api/usage', appKey)).status).toBe(200);
  expect((await admin('GET', `/accounts/${id}`)).body.usage.plan).toBe('free');
  expect(calls).toBe(4);
});

test('a ledger that fails costs the request no more than an honest answer', async () => {
  const lines: Record<string, unknown>[] = [];
  const broken = () => Promise.reject(new Error('SQLITE_CORRUPT at /srv'));
  const services = {
    ...createServices(env),
    ledger: () => ({ admit: broken, usage: broken }) as never,
    log: (line: Readonly<Record<string, unknown>>) => void lines.push(line),
  };
  const app = createApp(services);
  const { sendJson } = apiClient(async (request) => app.fetch(request, env));
  const { appKey } = await newAccount('free');
  const { status, body, headers } = await sendJson('GET', '/api/usage', appKey);
  expect(status).toBe(503);
  expect(headers.get('Retry-After')).toBe('5');
  expect(body.message).not.toContain('SQLITE');
  expect(headers.get('X-Compressions-Used')).toBeNull();
  expect(lines.filter((line) => line.level === 'error')).toHaveLength(2);
});

describe('a result', () => {
  async function* content() {
    yield new TextEncoder().encode('0123456789');
  }

  async function stored() {
    const { results, signingKeys, now } = createServices(env);
    const expires = Math.floor(now() / 1000) + 600;
    const key = await results.keyFor({
      accountId: 'a',
      sessionId: 's',
      requestId: crypto.randomUUID(),
      index: 0,
      expires,
    });
    await results.write(key, content(), { mediaType: 'image/webp', expires });
    const baseUrl = 'https://plume.test';
    const url = await signDownload({ baseUrl, key, fileName: 'é.webp', expires, secret: signingKeys()[0] });
    return url.slice(baseUrl.length);
  }

  test('is downloaded with our headers, by browsers too', async () => {
    const { status, body, headers } = await send('GET', await stored(), { headers: { Origin: 'https://a.example' } });
    expect(status).toBe(200);
    expect(body).toBe('0123456789');
    expect(headers.get('Content-Type')).toBe('image/webp');
    expect(headers.get('Content-Length')).toBe('10');
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  test('has a HEAD that tells its length', async () => {
    const { status, headers } = await send('HEAD', await stored());
    expect(status).toBe(200);
    expect(headers.get('Content-Length')).toBe('10');
  });

  test('keeps a part of it, and not changed, apart from the whole', async () => {
    const path = await stored();
    const part = await send('GET', path, { headers: { Range: 'bytes=2-3' } });
    expect(part).toMatchObject({ status: 206, body: '23' });
    const etag = part.headers.get('ETag')!;
    expect(await send('GET', path, { headers: { 'If-None-Match': etag } })).toMatchObject({ status: 304, body: '' });
    const beyond = await send('GET', path, { headers: { Range: 'bytes=10-' } });
    expect(beyond).toMatchObject({ status: 416, body: { error: 'range_not_satisfiable' } });
    expect(beyond.headers.get('Content-Range')).toBe('bytes */10');
  });

  test('is not given away without its signature', async () => {
    const path = await stored();
    expect(await send('GET', `${path}x`)).toMatchObject({ status: 403, body: { error: 'invalid_signature' } });
    expect(await send('POST', path)).toMatchObject({ status: 405 });
  });

  test('never has its signature or name in the log', async () => {
    const lines: unknown[] = [];
    const app = createApp({ ...createServices(env), log: (line) => void lines.push(line) });
    const path = await stored();
    await apiClient(async (request) => app.fetch(request, env)).send('GET', path);
    expect(lines).toEqual([expect.objectContaining({ route: '/d/:key/:name', status: 200, bytesOut: 10 })]);
    expect(JSON.stringify(lines)).not.toMatch(/signature|webp/);
  });
});

test('without a signing key the service refuses to sign, in words for the operator', () => {
  expect(() => createServices({ ...env, SIGNING_KEY: '' } as Env).signingKeys()).toThrow(/SIGNING_KEY is not set/);
  const both = createServices({ ...env, SIGNING_KEY: 'new', SIGNING_KEY_PREVIOUS: 'old' } as Env);
  expect(both.signingKeys()).toEqual(['new', 'old']);
});

test('a link outlives the rotation of its key, and ends with the key', async () => {
  const { results, now } = createServices(env);
  const expires = Math.floor(now() / 1000) + 600;
  const address = { accountId: 'a', sessionId: 's', requestId: crypto.randomUUID(), index: 0, expires };
  const key = await results.keyFor(address);
  await results.write(key, (async function* () {})(), { mediaType: 'image/webp', expires });
  const origin = 'https://plume.test';
  const link = async (settings: object) => {
    const { baseUrl, secret } = createServices({ ...env, ...settings } as Env).downloads(origin);
    const url = await signDownload({ baseUrl, secret, key, fileName: 'a.webp', expires });
    return url.slice(origin.length);
  };
  const status = async (path: string, settings: object) => {
    const app = createApp(createServices({ ...env, ...settings } as Env));
    return (await apiClient(async (request) => app.fetch(request, env)).send('GET', path)).status;
  };

  const before = { SIGNING_KEY: 'first' };
  const rotated = { SIGNING_KEY: 'first', [signingKeyName(now() - 1000)]: 'second' };
  const dropped = { SIGNING_KEY: '', [signingKeyName(now() - 1000)]: 'second' };
  const [old, young] = [await link(before), await link(rotated)];
  expect(new URLSearchParams(old).get('kid')).not.toBe(new URLSearchParams(young).get('kid'));
  expect([await status(old, rotated), await status(young, rotated)]).toEqual([200, 200]);
  expect([await status(old, dropped), await status(young, dropped)]).toEqual([403, 200]);
});

test('the cron trigger sweeps what has expired and leaves the rest', async () => {
  const { results, now } = createServices(env);
  const write = async (expires: number) => {
    const key = await results.keyFor({
      accountId: 'a',
      sessionId: 's',
      requestId: crypto.randomUUID(),
      index: 0,
      expires,
    });
    await results.write(key, (async function* () {})(), { mediaType: 'image/png', expires });
    return key;
  };
  const seconds = Math.floor(now() / 1000);
  const [old, fresh] = [await write(seconds - 7200), await write(seconds + 7200)];
  await worker.scheduled();
  expect(await results.head(old)).toBeUndefined();
  expect(await results.head(fresh)).toBeDefined();
});
