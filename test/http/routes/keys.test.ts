import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { KeyUse } from '../../../src/keys/key-use.ts';
import { limits } from '../../../src/limits.ts';
import { createServices, type Env } from '../../../src/services.ts';
import { adminToken, apiClient, newAccount } from '../../support/api-client.ts';
import { BrowserClient, signedIn } from '../../support/browser-client.ts';

const { admin, send } = apiClient();
const usage = (key: string) => send('GET', '/api/usage', { headers: { Authorization: `Bearer ${key}` } });

describe('keys by their owner', () => {
  test('are made, work, and are shown without their secret', async () => {
    const { browser } = await signedIn();
    const made = await browser.send('POST', '/api/keys', { label: 'build server' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ label: 'build server', kind: 'api', expiresAt: null, lastUsedAt: null });
    expect((await usage(made.body.key)).status).toBe(200);
    const { keys } = (await browser.send('GET', '/api/keys')).body;
    const { key: secret, ...shown } = made.body;
    expect(keys[0]).toEqual({ ...shown, lastUsedAt: expect.any(String) });
    expect(keys).toHaveLength(3);
    expect(JSON.stringify(keys)).not.toContain(secret);
  });

  test.each(['get', 'post', 'delete', 'roll', 'audit'] as const)(
    'need a session: %s with a key is refused',
    async (call) => {
      const { apiKey, appKey, apiKeyId } = await newAccount('agency');
      const calls = {
        get: ['GET', '/api/keys'],
        post: ['POST', '/api/keys', { label: 'a' }],
        delete: ['DELETE', `/api/keys/${apiKeyId}`],
        roll: ['POST', `/api/keys/${apiKeyId}/roll`, { graceSeconds: 0 }],
        audit: ['GET', '/api/audit'],
      } as const;
      const [method, path, body] = calls[call];
      for (const key of [apiKey, appKey]) {
        const { status, body: answer } = await apiClient().sendJson(method, path, key, body);
        expect([status, answer.error]).toEqual([403, 'session_required']);
      }
      expect((await usage(apiKey)).status).toBe(200);
    },
  );

  test('are none of another account’s business', async () => {
    const { account } = await signedIn();
    const { browser: other } = await signedIn();
    expect((await other.send('DELETE', `/api/keys/${account.apiKeyId}`)).status).toBe(404);
    expect((await other.send('POST', `/api/keys/${account.apiKeyId}/roll`, { graceSeconds: 60 })).status).toBe(404);
    expect((await usage(account.apiKey)).status).toBe(200);
    const { keys } = (await other.send('GET', '/api/keys')).body;
    expect(keys.map(({ id }: { id: string }) => id)).not.toContain(account.apiKeyId);
  });

  test('can be made to expire, and only later than now', async () => {
    const { browser } = await signedIn();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await browser.send('POST', '/api/keys', { label: 'a', expiresAt });
    expect(body.expiresAt).toBe(expiresAt.replace(/\.\d+Z$/, 'Z'));
    const past = await browser.send('POST', '/api/keys', { label: 'a', expiresAt: '2020-01-01T00:00:00Z' });
    expect([past.status, past.body.error]).toEqual([400, 'invalid_request']);
    for (const body of [
      {},
      { label: '' },
      { label: 'a', kind: 'app' },
      { label: 'a', expiresAt: 'soon' },
      { label: 'a', more: 1 },
    ]) {
      expect((await browser.send('POST', '/api/keys', body)).status).toBe(400);
    }
  });

  test('are not made on a plan that would refuse them', async () => {
    const { browser } = await signedIn('starter');
    const { status, body } = await browser.send('POST', '/api/keys', { label: 'a' });
    expect([status, body.error]).toEqual([403, 'api_not_available']);
  });

  test('come in pages, the newest first', async () => {
    const { browser } = await signedIn();
    for (const label of ['1', '2', '3']) await browser.send('POST', '/api/keys', { label });
    const all = (await browser.send('GET', '/api/keys')).body;
    expect(all.keys).toHaveLength(5);
    expect(all).not.toHaveProperty('nextCursor');
    const paged = [];
    let cursor = '';
    for (let page = 0; page < 3; page++) {
      const { body } = await browser.send('GET', `/api/keys?limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...body.keys);
      cursor = body.nextCursor;
      expect(cursor === undefined).toBe(page === 2);
    }
    expect(paged).toEqual(all.keys);
    for (const query of ['limit=0', 'limit=101', 'cursor=x']) {
      expect((await browser.send('GET', `/api/keys?${query}`)).status).toBe(400);
    }
  });

  test('are at most twenty that count, also when they are made at the same moment', async () => {
    const { account, browser } = await signedIn();
    const make = () => browser.send('POST', '/api/keys', { label: 'many' });
    const made = await Promise.all(Array.from({ length: limits.liveKeys + 5 }, make));
    const statuses = made.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(limits.liveKeys - 2);
    expect(made.find(({ status }) => status === 409)!.body.error).toBe('key_limit_reached');
    const roll = (graceSeconds: number) => browser.send('POST', `/api/keys/${account.apiKeyId}/roll`, { graceSeconds });
    expect([(await roll(60)).status, (await roll(0)).status]).toEqual([409, 201]);
    const { id } = made.find(({ status }) => status === 201)!.body;
    await browser.send('DELETE', `/api/keys/${id}`);
    expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(409);
  });

  test('are revoked for good, at once', async () => {
    const { browser } = await signedIn();
    const { id, key } = (await browser.send('POST', '/api/keys', { label: 'a' })).body;
    expect((await usage(key)).status).toBe(200);
    expect((await browser.send('DELETE', `/api/keys/${id}`)).status).toBe(204);
    expect((await usage(key)).status).toBe(401);
    expect((await browser.send('DELETE', `/api/keys/${id}`)).status).toBe(204);
    expect((await browser.send('DELETE', '/api/keys/key_nobody')).status).toBe(404);
    expect((await browser.send('POST', `/api/keys/${id}/roll`, { graceSeconds: 0 })).status).toBe(404);
  });
});

describe('POST /api/keys/{id}/roll', () => {
  test('lets both keys count for the grace', async () => {
    const { account, browser } = await signedIn();
    const { status, body } = await browser.send('POST', `/api/keys/${account.apiKeyId}/roll`, { graceSeconds: 3600 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ label: 'api', kind: 'api', expiresAt: null, lastUsedAt: null });
    expect([(await usage(account.apiKey)).status, (await usage(body.key)).status]).toEqual([200, 200]);
    const { keys } = (await browser.send('GET', '/api/keys')).body;
    const old = keys.find(({ id }: { id: string }) => id === account.apiKeyId);
    const seconds = (Date.parse(old.expiresAt) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(3590);
    expect(seconds).toBeLessThanOrEqual(3600);
    await env.DB.prepare('UPDATE keys SET expires_at = 1 WHERE id = ?').bind(account.apiKeyId).run();
    await browser.send('POST', `/api/keys/${body.id}/roll`, { graceSeconds: 60 });
    expect((await browser.send('POST', `/api/keys/${account.apiKeyId}/roll`, { graceSeconds: 0 })).status).toBe(404);
  });

  test('without a grace ends the old key at once, and the sessions that it opened', async () => {
    const { account, browser } = await signedIn();
    const other = new BrowserClient();
    await other.signIn({ key: account.apiKey });
    const { body } = await browser.send('POST', `/api/keys/${account.apiKeyId}/roll`, { graceSeconds: 0 });
    expect([(await usage(account.apiKey)).status, (await usage(body.key)).status]).toEqual([401, 200]);
    expect((await other.send('GET', '/session')).status).toBe(401);
    expect((await browser.send('GET', '/session')).status).toBe(200);
  });

  test('never lengthens the life of the old key', async () => {
    const { account, browser } = await signedIn();
    const soon = Date.now() + 60_000;
    await env.DB.prepare('UPDATE keys SET expires_at = ? WHERE id = ?').bind(soon, account.apiKeyId).run();
    await browser.send('POST', `/api/keys/${account.apiKeyId}/roll`, { graceSeconds: 604_800 });
    const row = env.DB.prepare('SELECT expires_at FROM keys WHERE id = ?').bind(account.apiKeyId);
    expect((await row.first<{ expires_at: number }>())!.expires_at).toBe(soon);
  });

  test.each([-1, 604_801, 1.5, '60', null, undefined])('refuses a grace of %s seconds', async (graceSeconds) => {
    const { account, browser } = await signedIn();
    const { status } = await browser.send('POST', `/api/keys/${account.apiKeyId}/roll`, { graceSeconds });
    expect(status).toBe(400);
  });
});

describe('the last use of a key', () => {
  test('is written once an hour', async () => {
    const { account } = await signedIn();
    let now = Date.UTC(2026, 10, 22, 12);
    const noted = () =>
      env.DB.prepare('SELECT last_used_at AS at FROM keys WHERE id = ?')
        .bind(account.apiKeyId)
        .first<{ at: number | null }>()
        .then((row) => row?.at);
    const use = new KeyUse(env.DB, () => now);
    const elsewhere = new KeyUse(env.DB, () => now);
    expect(await noted()).toBeNull();
    const first = now;
    await use.note(account.apiKeyId);
    expect(await noted()).toBe(first);
    now += 3_599_000;
    await Promise.all([use.note(account.apiKeyId), elsewhere.note(account.apiKeyId)]);
    expect(await noted()).toBe(first);
    now += 1000;
    await use.note(account.apiKeyId);
    expect(await noted()).toBe(now);
  });

  test('costs no call where the database does not answer', async () => {
    const broken = { prepare: () => ({ bind: () => ({ run: () => Promise.reject(new Error('D1 is away')) }) }) };
    await new KeyUse(broken as unknown as D1Database, Date.now).note('key_x');
  });
});

describe('GET /api/audit', () => {
  test('tells the owner who did what, and of operators neither name nor address', async () => {
    const { account, browser } = await signedIn();
    const made = (await browser.send('POST', '/api/keys', { label: 'Ada’s laptop' })).body;
    const rolled = (await browser.send('POST', `/api/keys/${made.id}/roll`, { graceSeconds: 60 })).body;
    await browser.send('DELETE', `/api/keys/${rolled.id}`);
    await admin('PATCH', `/accounts/${account.id}`, { plan: 'starter' });
    const { entries } = (await browser.send('GET', '/api/audit')).body;
    const told = entries.map(({ actor, action, target }: Record<string, string>) => [actor, action, target]);
    expect(told).toEqual([
      ['operator', 'account.change', account.id],
      ['owner', 'key.revoke', rolled.id],
      ['owner', 'key.roll', made.id],
      ['owner', 'key.issue', made.id],
      ['owner', 'session.open', expect.stringMatching(/^ses_/)],
      ['operator', 'key.issue', expect.any(String)],
      ['operator', 'key.issue', account.apiKeyId],
      ['operator', 'account.create', account.id],
    ]);
    expect(entries[0].address).toBeNull();
    // Which browser it was; the sign-in is its own target.
    const session = entries[4].target;
    expect(entries[1].details).toEqual({ session });
    expect(entries[2].details).toEqual({ newKey: rolled.id, graceSeconds: 60, session });
    expect(entries[4].details).toEqual({ with: 'key' });
    expect(entries[1].address).toMatch(/^10\./);
    const text = JSON.stringify(entries);
    expect(text).not.toMatch(/Ada/);
    expect(text).not.toContain(made.key);
    for (const { requestId } of entries) expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    const all = (await admin('GET', '/audit')).body.entries;
    expect(
      all.find(({ action, target }: Record<string, string>) => action === 'key.roll' && target === made.id),
    ).toMatchObject({
      admin: 'owner',
      actor: 'owner',
    });
  });

  test('comes in pages, and is nobody else’s', async () => {
    const { browser } = await signedIn();
    const { browser: other } = await signedIn();
    const all = (await browser.send('GET', '/api/audit')).body.entries;
    const first = (await browser.send('GET', '/api/audit?limit=2')).body;
    const rest = (await browser.send('GET', `/api/audit?cursor=${first.nextCursor}`)).body;
    expect([...first.entries, ...rest.entries]).toEqual(all);
    expect(rest).not.toHaveProperty('nextCursor');
    const others = (await other.send('GET', '/api/audit')).body.entries;
    const ids = new Set(all.map(({ target }: { target: string }) => target));
    expect(others.some(({ target }: { target: string }) => ids.has(target))).toBe(false);
    for (const query of ['limit=0', 'cursor=x', 'cursor=-1']) {
      expect((await browser.send('GET', `/api/audit?${query}`)).status).toBe(400);
    }
  });

  test('forgets the owner’s addresses when the account is erased', async () => {
    const { account, browser } = await signedIn();
    await browser.send('POST', '/api/keys', { label: 'a' });
    await admin('DELETE', `/accounts/${account.id}`);
    const left = env.DB.prepare("SELECT address FROM audit WHERE account_id = ? AND actor = 'owner'").bind(account.id);
    const { results } = await left.all<{ address: string | null }>();
    expect(results.length).toBeGreaterThan(1);
    expect(results.every(({ address }) => address === null)).toBe(true);
  });
});

test('no secret of a key is in the log', async () => {
  const lines: unknown[] = [];
  const services = createServices(env as Env);
  const app = createApp({ ...services, log: (line) => void lines.push(line) });
  const { account } = await signedIn();
  const browser = new BrowserClient(apiClient(async (request) => await app.fetch(request, env)));
  await browser.signIn({ key: account.appKey });
  const made = (await browser.send('POST', '/api/keys', { label: 'secret label' })).body;
  await browser.send('POST', `/api/keys/${made.id}/roll`, { graceSeconds: 5 });
  const log = JSON.stringify(lines);
  for (const secret of [made.key, adminToken, 'secret label']) expect(log).not.toContain(secret);
});
