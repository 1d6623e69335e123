import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createServices } from '../../src/services.ts';
import { apiClient, newAccount } from '../support/api-client.ts';

const { send, sendJson, admin } = apiClient();
const usage = (authorization?: string) =>
  send('GET', '/api/usage', authorization === undefined ? {} : { headers: { Authorization: authorization } });

describe('a call is refused as Unauthorized', () => {
  test.each([
    ['without the header', undefined],
    ['with an empty header', ''],
    ['with another scheme', 'Basic cGs6'],
    ['with the bare key', `pk_live_${'a'.repeat(43)}`],
    ['with a key that nobody has', `Bearer pk_live_${'a'.repeat(43)}`],
    ['with a key of another form', 'Bearer nonsense'],
    ['with two keys', 'Bearer a b'],
    ['with an absurdly long key', `Bearer ${'a'.repeat(20_000)}`],
    ['with the administration token', 'Bearer test-admin-token-0123456789'],
  ])('%s', async (_, authorization) => {
    const { status, body, headers } = await usage(authorization);
    expect(status).toBe(401);
    expect(body.error).toBe('Unauthorized');
    expect(headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(headers.get('X-Compressions-Used')).toBeNull();
  });

  test('before anything is said about what is there', async () => {
    expect((await send('GET', '/api/nothing')).status).toBe(401);
    expect((await send('DELETE', '/api/usage')).status).toBe(401);
  });

  test('as soon as its key is revoked', async () => {
    const { apiKey, apiKeyId } = await newAccount('agency');
    expect((await usage(`Bearer ${apiKey}`)).status).toBe(200);
    await admin('DELETE', `/keys/${apiKeyId}`);
    expect((await usage(`Bearer ${apiKey}`)).status).toBe(401);
  });
});

test('the scheme is read in any case', async () => {
  const { appKey } = await newAccount('free');
  expect((await usage(`bearer ${appKey}`)).status).toBe(200);
  expect((await usage(`BEARER  ${appKey} `)).status).toBe(200);
});

test.each([
  ['free', 403],
  ['starter', 403],
  ['agency', 200],
] as const)('an API key on the %s plan gets %i, a first-party key always 200', async (plan, expected) => {
  const { apiKey, appKey } = await newAccount(plan);
  const { status, body, headers } = await usage(`Bearer ${apiKey}`);
  expect(status).toBe(expected);
  if (expected === 403) expect(body.error).toBe('api_not_available');
  expect(headers.get('X-Compressions-Used')).toBe('0');
  expect((await usage(`Bearer ${appKey}`)).status).toBe(200);
});

test('API access comes and goes with the plan, at once', async () => {
  const { id, apiKey } = await newAccount('agency');
  expect((await usage(`Bearer ${apiKey}`)).status).toBe(200);
  await admin('PATCH', `/accounts/${id}`, { plan: 'free' });
  expect((await usage(`Bearer ${apiKey}`)).body.error).toBe('api_not_available');
  await admin('PATCH', `/accounts/${id}`, { plan: 'agency' });
  expect((await usage(`Bearer ${apiKey}`)).status).toBe(200);
});

test('a suspended account is told so on every key', async () => {
  const { id, apiKey, appKey } = await newAccount('agency');
  await admin('PATCH', `/accounts/${id}`, { suspended: true });
  for (const key of [apiKey, appKey]) {
    const { status, body } = await usage(`Bearer ${key}`);
    expect(status).toBe(403);
    expect(body.error).toBe('account_suspended');
  }
});

test('a key that calls too often is told when to come again, another key of the account is not', async () => {
  const app = createApp(createServices({ ...env, RATE_LIMIT_PER_MINUTE: '3' }));
  const limited = apiClient(async (request) => app.fetch(request, env));
  const { apiKey, appKey } = await newAccount('agency');
  const statuses: number[] = [];
  for (let call = 0; call < 4; call++) statuses.push((await limited.sendJson('GET', '/api/usage', apiKey)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const { body, headers } = await limited.sendJson('GET', '/api/usage', apiKey);
  expect(body.error).toBe('rate_limited');
  expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(headers.get('X-Compressions-Limit')).toBe('50000');
  expect((await limited.sendJson('GET', '/api/usage', appKey)).status).toBe(200);
});

test('an error under /api carries the usage as well', async () => {
  const { appKey } = await newAccount('starter');
  const { status, headers } = await sendJson('GET', '/api/nothing', appKey);
  expect(status).toBe(404);
  expect(headers.get('X-Compressions-Limit')).toBe('2000');
});
