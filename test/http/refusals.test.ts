import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { newKey } from '../../src/keys/key.ts';
import { KeyCache } from '../../src/keys/key-cache.ts';
import { KeyStore } from '../../src/keys/key-store.ts';
import { createServices, type Services } from '../../src/services.ts';
import { type Answer, apiClient, newAccount, randomAddress } from '../support/api-client.ts';
import { FaultyDatabase } from '../support/faulty-database.ts';

/** A fresh isolate: the whole app with a memory of its own, over a database that counts and fails. No counter of the platform. */
function isolate(change: Partial<Services> = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 12) };
  const now = () => clock.now;
  const faulty = new FaultyDatabase(env.DB);
  const keys = new KeyStore(faulty.database, now, new KeyCache(1000));
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = (line: Readonly<Record<string, unknown>>) => void lines.push(line);
  const app = createApp({ ...createServices(env), keys, now, log, refusalCounter: undefined, ...change });
  const client = (address = randomAddress()) => apiClient(async (request) => app.fetch(request, env), address);
  return { clock, faulty, lines, client };
}

const inventedKey = () => newKey((count) => crypto.getRandomValues(new Uint8Array(count))).key;
const inventedOldKey = () => `pk_live_${inventedKey().slice(6, 49)}`;

type Client = ReturnType<typeof apiClient>;
const usage = (client: Client, key: string) => client.sendJson('GET', '/api/usage', key);

/** How often each status came. */
function tally(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('a guesser', () => {
  test.each([
    ['one after the other', false],
    ['all at once', true],
  ])(
    'with a thousand well-formed keys from one address, %s, makes sixty queries',
    { timeout: 30_000 },
    async (_, together) => {
      const { faulty, client } = isolate();
      const guesser = client();
      const answers = [];
      const keys = Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? inventedKey() : inventedOldKey()));
      if (together) answers.push(...(await Promise.all(keys.map((key) => usage(guesser, key)))));
      else for (const key of keys) answers.push(await usage(guesser, key));
      expect(tally(answers)).toEqual({ 401: 60, 429: 940 });
      expect(faulty.queries).toBe(60);
    },
  );

  test('with one wrong key a thousand times makes one', { timeout: 30_000 }, async () => {
    const { faulty, client } = isolate();
    const [guesser, wrong] = [client(), inventedKey()];
    const answers = await Promise.all(Array.from({ length: 1000 }, () => usage(guesser, wrong)));
    expect(tally(answers)).toEqual({ 401: 60, 429: 940 });
    expect(faulty.queries).toBe(1);
    const { body, headers } = await usage(guesser, wrong);
    expect(headers.get('Retry-After')).toBe('1');
    expect(body).toEqual({ error: 'rate_limited', message: expect.stringContaining('from your address') });
  });

  test('stops nobody behind another address, and nobody behind the same whose key is known here', async () => {
    const { faulty, clock, client } = isolate();
    const [known, unknown] = [await newAccount('agency'), await newAccount('agency')];
    const neighbour = client();
    expect((await usage(neighbour, known.apiKey)).status).toBe(200);
    for (let index = 0; index < 70; index++) await usage(neighbour, inventedKey());
    faulty.queries = 0;
    expect((await usage(neighbour, known.apiKey)).status).toBe(200);
    expect((await usage(neighbour, unknown.apiKey)).status).toBe(429);
    expect(faulty.queries).toBe(0);
    expect((await usage(client(), unknown.apiKey)).status).toBe(200);
    // Past its half minute of freshness the known key is asked for again, and that needs no refusal to be left.
    clock.now += 30_000;
    for (let index = 0; index < 70; index++) await usage(neighbour, inventedKey());
    expect((await usage(neighbour, known.apiKey)).status).toBe(200);
  });

  test('has all addresses of an IPv6 network, and they count as one', async () => {
    const { client } = isolate();
    const answers = [];
    for (let host = 1; host <= 70; host++) answers.push(await usage(client(`2001:db8:7:7::${host}`), inventedKey()));
    expect(tally(answers)).toEqual({ 401: 60, 429: 10 });
    expect((await usage(client('2001:db8:7:8::1'), inventedKey())).status).toBe(401);
  });
});

test('right keys that are new here use up nothing, however many come', { timeout: 30_000 }, async () => {
  const { client } = isolate();
  const { apiKey, appKey } = await newAccount('agency');
  const office = client();
  for (let round = 0; round < 100; round++) {
    const fresh = isolate();
    expect((await usage(fresh.client(), round % 2 === 0 ? apiKey : appKey)).status).toBe(200);
  }
  const answers = await Promise.all(Array.from({ length: 100 }, () => usage(office, apiKey)));
  expect(tally(answers)).toEqual({ 200: 100 });
  const wrong = [];
  for (let index = 0; index < 61; index++) wrong.push(await usage(office, 'nonsense'));
  expect(tally(wrong)).toEqual({ 401: 60, 429: 1 });
});

const apiKeyWithoutAccess = async () => (await newAccount('free')).apiKey;

async function keyOfSuspended(): Promise<string> {
  const { id, appKey } = await newAccount('free');
  await apiClient().admin('PATCH', `/accounts/${id}`, { suspended: true });
  return appKey;
}

test.each<[string, () => Promise<string | undefined>, number]>([
  ['no key', async () => undefined, 401],
  ['a malformed key', async () => 'nonsense', 401],
  ['a key with a typing error', async () => `${inventedKey().slice(0, -1)}_`, 401],
  ['an API key on a plan without access', apiKeyWithoutAccess, 403],
  ['a key of a suspended account', keyOfSuspended, 403],
])(
  'requests with %s are limited by address, and then cost neither D1 nor the ledger a call',
  async (_, makeKey, status) => {
    let calls = 0;
    const { faulty, client } = isolate({
      ledger: (accountId) => {
        calls++;
        return env.LEDGER.get(env.LEDGER.idFromName(accountId));
      },
    });
    const key = await makeKey();
    const sender = client();
    const send = (): Promise<Answer> =>
      sender.send('GET', '/api/usage', key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } });
    const answers = [];
    for (let index = 0; index < 60; index++) answers.push(await send());
    [faulty.queries, calls] = [0, 0];
    for (let index = 0; index < 40; index++) answers.push(await send());
    expect(tally(answers)).toEqual({ [status]: 60, 429: 40 });
    expect([faulty.queries, calls]).toEqual([0, 0]);
  },
);

describe('wrong administration tokens', () => {
  test('are limited by address: then the right one is refused there too, and serves elsewhere', async () => {
    const { clock, client } = isolate();
    const guesser = client();
    const answers = [];
    for (let index = 0; index < 100; index++)
      answers.push(await guesser.sendJson('GET', '/admin/accounts', `guess ${index}`));
    expect(tally(answers)).toEqual({ 401: 60, 429: 40 });
    expect((await guesser.admin('GET', '/accounts/acc_x')).status).toBe(429);
    expect((await client().admin('GET', '/accounts/acc_x')).status).toBe(404);
    clock.now += 1000;
    expect((await guesser.admin('GET', '/accounts/acc_x')).status).toBe(404);
  });

  test('are counted apart from keys: customers do not lock out an operator who shares their address', async () => {
    const { client } = isolate();
    const office = client();
    for (let index = 0; index < 70; index++) await usage(office, 'nonsense');
    expect((await office.admin('GET', '/accounts/acc_x')).status).toBe(404);
  });

  test('and the right one, a hundred times at once, passes', async () => {
    const { client } = isolate();
    const operator = client();
    const answers = await Promise.all(Array.from({ length: 100 }, () => operator.admin('GET', '/accounts/acc_x')));
    expect(tally(answers)).toEqual({ 404: 100 });
  });
});

describe('isolates of one location', () => {
  test('share the platform’s counter: what one has seen too often the other takes once', async () => {
    const counts = new Map<string, number>();
    const refusalCounter: RateLimit = {
      limit: async ({ key }) => {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return { success: counts.get(key)! <= 60 };
      },
    };
    const [one, other] = [isolate({ refusalCounter }), isolate({ refusalCounter })];
    const address = randomAddress();
    for (let index = 0; index < 100; index++) await usage(one.client(address), inventedKey());
    const answers = [];
    for (let index = 0; index < 100; index++) answers.push(await usage(other.client(address), inventedKey()));
    expect(tally(answers)).toEqual({ 401: 1, 429: 99 });
    expect(other.faulty.queries).toBe(1);
    expect((await usage(other.client(), inventedKey())).status).toBe(401);
  });

  test('have it bound', async () => {
    expect(await createServices(env).refusalCounter?.limit({ key: randomAddress() })).toEqual({ success: true });
  });

  test('do without it where it fails', async () => {
    const refusalCounter = { limit: () => Promise.reject(new Error('internal error')) };
    const { client, lines } = isolate({ refusalCounter });
    expect((await usage(client(), inventedKey())).status).toBe(401);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });
});

describe('while D1 fails', () => {
  test('who is known is served, and who is not gets 503 with Retry-After, never 401 or 500', async () => {
    const { clock, faulty, client } = isolate();
    const [known, unknown] = [await newAccount('agency'), await newAccount('agency')];
    const customer = client();
    await usage(customer, known.apiKey);
    faulty.fault = 'fails';
    const answers = [];
    for (let second = 0; second < 120; second += 5) {
      clock.now += 5000;
      answers.push(await usage(customer, known.apiKey));
    }
    expect(tally(answers)).toEqual({ 200: 24 });
    const { status, body, headers } = await usage(customer, unknown.apiKey);
    expect([status, body.error, headers.get('Retry-After')]).toEqual([503, 'service_busy', '5']);
    expect(await customer.admin('GET', '/accounts')).toMatchObject({ status: 503, body: { error: 'service_busy' } });
  });
});

test('a D1 that fails is no fault of an address: it gets 503 however often it asks, and is served afterwards', async () => {
  const { faulty, client } = isolate();
  const { apiKey } = await newAccount('agency');
  const customer = client();
  faulty.fault = 'is overloaded';
  const answers = [];
  for (let index = 0; index < 100; index++) answers.push(await usage(customer, apiKey));
  expect(tally(answers)).toEqual({ 503: 100 });
  faulty.fault = 'none';
  expect((await usage(customer, apiKey)).status).toBe(200);
});

describe('an account whose files failed too often', () => {
  test('is refused work, told why, and may still ask how it stands', async () => {
    const { client } = isolate();
    const { id, appKey } = await newAccount('free');
    const ledger = env.LEDGER.get(env.LEDGER.idFromName(id));
    await ledger.reserve({ requestId: 'a', plan: 'free', compressions: 1, aiCredits: 0 });
    await ledger.settle('a', { compressions: 0, aiCredits: 0, failedCpuSeconds: 75, complete: true });
    const customer = client();
    const { status, body, headers } = await customer.sendJson('POST', '/api/compress', appKey);
    expect([status, body.error]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(800);
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(901);
    expect(body.message).toMatch(
      /files that turned out broken or could not be processed \(60 seconds .*Check that the files open/,
    );
    expect((await usage(customer, appKey)).status).toBe(200);
  });
});
