import { beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { signedIn } from '../../support/browser-client.ts';
import { smallPng } from '../../support/small-png.ts';

const { send } = apiClient();
const today = () => new Date().toISOString().slice(0, 10);

function form(...names: readonly string[]): FormData {
  const form = new FormData();
  for (const name of names) {
    const content = name.startsWith('broken') ? smallPng(9, 9).slice(0, 60) : smallPng(24, 16);
    form.append('file', new File([content], name));
  }
  return form;
}

type SignedIn = Awaited<ReturnType<typeof signedIn>>;
let who: SignedIn;
const days = (query = '') =>
  send('GET', `/api/usage/days${query}`, { headers: { Authorization: `Bearer ${who.account.apiKey}` } });

beforeAll(async () => {
  who = await signedIn();
});

describe('GET /api/usage/days', () => {
  test('counts by key what was charged, once, and nothing that failed', async () => {
    const { account, browser } = who;
    const headers = { Authorization: `Bearer ${account.apiKey}`, 'Idempotency-Key': 'days' };
    const first = await send('POST', '/api/compress', { body: form('a.png', 'broken.png', 'b.png'), headers });
    await send('POST', '/api/compress', { body: form('a.png', 'broken.png', 'b.png'), headers });
    await send('POST', '/api/compress', {
      body: form('broken.png'),
      headers: { Authorization: `Bearer ${account.apiKey}` },
    });
    const second = await browser.send('POST', '/api/compress', form('c.png'));
    const { body } = await days();
    const sum = (data: Record<string, number>[], name: string) => data.reduce((all, item) => all + item[name]!, 0);
    expect(body.days).toEqual([
      {
        day: today(),
        keyId: 'console',
        compressions: 1,
        aiCredits: 0,
        bytesIn: sum(second.body.data, 'originalSize'),
        bytesOut: sum(second.body.data, 'optimizedSize'),
      },
      {
        day: today(),
        keyId: account.apiKeyId,
        compressions: 2,
        aiCredits: 0,
        bytesIn: sum(first.body.data, 'originalSize'),
        bytesOut: sum(first.body.data, 'optimizedSize'),
      },
    ]);
    expect((Date.parse(body.to) - Date.parse(body.from)) / 86_400_000).toBe(29);
    expect(body.to).toBe(today());
    const usage = await send('GET', '/api/usage', { headers: { Authorization: `Bearer ${account.apiKey}` } });
    expect(usage.body.compressions.used).toBe(3);
  });

  test('tells the days that are asked for, and a signed-in browser, too', async () => {
    expect((await days('?from=2020-01-01&to=2020-12-31')).body).toEqual({
      from: '2020-01-01',
      to: '2020-12-31',
      days: [],
    });
    expect((await who.browser.send('GET', `/api/usage/days?from=${today()}&to=${today()}`)).body.days).toHaveLength(2);
  });

  test.each([
    'from=x',
    'to=2026-13-01',
    'from=2026-02-30',
    'from=',
    'from=2026-11-02&to=2026-11-01',
    'from=2024-01-01&to=2026-01-01',
  ])('refuses ?%s', async (query) => {
    const { status, body } = await days(`?${query}`);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });
});
