import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import type { AccountLedger } from '../../../src/credits/ledger.ts';
import type { PlanId } from '../../../src/credits/plans.ts';
import { createServices, type Env } from '../../../src/services.ts';
import { adminToken, apiClient, newAccount } from '../../support/api-client.ts';

const { admin, send, sendJson } = apiClient();

describe('the token', () => {
  const paths = ['/admin/accounts', '/admin/accounts/x', '/admin/nothing', '/admin'];

  test('is asked for on every administration address', async () => {
    for (const path of paths) {
      for (const token of ['wrong', adminToken.slice(0, -1), `${adminToken}-`]) {
        const { status, body, headers } = await sendJson('GET', path, token);
        expect(status).toBe(401);
        expect(body.error).toBe('Unauthorized');
        expect(headers.get('WWW-Authenticate')).toBe('Bearer');
      }
      expect((await send('GET', path)).status).toBe(401);
    }
  });

  test("is not a customer's key", async () => {
    const { apiKey } = await newAccount('agency');
    expect((await sendJson('GET', '/admin/accounts', apiKey)).status).toBe(401);
  });

  test.each([undefined, ''])('unset (%j) means that the routes are not there', async (token) => {
    const bindings = { ...env, ADMIN_TOKEN: token } as Env;
    const app = createApp(createServices(bindings));
    const { sendJson } = apiClient(async (request) => app.fetch(request, env));
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect((await sendJson(method, path, 'undefined')).status).toBe(404);
        expect((await sendJson(method, path, adminToken)).status).toBe(404);
      }
    }
    expect((await app.request('/admin/accounts', { method: 'OPTIONS' })).status).toBe(404);
  });
});

describe('accounts', () => {
  test('are created, listed, shown and changed', async () => {
    const { status, body } = await admin('POST', '/accounts', { name: 'Studio Nord', plan: 'starter' });
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.any(String), name: 'Studio Nord', plan: 'starter' });

    const { accounts } = (await admin('GET', `/accounts?search=${body.id}`)).body;
    expect(accounts).toContainEqual({ ...body, suspended: false, createdAt: expect.any(String) });

    const shown = (await admin('GET', `/accounts/${body.id}`)).body;
    expect(shown).toMatchObject({ ...body, keys: [], usage: { plan: 'starter', compressions: { limit: 2000 } } });

    const changed = await admin('PATCH', `/accounts/${body.id}`, { plan: 'agency', name: 'Nord', suspended: true });
    expect(changed.body).toMatchObject({ id: body.id, name: 'Nord', plan: 'agency', suspended: true });
    expect((await admin('GET', `/accounts/${body.id}`)).body.usage.plan).toBe('agency');
  });

  test('keep what a change does not mention', async () => {
    const { id } = await newAccount('starter');
    const { body } = await admin('PATCH', `/accounts/${id}`, { suspended: true });
    expect(body).toMatchObject({ plan: 'starter', name: 'a starter account', suspended: true });
  });
});

describe('keys', () => {
  test('are shown once, and afterwards only by their prefix', async () => {
    const { id, apiKey } = await newAccount('agency');
    expect(apiKey).toMatch(/^plume_[\w-]{49}$/);
    const { body } = await admin('GET', `/accounts/${id}`);
    expect(body.keys).toHaveLength(2);
    expect(apiKey.startsWith(body.keys[0].prefix)).toBe(true);
    expect(JSON.stringify(body)).not.toContain(apiKey);
    expect(JSON.stringify(body)).not.toContain(apiKey.slice(-20));
  });

  test('may expire; the time is kept in UTC', async () => {
    const { id } = await newAccount('free');
    const key = { label: 'a', kind: 'app', expiresAt: '2999-01-01T01:00:00+01:00' };
    const { status, body } = await admin('POST', `/accounts/${id}/keys`, key);
    expect(status).toBe(201);
    expect(new Date(body.expiresAt)).toEqual(new Date('2999-01-01T00:00:00Z'));
    expect(body.expiresAt).toMatch(/Z$/);
  });

  test('are revoked without a body in the answer, twice as well as once', async () => {
    const { id, apiKeyId } = await newAccount('agency');
    for (let call = 0; call < 2; call++) {
      expect(await admin('DELETE', `/keys/${apiKeyId}`)).toMatchObject({ status: 204, body: '' });
    }
    const { keys } = (await admin('GET', `/accounts/${id}`)).body;
    expect(keys.find((key: { id: string }) => key.id === apiKeyId).revokedAt).toEqual(expect.any(String));
  });
});

test('a top-up with a reference that was there adds nothing', async () => {
  const { id } = await newAccount('free');
  const topUp = { aiCredits: 10_000_000, reference: 'invoice 7' };
  const first = await admin('POST', `/accounts/${id}/top-ups`, topUp);
  expect(first).toMatchObject({ status: 200, body: { added: true, usage: { aiCredits: { topUp: 10_000_000 } } } });
  const second = await admin('POST', `/accounts/${id}/top-ups`, topUp);
  expect(second.body).toEqual({ ...first.body, added: false });
});

test('an id that nobody has is 404 in every call', async () => {
  const calls = [
    ['GET', '/accounts/acc_x', undefined],
    ['PATCH', '/accounts/acc_x', { suspended: true }],
    ['DELETE', '/accounts/acc_x', undefined],
    ['POST', '/accounts/acc_x/keys', { label: 'a', kind: 'api' }],
    ['POST', '/accounts/acc_x/top-ups', { aiCredits: 1, reference: 'a' }],
    ['DELETE', '/keys/key_x', undefined],
  ] as const;
  for (const [method, path, body] of calls) {
    expect(await admin(method, path, body)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  }
});

describe('a wrong body is refused and its field named', () => {
  test.each([
    ['POST', '/accounts', { name: 'a', plan: 'gold' }, 'plan'],
    ['POST', '/accounts', { name: 'a' }, 'plan'],
    ['POST', '/accounts', { name: ' ', plan: 'free' }, 'name'],
    ['POST', '/accounts', { name: 'a'.repeat(201), plan: 'free' }, 'name'],
    ['POST', '/accounts', { name: 7, plan: 'free' }, 'name'],
    ['POST', '/accounts', { name: 'a', plan: 'free', credits: 5 }, 'credits'],
    ['POST', '/accounts', [], 'expected object'],
    ['PATCH', '/accounts/ID', {}, 'plan, name and suspended'],
    ['PATCH', '/accounts/ID', { suspended: 'yes' }, 'suspended'],
    ['POST', '/accounts/ID/keys', { label: 'a', kind: 'root' }, 'kind'],
    ['POST', '/accounts/ID/keys', { kind: 'api' }, 'label'],
    ['POST', '/accounts/ID/keys', { label: 'a', kind: 'api', expiresAt: 'tomorrow' }, 'expiresAt'],
    ['POST', '/accounts/ID/keys', { label: 'a', kind: 'api', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['POST', '/accounts/ID/top-ups', { aiCredits: 0, reference: 'a' }, 'aiCredits'],
    ['POST', '/accounts/ID/top-ups', { aiCredits: 1.5, reference: 'a' }, 'aiCredits'],
    ['POST', '/accounts/ID/top-ups', { aiCredits: 10_000_001, reference: 'a' }, 'aiCredits'],
    ['POST', '/accounts/ID/top-ups', { aiCredits: 5, reference: '' }, 'reference'],
  ])('%s %s %j', async (method, path, body, field) => {
    const { id } = await newAccount('free');
    const answer = await admin(method, path.replace('ID', id), body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_request');
    expect(answer.body.message).toContain(field);
  });

  const post = (type: string, body: BodyInit) =>
    send('POST', '/admin/accounts', {
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': type },
      body,
    });

  test('that is no JSON', async () => {
    expect((await post('application/json', '{"name":')).status).toBe(400);
    expect((await post('application/json', '')).status).toBe(400);
    expect((await post('application/json', new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400);
  });

  test('of another type', async () => {
    expect((await post('text/plain', '{"name":"a","plan":"free"}')).status).toBe(415);
    expect((await post('application/json; charset=utf-8', '{"name":"a","plan":"free"}')).status).toBe(201);
  });

  test('over 16 KiB', async () => {
    const body = (bytes: number) => JSON.stringify({ plan: 'free', name: 'a' }).padEnd(bytes, ' ');
    expect((await post('application/json', body(16 * 1024))).status).toBe(201);
    expect((await post('application/json', body(16 * 1024 + 1))).status).toBe(413);
  });
});

test('a top-up whose first answer was lost says that it was added, and adds once', async () => {
  const { id } = await newAccount('free');
  const services = createServices(env);
  let calls = 0;
  const ledger = (accountId: string) => {
    const real = services.ledger(accountId);
    return {
      usage: (plan: PlanId) => real.usage(plan),
      async topUp(...top: Parameters<AccountLedger['topUp']>) {
        const answer = await real.topUp(...top);
        if (++calls === 1) throw Object.assign(new Error('Network connection lost.'), { retryable: true });
        return answer;
      },
    };
  };
  const app = createApp({ ...services, ledger: ledger as never, log: () => {} });
  const { admin } = apiClient(async (request) => app.fetch(request, env));
  const topUp = () => admin('POST', `/accounts/${id}/top-ups`, { aiCredits: 5, reference: 'invoice 8' });
  expect((await topUp()).body).toMatchObject({ added: true, usage: { aiCredits: { topUp: 5 } } });
  expect((await topUp()).body).toMatchObject({ added: false, usage: { aiCredits: { topUp: 5 } } });
  expect(calls).toBe(3);
});

test('the metrics are Prometheus text that has what was called before, for operators only', {
  timeout: 40_000,
}, async () => {
  const { send } = apiClient();
  const scrape = async () => (await admin('GET', '/metrics')).body as string;
  const healthy = /^plume_requests_total\{method="GET",outcome="ok",route="\/health",status="200"\} (\d+)$/m;
  const counted = async () => Number(healthy.exec(await scrape())?.[1] ?? 0);
  const before = await counted();
  await send('GET', '/health');
  // Another test may have let an object die that was telling them: then somebody else does it, some seconds later.
  await expect.poll(counted, { timeout: 30_000, interval: 500 }).toBeGreaterThan(before);
  expect(await scrape()).toMatch(/^# TYPE plume_request_seconds histogram$/m);
  expect((await send('GET', '/admin/metrics')).status).toBe(401);
});
