import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { hashKey } from '../../src/keys/key.ts';
import { KeyCache } from '../../src/keys/key-cache.ts';
import { KeyStore } from '../../src/keys/key-store.ts';

const start = Date.UTC(2026, 10, 21, 12);

/** One isolate: a store with its own cache and a clock that the test sets. All of them share the database. */
function isolate() {
  const clock = { now: start };
  return { clock, store: new KeyStore(env.DB, () => clock.now, new KeyCache(100)) };
}

async function issued(store: KeyStore, kind: 'api' | 'app' = 'api', expiresAt?: string) {
  const account = await store.createAccount({ name: 'Ada', plan: 'agency' });
  const label = 'server';
  const key = await store.issueKey(account.id, expiresAt === undefined ? { label, kind } : { label, kind, expiresAt });
  return { account, key: key! };
}

describe('accounts', () => {
  test('are created, found and listed with what was asked for', async () => {
    const { store } = isolate();
    const account = await store.createAccount({ name: "Zoë's Shop", plan: 'starter' });
    expect(account).toEqual({
      id: expect.stringMatching(/^acc_[0-9a-f]{32}$/),
      name: "Zoë's Shop",
      plan: 'starter',
      suspended: false,
      createdAt: '2026-11-21T12:00:00Z',
    });
    expect(await store.findAccount(account.id)).toEqual(account);
    expect((await store.listAccounts({ limit: 100, search: account.id })).accounts).toEqual([account]);
    expect(await store.findAccount('acc_none')).toBeUndefined();
  });

  test('are listed the oldest first', async () => {
    const { clock, store } = isolate();
    const ids: string[] = [];
    const name = crypto.randomUUID();
    for (const age of [30, 10, 20]) {
      clock.now = start - age * 1000;
      ids[age] = (await store.createAccount({ name, plan: 'free' })).id;
    }
    const { accounts } = await store.listAccounts({ limit: 100, search: name });
    const listed = accounts.map((account) => account.id);
    expect(listed).toEqual([ids[30], ids[20], ids[10]]);
  });

  test('change in what is given and nothing else', async () => {
    const { store } = isolate();
    const account = await store.createAccount({ name: 'a', plan: 'free' });
    expect(await store.changeAccount(account.id, { plan: 'agency' })).toEqual({ ...account, plan: 'agency' });
    expect(await store.changeAccount(account.id, { name: 'b', suspended: true })).toEqual({
      ...account,
      name: 'b',
      plan: 'agency',
      suspended: true,
    });
    expect((await store.changeAccount(account.id, { suspended: false }))?.suspended).toBe(false);
    expect(await store.changeAccount(account.id, {})).toEqual({ ...account, name: 'b', plan: 'agency' });
    expect(await store.changeAccount('acc_none', { name: 'x' })).toBeUndefined();
  });
});

describe('keys', () => {
  test('authenticate as their account', async () => {
    const { store } = isolate();
    const { account, key } = await issued(store, 'app');
    const caller = { accountId: account.id, keyId: key.id, kind: 'app', plan: 'agency', suspended: false };
    expect(await store.authenticate(key.key)).toEqual(caller);
    expect(await isolate().store.authenticate(key.key)).toEqual(caller);
  });

  test('are seen once: the database and the list hold a hash and a prefix', async () => {
    const { store } = isolate();
    const { account, key } = await issued(store);
    const { key: secret, ...record } = key;
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      label: 'server',
      kind: 'api',
      prefix: secret.slice(0, 12),
      createdAt: '2026-11-21T12:00:00Z',
      expiresAt: null,
      revokedAt: null,
    });
    expect(await store.listKeys(account.id)).toEqual([record]);
    const { results } = await env.DB.prepare('SELECT * FROM keys WHERE id = ?').bind(key.id).all();
    expect(JSON.stringify(results)).not.toContain(secret.slice(12));
    expect(results[0]).toMatchObject({ hash: await hashKey(secret) });
  });

  test('of nobody are not issued, and unknown ones are refused', async () => {
    const { store } = isolate();
    expect(await store.issueKey('acc_none', { label: 'l', kind: 'api' })).toBeUndefined();
    expect(await store.authenticate(`pk_live_${'A'.repeat(43)}`)).toBeUndefined();
    expect(await store.authenticate("' OR 1=1 --")).toBeUndefined();
    expect(await store.revokeKey('key_none')).toBe(false);
  });

  test('are refused from their expiry on, remembered or not', async () => {
    const { clock, store } = isolate();
    const { account, key } = await issued(store, 'api', '2026-11-21T13:00:10+01:00');
    expect(key.expiresAt).toBe('2026-11-21T12:00:10Z');
    clock.now = start + 9_999;
    expect((await store.authenticate(key.key))?.accountId).toBe(account.id);
    clock.now = start + 10_000;
    expect(await store.authenticate(key.key)).toBeUndefined();
  });

  test('with an expiry that is no time are not issued', async () => {
    const { store } = isolate();
    const { id } = await store.createAccount({ name: 'n', plan: 'free' });
    await expect(store.issueKey(id, { label: 'l', kind: 'api', expiresAt: 'soon' })).rejects.toThrow(RangeError);
    expect(await store.listKeys(id)).toEqual([]);
  });

  test('stay revoked since the first time', async () => {
    const { clock, store } = isolate();
    const { account, key } = await issued(store);
    expect(await store.revokeKey(key.id)).toBe(true);
    clock.now += 60_000;
    expect(await store.revokeKey(key.id)).toBe(true);
    expect((await store.listKeys(account.id))[0]?.revokedAt).toBe('2026-11-21T12:00:00Z');
  });
});

describe('what an isolate remembers', () => {
  test('a revoked key is refused at once where it was revoked and within 30 s elsewhere', async () => {
    const here = isolate();
    const elsewhere = isolate();
    const { key } = await issued(here.store);
    for (const { store } of [here, elsewhere]) expect(await store.authenticate(key.key)).toBeDefined();
    await here.store.revokeKey(key.id);
    expect(await here.store.authenticate(key.key)).toBeUndefined();
    elsewhere.clock.now = start + 29_999;
    expect(await elsewhere.store.authenticate(key.key)).toBeDefined();
    elsewhere.clock.now = start + 30_000;
    expect(await elsewhere.store.authenticate(key.key)).toBeUndefined();
  });

  test('a changed account is seen at once where it was changed', async () => {
    const { store } = isolate();
    const { account, key } = await issued(store);
    await store.authenticate(key.key);
    await store.changeAccount(account.id, { plan: 'free', suspended: true });
    expect(await store.authenticate(key.key)).toMatchObject({ plan: 'free', suspended: true });
  });

  test('a key revoked while it is being looked up is not remembered', async () => {
    const { store } = isolate();
    const { key } = await issued(store);
    await Promise.all([store.authenticate(key.key), store.authenticate(key.key), store.revokeKey(key.id)]);
    expect(await store.authenticate(key.key)).toBeUndefined();
  });

  test('a key that is not there is asked for again after 10 s', async () => {
    const { clock, store } = isolate();
    const { account } = await issued(store);
    const secret = `pk_live_${'B'.repeat(43)}`;
    expect(await store.authenticate(secret)).toBeUndefined();
    await env.DB.prepare(
      "INSERT INTO keys (id, account_id, hash, prefix, label, kind, created_at) VALUES ('key_b', ?, ?, 'p', 'l', 'api', 0)",
    )
      .bind(account.id, await hashKey(secret))
      .run();
    clock.now = start + 9_999;
    expect(await store.authenticate(secret)).toBeUndefined();
    clock.now = start + 10_000;
    expect((await store.authenticate(secret))?.keyId).toBe('key_b');
  });

  test('stores of one isolate share what they learned', async () => {
    const clock = () => start;
    const { account, key } = await issued(new KeyStore(env.DB, clock));
    await new KeyStore(env.DB, clock).authenticate(key.key);
    await env.DB.prepare("UPDATE accounts SET plan = 'free' WHERE id = ?").bind(account.id).run();
    expect((await new KeyStore(env.DB, clock).authenticate(key.key))?.plan).toBe('agency');
    await new KeyStore(env.DB, clock).revokeKey(key.id);
    expect(await new KeyStore(env.DB, clock).authenticate(key.key)).toBeUndefined();
  });
});

test('an account on a plan that the price table does not list is an error, not a guess', async () => {
  const { store } = isolate();
  const { account, key } = await issued(store);
  await env.DB.prepare("UPDATE accounts SET plan = 'gold' WHERE id = ?").bind(account.id).run();
  await expect(store.authenticate(key.key)).rejects.toThrow('price table');
  await store.changeAccount(account.id, { plan: 'free' });
  expect((await store.authenticate(key.key))?.plan).toBe('free');
});

test('the look-ups that every request makes use an index', async () => {
  const plan = async (query: string) =>
    JSON.stringify((await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`).all()).results);
  expect(
    await plan("SELECT * FROM keys JOIN accounts ON accounts.id = keys.account_id WHERE hash = 'h'"),
  ).not.toContain('SCAN');
  expect(await plan("SELECT * FROM keys WHERE account_id = 'a' ORDER BY created_at, id")).not.toMatch(/SCAN|TEMP/);
});
