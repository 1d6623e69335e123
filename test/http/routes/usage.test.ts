import { expect, test } from 'vitest';
import { apiClient, newAccount } from '../../support/api-client.ts';

const { sendJson, send } = apiClient();

test('a new account has used nothing of what its plan includes', async () => {
  const { appKey } = await newAccount('starter');
  const { status, body, headers } = await sendJson('GET', '/api/usage', appKey);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    plan: 'starter',
    compressions: { used: 0, limit: 2000, remaining: 2000 },
    aiCredits: { used: 0, limit: 200, topUp: 0, remaining: 200 },
  });
  expect(body.period.start).toMatch(/^\d{4}-\d{2}-01T00:00:00Z$/);
  expect(headers.get('X-Compressions-Used')).toBe('0');
  expect(headers.get('X-Compressions-Limit')).toBe('2000');
  expect(headers.get('X-AI-Credits-Remaining')).toBe('200');
});

test('HEAD answers like GET without a body', async () => {
  const { appKey } = await newAccount('free');
  const { status, headers } = await send('HEAD', '/api/usage', { headers: { Authorization: `Bearer ${appKey}` } });
  expect(status).toBe(200);
  expect(headers.get('X-Compressions-Limit')).toBe('100');
});

test('a top-up shows at once', async () => {
  const { id, apiKey } = await newAccount('agency');
  await apiClient().admin('POST', `/accounts/${id}/top-ups`, { aiCredits: 7, reference: 'order 1' });
  const { body } = await sendJson('GET', '/api/usage', apiKey);
  expect(body.aiCredits).toEqual({ used: 0, limit: 5000, topUp: 7, remaining: 5007 });
});
