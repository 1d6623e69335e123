import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createServices, type Env } from '../../../src/services.ts';
import { apiClient } from '../../support/api-client.ts';

const { send } = apiClient();

test.each([
  ['/docs.md', 'text/markdown; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
])('%s tells of the interface under the address at which it was asked for', async (path, type) => {
  const { status, headers, body } = await send('GET', path);
  expect([status, headers.get('Content-Type')]).toEqual([200, type]);
  expect(headers.get('Cache-Control')).toBe('public, max-age=300');
  expect(body).toMatch(/^# Plume/);
  expect(body).toContain('https://plume.test/');
  expect(body).toContain('`POST /api/compress`');
  expect((await send('HEAD', path)).status).toBe(200);
});

test('behind an address of its own it tells of that one', async () => {
  const app = createApp({
    ...createServices({ ...env, BASE_URL: 'https://images.example/api' } as Env),
    log: () => {},
  });
  const text = await (await app.fetch(new Request('https://plume.test/llms.txt'), env)).text();
  expect(text).toContain('https://images.example/api/docs.md');
  expect(text).not.toContain('plume.test');
});
