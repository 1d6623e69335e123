import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
test('r2', async () => { await env.BUCKET.put('a','b'); expect(await (await env.BUCKET.get('a'))!.text()).toBe('b'); });
