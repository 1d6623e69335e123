import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { operations } from '../../../src/http/operations.ts';
import { SessionStore } from '../../../src/keys/session-store.ts';
import { limits } from '../../../src/limits.ts';
import { createServices, type Env } from '../../../src/services.ts';
import { type Answer, adminToken, apiClient, newAccount } from '../../support/api-client.ts';
import { BrowserClient, newInvite, signedIn, signedInOperator } from '../../support/browser-client.ts';
import { smallPng } from '../../support/small-png.ts';

const { admin, send } = apiClient();

/** What all refusals of one kind have in common: everything but the id of the request. */
const shown = ({ status, body, headers }: Answer) => {
  const { 'x-request-id': _, ...rest } = Object.fromEntries(headers);
  return { status, body, headers: rest };
};

const invented = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');

/** A browser whose requests meet the service at another time. */
function browserAt(now: () => number): BrowserClient {
  const services = createServices(env as Env);
  const { admins } = services.settings;
  const sessions = new SessionStore({ db: env.DB, clock: now, admins });
  const app = createApp({ ...services, sessions, log: () => {} });
  return new BrowserClient(
    apiClient(
      async (request) => await app.fetch(request, env, { waitUntil() {}, passThroughOnException() {} } as never),
    ),
  );
}

describe('POST /session', () => {
  test('exchanges a key for a cookie that no script and no other site can use', async () => {
    const { id, appKey } = await newAccount('starter');
    const browser = new BrowserClient();
    const { status, body, headers } = await browser.signIn({ key: appKey });
    expect(status).toBe(201);
    expect(body).toEqual({
      kind: 'owner',
      account: { id, name: 'a starter account', plan: 'starter' },
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(headers.get('Set-Cookie')).toMatch(
      /^__Host-plume_session=[\w-]{43}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect((await browser.send('GET', '/session')).body).toEqual(body);
  });

  test('signs an operator in with the token, for eight hours at the most', async () => {
    const browser = new BrowserClient();
    const { status, body, headers } = await browser.signIn({ key: adminToken });
    expect([status, body.kind, body.operator, body.account]).toEqual([201, 'operator', 'admin', undefined]);
    expect(headers.get('Set-Cookie')).toContain('Max-Age=28800;');
    expect((await browser.send('GET', '/admin/accounts?limit=1')).status).toBe(200);
    expect((await browser.send('GET', '/api/usage')).status).toBe(401);
  });

  test('takes an invite once, also when it is used ten times at the same moment', async () => {
    const { id } = await newAccount('free');
    const invite = await newInvite(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => new BrowserClient().signIn({ invite })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(401)]);
    expect((await new BrowserClient().signIn({ invite })).status).toBe(401);
  });

  test('stores no secret: neither that of the cookie nor that of the invite', async () => {
    const { id } = await newAccount('free');
    const invite = await newInvite(id);
    const browser = new BrowserClient();
    await browser.signIn({ invite });
    const operator = await signedInOperator();
    const { results: sessions } = await env.DB.prepare('SELECT * FROM sessions').all();
    const { results: invites } = await env.DB.prepare('SELECT * FROM invites').all();
    const { results: audit } = await env.DB.prepare('SELECT * FROM audit').all();
    const stored = JSON.stringify([sessions, invites, audit]);
    for (const secret of [invite, browser.cookie!, operator.cookie!, adminToken]) expect(stored).not.toContain(secret);
    expect(sessions.length).toBeGreaterThan(0);
  });

  test('never takes over a value that the browser had: a new sign-in has a new one, and the old session ends', async () => {
    const { account, browser } = await signedIn();
    const before = browser.cookie!;
    await browser.signIn({ key: account.appKey });
    expect(browser.cookie).not.toBe(before);
    browser.cookie = before;
    expect((await browser.send('GET', '/session')).status).toBe(401);
    const fixed = new BrowserClient();
    fixed.cookie = invented();
    const planted = fixed.cookie;
    await fixed.signIn({ key: account.appKey });
    expect(fixed.cookie).not.toBe(planted);
  });

  test.each([
    ['nothing', undefined],
    ['no object', 7],
    ['neither', {}],
    ['both', { key: 'a', invite: 'b' }],
    ['more', { key: 'a', remember: true }],
    ['an empty key', { key: '' }],
    ['a key that is no text', { key: ['a'] }],
    ['a key that is far too long', { key: 'a'.repeat(501) }],
  ])('refuses %s', async (_, body) => {
    const { status } = await new BrowserClient().send('POST', '/session', body);
    expect([400, 415]).toContain(status);
  });

  test('refuses everything that does not sign in with one answer', async () => {
    const revoked = await newAccount('agency');
    await admin('DELETE', `/keys/${revoked.apiKeyId}`);
    const suspended = await newAccount('agency');
    const invite = await newInvite(suspended.id);
    await admin('PATCH', `/accounts/${suspended.id}`, { suspended: true });
    const erased = await newAccount('agency');
    const erasedInvite = await newInvite(erased.id);
    await admin('DELETE', `/accounts/${erased.id}`);
    const { id } = await newAccount('free');
    const used = await newInvite(id);
    await new BrowserClient().signIn({ invite: used });
    const old = await newInvite(id);
    await env.DB.prepare('UPDATE invites SET expires_at = 1 WHERE account_id = ? AND used_at IS NULL').bind(id).run();
    const proofs = [
      { key: revoked.apiKey },
      { key: suspended.apiKey },
      { key: erased.apiKey },
      { key: `plume_${'a'.repeat(49)}` },
      { key: 'x' },
      { key: `${adminToken}x` },
      { key: used },
      { invite },
      { invite: erasedInvite },
      { invite: used },
      { invite: old },
      { invite: adminToken },
      { invite: suspended.apiKey },
      { invite: invented() },
    ];
    const answers = await Promise.all(proofs.map((proof) => new BrowserClient().signIn(proof)));
    expect(answers[0]!.status).toBe(401);
    expect(answers[0]!.headers.get('Set-Cookie')).toBeNull();
    for (const answer of answers) expect(shown(answer)).toEqual(shown(answers[0]!));
  });

  test('is limited by address, right or wrong', async () => {
    const browser = new BrowserClient();
    const { appKey } = await newAccount('free');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < limits.refusalsPerMinute + 5; attempt++) {
      statuses.push((await browser.signIn({ key: `wrong ${attempt}` })).status);
    }
    expect(statuses.slice(0, limits.refusalsPerMinute).every((status) => status === 401)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect((await browser.signIn({ key: appKey })).status).toBe(429);
    expect((await new BrowserClient().signIn({ key: appKey })).status).toBe(201);
  });

  test('asks the database the same, whatever is wrong', async () => {
    const counted: string[][] = [];
    const spying = new Proxy(env.DB, {
      get: (target, name) => {
        if (name === 'prepare')
          return (query: string) => {
            counted.at(-1)?.push(query);
            return target.prepare(query);
          };
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const store = new SessionStore({ db: spying, clock: Date.now, admins: [{ name: 'admin', token: adminToken }] });
    const audit = () => () => env.DB.prepare('SELECT 1');
    const { apiKey, apiKeyId } = await newAccount('agency');
    await admin('DELETE', `/keys/${apiKeyId}`);
    for (const secret of [apiKey, 'x', `${adminToken}x`, 'y'.repeat(500)]) {
      counted.push([]);
      expect(await store.open({ kind: 'key', secret }, { userAgent: null, audit })).toBeUndefined();
    }
    for (const queries of counted) expect(queries).toEqual(counted[0]);
  });
});

describe('a session ends', () => {
  const dead = async (browser: BrowserClient, cookie = browser.cookie!) => {
    browser.cookie = cookie;
    const answer = await browser.send('GET', '/api/usage');
    expect(answer.headers.get('Set-Cookie')).toContain('Max-Age=0');
    return shown(answer);
  };

  test('with everything that should end it, and the stolen cookie gets one answer whatever it was', async () => {
    type SignedIn = Awaited<ReturnType<typeof signedIn>>;
    const endings: Record<string, (who: SignedIn) => Promise<unknown>> = {
      'sign-out': ({ browser }) => browser.send('DELETE', '/session'),
      'sign-out everywhere': async ({ account }) => {
        const other = new BrowserClient();
        await other.signIn({ key: account.apiKey });
        return await other.send('DELETE', '/session/all');
      },
      'its key revoked': async ({ account }) => {
        const { keys }: Answer['body'] = (await admin('GET', `/accounts/${account.id}`)).body;
        const { id } = keys.find(({ kind }: { kind: string }) => kind === 'app');
        return await admin('DELETE', `/keys/${id}`);
      },
      'its key expired': ({ account }) =>
        env.DB.prepare("UPDATE keys SET expires_at = 1 WHERE account_id = ? AND kind = 'app'").bind(account.id).run(),
      suspension: ({ account }) => admin('PATCH', `/accounts/${account.id}`, { suspended: true }),
      erasure: ({ account }) => admin('DELETE', `/accounts/${account.id}`),
    };
    const answers: ReturnType<typeof shown>[] = [];
    for (const [how, end] of Object.entries(endings)) {
      const who = await signedIn();
      const { cookie } = who.browser;
      expect((await who.browser.send('GET', '/api/usage')).status, how).toBe(200);
      await end(who);
      answers.push(await dead(who.browser, cookie));
    }
    const stranger = new BrowserClient();
    answers.push(await dead(stranger, invented()), await dead(stranger, 'x'), await dead(stranger, ''));
    expect(answers[0]!.status).toBe(401);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  type Holder = readonly [whose: string, idle: number, most: number, key: () => Promise<string>];
  const holders: readonly Holder[] = [
    [
      'an owner’s',
      limits.ownerIdleSeconds,
      limits.ownerSessionSeconds,
      () => newAccount('free').then((account) => account.appKey),
    ],
    ['an operator’s', limits.operatorIdleSeconds, limits.operatorSessionSeconds, async () => adminToken],
  ];
  test.each(holders)('%s after its idle time, and at its latest end however busy it is', async (_, idle, most, key) => {
    let now = Date.now();
    const browser = browserAt(() => now);
    await browser.signIn({ key: await key() });
    const { cookie } = browser;
    now += (idle - 1) * 1000;
    expect((await browser.send('GET', '/session')).status).toBe(200);
    now += (idle - 1) * 1000;
    expect((await browser.send('GET', '/session')).status).toBe(200);
    now += (idle + 1) * 1000;
    expect((await browser.send('GET', '/session')).status).toBe(401);
    browser.cookie = cookie;

    await browser.signIn({ key: await key() });
    const end = now + most * 1000;
    const told: string[] = [];
    while (now + (idle - 100) * 1000 < end) {
      now += (idle - 100) * 1000;
      const { status, body } = await browser.send('GET', '/session');
      expect(status).toBe(200);
      told.push(body.expiresAt);
    }
    expect(Date.parse(told.at(-1)!)).toBeLessThanOrEqual(end);
    now = end + 1000;
    expect((await browser.send('GET', '/session')).status).toBe(401);
  });

  test('that is an operator’s with its token', async () => {
    const services = createServices({ ...env, ADMIN_TOKENS: 'ada=0123456789abcdefghijklmn' } as Env);
    const changed = createServices({ ...env, ADMIN_TOKENS: 'ada=another-token-of-ada-123' } as Env);
    const clients = [services, changed].map((all) => {
      const app = createApp({ ...all, log: () => {} });
      return new BrowserClient(apiClient(async (request) => await app.fetch(request, env)));
    });
    const [before, after] = clients as [BrowserClient, BrowserClient];
    const { body } = await before.signIn({ key: '0123456789abcdefghijklmn' });
    expect(body.operator).toBe('ada');
    after.cookie = before.cookie;
    expect((await before.send('GET', '/admin/accounts?limit=1')).status).toBe(200);
    expect((await after.send('GET', '/admin/accounts?limit=1')).status).toBe(401);
  });

  test('of an account that has too many: the one used longest ago', async () => {
    const { account, browser } = await signedIn();
    const insert = env.DB.prepare(
      'INSERT INTO sessions (id, hash, account_id, created_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const now = Date.now();
    const rows = Array.from({ length: limits.sessionsPerAccount }, (_, place) =>
      insert.bind(
        `ses_x${place}${account.id}`,
        `hash ${place} ${account.id}`,
        account.id,
        now,
        now + 1 + place,
        now + 9e9,
      ),
    );
    await env.DB.batch(rows);
    await new BrowserClient().signIn({ key: account.apiKey });
    const live = env.DB.prepare('SELECT COUNT(*) AS n FROM sessions WHERE account_id = ? AND ended_at IS NULL');
    expect((await live.bind(account.id).first<{ n: number }>())!.n).toBe(limits.sessionsPerAccount);
    expect((await browser.send('GET', '/session')).status).toBe(401);
  });

  test('and is removed for good by the cron run, as are invites', async () => {
    const { account, browser } = await signedIn();
    await newInvite(account.id);
    await browser.send('DELETE', '/session');
    const later = new SessionStore({ db: env.DB, clock: () => Date.now() + 40 * 24 * 3_600_000, admins: [] });
    expect(await later.removeExpired()).toBeGreaterThan(1);
    for (const table of ['sessions', 'invites']) {
      const left = env.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE account_id = ?`).bind(account.id);
      expect((await left.first<{ n: number }>())!.n).toBe(0);
    }
  });
});

describe('with the cookie of a session', () => {
  test('the API answers as for a first-party key, on any plan', async () => {
    const { browser } = await signedIn('free');
    const form = new FormData();
    form.append('file', new File([smallPng(20, 10)], 'a.png'));
    const answer = await browser.send('POST', '/api/compress', form);
    expect([answer.status, answer.body.data.length]).toEqual([200, 1]);
    expect(answer.headers.get('X-Compressions-Used')).toBe('1');
    expect((await browser.send('GET', '/api/usage')).body.compressions.used).toBe(1);
    expect((await browser.send('GET', '/api/batches')).body.batches).toHaveLength(1);
  });

  test('and a key, too, a request is refused, whatever the key is', async () => {
    const { account, browser } = await signedIn();
    for (const Authorization of [`Bearer ${account.apiKey}`, `Bearer ${adminToken}`, 'Bearer x', 'Basic x']) {
      for (const path of ['/api/usage', '/admin/accounts?limit=1', '/session']) {
        const { status, body } = await browser.send('GET', path, undefined, { Authorization });
        expect([status, body.error]).toEqual([400, 'invalid_request']);
      }
    }
  });

  test('an owner is no operator', async () => {
    const { browser } = await signedIn();
    expect((await browser.send('GET', '/admin/accounts')).status).toBe(401);
    expect((await browser.send('POST', '/admin/accounts', { name: 'x', plan: 'agency' })).status).toBe(401);
  });

  test('other cookies make no difference, and two of ours count for nothing', async () => {
    const { account, browser } = await signedIn();
    const own = `__Host-plume_session=${browser.cookie}`;
    const get = (Cookie: string) => browser.client.send('GET', '/session', { headers: { Cookie } });
    expect((await get(`a=b; ${own}; plume_session=x; __host-plume_session=y`)).status).toBe(200);
    expect((await get(`${own}; ${own}`)).status).toBe(401);
    expect((await get('__host-plume_session=y')).status).toBe(401);
    const headers = { Authorization: `Bearer ${account.apiKey}`, Cookie: 'theme=dark' };
    expect((await send('GET', '/api/usage', { headers })).status).toBe(200);
  });
});

describe('where a request comes from', () => {
  const sources: readonly [name: string, headers: Record<string, string | null>, allowed: boolean][] = [
    ['same-origin', { 'Sec-Fetch-Site': 'same-origin' }, true],
    ['same-origin, whatever Origin says', { 'Sec-Fetch-Site': 'same-origin', Origin: null }, true],
    ['same-site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.plume.test' }, false],
    ['same-site that claims our origin', { 'Sec-Fetch-Site': 'same-site' }, false],
    ['cross-site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' }, false],
    ['nowhere (typed in)', { 'Sec-Fetch-Site': 'none', Origin: null }, false],
    ['an old browser, our origin', { 'Sec-Fetch-Site': null }, true],
    ['an old browser, another origin', { 'Sec-Fetch-Site': null, Origin: 'https://evil.test' }, false],
    ['an old browser, another port', { 'Sec-Fetch-Site': null, Origin: 'https://plume.test:8443' }, false],
    ['an old browser, another scheme', { 'Sec-Fetch-Site': null, Origin: 'http://plume.test' }, false],
    ['an opaque origin', { 'Sec-Fetch-Site': null, Origin: 'null' }, false],
    ['no header at all', { 'Sec-Fetch-Site': null, Origin: null }, false],
  ];
  const unsafe = operations.filter(({ method, access }) => method !== 'get' && access !== 'open');
  const pathOf = (path: string) => path.replaceAll(/\{\w+\}/g, 'x');

  test.each(sources)('%s: every unsafe method', async (_, headers, allowed) => {
    expect(unsafe.length).toBeGreaterThan(8);
    for (const { method, path, access } of unsafe) {
      const browser = access === 'admin' ? await signedInOperator() : (await signedIn()).browser;
      const body = method === 'delete' ? undefined : {};
      const answer = await browser.send(method.toUpperCase(), pathOf(path), body, headers);
      const refused = answer.body.error === 'cross_origin';
      expect(refused, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`).toBe(!allowed);
      if (refused) expect(answer.status).toBe(403);
    }
  });

  test('makes no difference to a key', async () => {
    const { apiKey } = await newAccount('agency');
    for (const [, headers] of sources) {
      const sent = Object.entries(headers).filter((header): header is [string, string] => header[1] !== null);
      const form = new FormData();
      form.append('file', new File([smallPng(9, 9)], 'a.png'));
      const all = { ...Object.fromEntries(sent), Authorization: `Bearer ${apiKey}` };
      expect((await send('POST', '/api/compress', { headers: all, body: form })).status).toBe(200);
    }
  });

  test('makes no difference to reading, which other origins cannot do with a cookie', async () => {
    const { browser } = await signedIn();
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' };
    const answer = await browser.send('GET', '/api/usage', undefined, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    const preflight = { ...headers, 'Access-Control-Request-Method': 'POST' };
    expect(
      (await send('OPTIONS', '/session', { headers: preflight })).headers.get('Access-Control-Allow-Origin'),
    ).toBeNull();
  });
});

describe('POST /admin/accounts/{id}/invites', () => {
  test('gives a link whose secret no server is sent', async () => {
    const { id } = await newAccount('free');
    const { status, body } = await admin('POST', `/accounts/${id}/invites`);
    expect(status).toBe(201);
    const url = new URL(body.url);
    expect([url.origin, url.pathname, url.search]).toEqual(['https://plume.test', '/console/', '']);
    expect(url.hash).toMatch(/^#invite=[\w-]{43}$/);
    const hours = (Date.parse(body.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  test('knows the accounts', async () => {
    expect((await admin('POST', '/accounts/acc_nobody/invites')).status).toBe(404);
    const { id } = await newAccount('free');
    await admin('DELETE', `/accounts/${id}`);
    expect((await admin('POST', `/accounts/${id}/invites`)).status).toBe(404);
  });
});

test('no secret is in the log', async () => {
  const lines: unknown[] = [];
  const services = createServices(env as Env);
  const app = createApp({ ...services, log: (line) => void lines.push(line) });
  const browser = new BrowserClient(apiClient(async (request) => await app.fetch(request, env)));
  const { id, appKey } = await newAccount('free');
  const invite = await newInvite(id);
  await browser.signIn({ key: appKey });
  const first = browser.cookie!;
  await browser.send('GET', '/api/usage');
  await browser.signIn({ invite });
  const second = browser.cookie!;
  await browser.send('DELETE', '/session/all');
  const log = JSON.stringify(lines);
  expect(lines.length).toBeGreaterThan(3);
  for (const secret of [first, second, invite, appKey]) expect(log).not.toContain(secret);
});
