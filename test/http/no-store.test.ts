import { expect, test } from 'vitest';
import { adminToken, apiClient, newAccount } from '../support/api-client.ts';

const { send, sendJson } = apiClient();

test('answers under /api and /admin are kept by no cache, errors neither', async () => {
  const { appKey } = await newAccount('free');
  const answers = [
    await sendJson('GET', '/api/usage', appKey),
    await send('GET', '/api/usage'),
    await send('OPTIONS', '/api/compress'),
    await sendJson('PUT', '/api/usage', appKey),
    await sendJson('GET', '/admin/accounts?limit=1', adminToken),
    await sendJson('GET', '/admin/accounts', 'wrong'),
    await sendJson('DELETE', '/admin/keys/x', adminToken),
  ];
  for (const { headers } of answers) expect(headers.get('Cache-Control')).toBe('no-store');
  expect((await send('GET', '/openapi.json')).headers.get('Cache-Control')).toBeNull();
});

test('pages of other origins cannot use the administration', async () => {
  const Origin = 'https://shop.example';
  const preflight = {
    Origin,
    'Access-Control-Request-Method': 'DELETE',
    'Access-Control-Request-Headers': 'authorization',
  };
  for (const path of ['/admin/accounts', '/admin/keys/x', '/admin']) {
    const asked = await send('OPTIONS', path, { headers: preflight });
    const { headers } = await send('GET', path, { headers: { Origin, Authorization: `Bearer ${adminToken}` } });
    for (const answer of [asked.headers, headers]) {
      expect([...answer.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  }
  const other = await send('OPTIONS', '/administration', { headers: preflight });
  expect(other.headers.get('Access-Control-Allow-Origin')).toBe('*');
});
