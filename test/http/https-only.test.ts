import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createServices, type Env } from '../../src/services.ts';

const deployed = createApp(createServices({ ...env, HTTPS_ONLY: 'true' } as Env));
const local = createApp(createServices(env));

describe('a deployed service', () => {
  test.each(['GET', 'HEAD'])('redirects %s over plain http, with path and query', async (method) => {
    const answer = await deployed.request('http://plume.example/d/k/a.webp?expires=1&signature=x', { method });
    expect(answer.status).toBe(308);
    expect(answer.headers.get('Location')).toBe('https://plume.example/d/k/a.webp?expires=1&signature=x');
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['POST', '/api/compress'],
    ['DELETE', '/admin/keys/x'],
    ['OPTIONS', '/api/compress'],
  ])('refuses %s %s over plain http before a key is looked at', async (method, path) => {
    const answer = await deployed.request(`http://plume.example${path}`, { method });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toEqual({ error: 'https_required', message: expect.stringContaining('https') });
    expect(answer.headers.get('Strict-Transport-Security')).toBeNull();
  });

  test('tells browsers to stay with https, on errors as well', async () => {
    for (const path of ['/health', '/api/usage', '/nothing', '/d/k/a.webp']) {
      const { headers } = await deployed.request(`https://plume.example${path}`);
      expect(headers.get('Strict-Transport-Security'), path).toBe('max-age=31536000');
    }
  });
});

test('on this machine plain http is what there is', async () => {
  const answer = await local.request('http://localhost:8787/health');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Strict-Transport-Security')).toBeNull();
});
