import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { newKey } from '../../src/keys/key.ts';
import { KeyCache } from '../../src/keys/key-cache.ts';
import { KeyStore } from '../../src/keys/key-store.ts';
import { PlatformError } from '../../src/platform/call-platform.ts';
import { FaultyDatabase } from '../support/faulty-database.ts';
import { ManualTime } from '../support/manual-time.ts';

const start = Date.UTC(2026, 10, 21, 12);

/** One isolate over the real database, with time and faults of the test's making, and a customer with a key. */
async function isolate() {
  const time = new ManualTime(start);
  const faulty = new FaultyDatabase(env.DB);
  const store = new KeyStore(faulty.database, time.clock, new KeyCache(100), time);
  const pass = <Result>(promise: Promise<Result>) => time.pass(promise, () => faulty.pending > 0);
  const { id } = await pass(store.createAccount({ name: 'Ada', plan: 'agency' }));
  const key = (await pass(store.issueKey(id, { label: 'server', kind: 'api' })))!;
  faulty.queries = 0;
  return {
    time,
    faulty,
    store,
    pass,
    accountId: id,
    key,
    authenticate: (text: string) => pass(store.authenticate(text)),
  };
}

const inventedKey = () => newKey((count) => crypto.getRandomValues(new Uint8Array(count))).key;

describe('the database is asked', () => {
  test('once, when a hundred requests with a key come at the same moment, and one of them answers for it', async () => {
    const { faulty, store, pass, key, accountId } = await isolate();
    let counted = 0;
    const requests = Array.from({ length: 100 }, () => store.authenticate(key.key, () => void counted++));
    const callers = await pass(Promise.all(requests));
    expect(new Set(callers.map((caller) => caller?.accountId))).toEqual(new Set([accountId]));
    expect([faulty.queries, counted]).toEqual([1, 1]);
  });

  test('once about a wrong key that is sent a thousand times in ten seconds', { timeout: 30_000 }, async () => {
    const { time, faulty, authenticate } = await isolate();
    const wrong = inventedKey();
    for (let index = 0; index < 1000; index++) {
      expect(await authenticate(wrong)).toBeUndefined();
      time.now = start + index * 9;
    }
    expect(faulty.queries).toBe(1);
  });

  test('never about a key whose checksum is wrong', { timeout: 30_000 }, async () => {
    const { faulty, authenticate } = await isolate();
    for (let index = 0; index < 1000; index++) {
      const invented = `plume_${inventedKey().slice(6, 49)}000000`;
      expect(await authenticate(invented)).toBeUndefined();
    }
    expect(faulty.queries).toBe(0);
  });

  test('not at all where whoever counts refusals says no', async () => {
    const { faulty, store } = await isolate();
    const refuse = () => {
      throw new Error('too many');
    };
    await expect(store.authenticate(inventedKey(), refuse)).rejects.toThrow('too many');
    expect(faulty.queries).toBe(0);
  });
});

describe('while the database does not answer', () => {
  test.each(['fails', 'hangs', 'is overloaded'] as const)(
    'because it %s, a known key is served for two minutes',
    async (fault) => {
      const { time, faulty, authenticate, key, accountId } = await isolate();
      await authenticate(key.key);
      faulty.fault = fault;
      faulty.queries = 0;
      let served = 0;
      let longest = 0;
      while (time.now < start + 120_000) {
        const sent = time.now;
        served += Number((await authenticate(key.key))?.accountId === accountId);
        longest = Math.max(longest, time.now - sent);
        time.now = Math.max(time.now, sent + 1000);
      }
      // A request a second, but for those that waited; four or five of them ask in vain.
      expect(served).toBeGreaterThanOrEqual(100);
      expect(longest).toBeLessThanOrEqual(fault === 'hangs' ? 4100 : 100);
      expect(faulty.queries).toBeLessThanOrEqual(10);
      faulty.fault = 'none';
      time.now += 20_000;
      expect((await authenticate(key.key))?.accountId).toBe(accountId);
    },
  );

  test('a known key is served until five minutes after it was last confirmed, and never longer', async () => {
    const { time, faulty, authenticate, key } = await isolate();
    await authenticate(key.key);
    faulty.fault = 'fails';
    time.now = start + 299_000;
    expect(await authenticate(key.key)).toBeDefined();
    time.now = start + 300_000;
    await expect(authenticate(key.key)).rejects.toThrow(PlatformError);
  });

  test('a key that nobody knows is neither let in nor called wrong', async () => {
    const { time, faulty, authenticate, key } = await isolate();
    faulty.fault = 'fails';
    await expect(authenticate(key.key)).rejects.toThrow(PlatformError);
    expect(faulty.queries).toBe(3);
    faulty.fault = 'hangs';
    const sent = time.now;
    await expect(authenticate(key.key)).rejects.toThrow(PlatformError);
    expect(time.now - sent).toBeLessThan(10_000);
    faulty.fault = 'none';
    expect(await authenticate(key.key)).toBeDefined();
  });

  test('a key that was revoked here is not served, even if the answer to the revocation was lost', async () => {
    for (const fault of ['none', 'loses the answer', 'hangs'] as const) {
      const { faulty, store, pass, authenticate, key } = await isolate();
      await authenticate(key.key);
      faulty.fault = fault;
      await pass(store.revokeKey(key.id)).catch(() => undefined);
      faulty.fault = 'fails';
      await expect(authenticate(key.key)).rejects.toThrow(PlatformError);
    }
  });

  test('an account that was suspended here is not served either', async () => {
    const { time, faulty, store, pass, authenticate, key, accountId } = await isolate();
    await authenticate(key.key);
    time.now += 60_000;
    await pass(store.changeAccount(accountId, { suspended: true }));
    faulty.fault = 'fails';
    await expect(authenticate(key.key)).rejects.toThrow(PlatformError);
  });

  test('a key that is revoked while its confirmation hangs is not served', async () => {
    const { time, faulty, store, pass, key } = await isolate();
    await pass(store.authenticate(key.key));
    time.now += 60_000;
    faulty.fault = 'hangs';
    const confirming = store.authenticate(key.key);
    confirming.catch(() => undefined);
    while (faulty.queries < 2) await new Promise((resolve) => setTimeout(resolve, 0));
    faulty.fault = 'none';
    await pass(store.revokeKey(key.id));
    faulty.fault = 'fails';
    await expect(pass(confirming)).rejects.toThrow(PlatformError);
  });
});

test('whoever joined a look-up that never ends, because its request was cut off, is served by another', async () => {
  const { faulty, store, pass, key, accountId } = await isolate();
  faulty.fault = 'hangs';
  void store.authenticate(key.key).catch(() => undefined);
  while (faulty.queries < 1) await new Promise((resolve) => setTimeout(resolve, 0));
  faulty.fault = 'none';
  const joined = await pass(store.authenticate(key.key));
  expect(joined?.accountId).toBe(accountId);
});

test('an answer that comes late counts from when it was asked for', async () => {
  const { time, faulty, store, authenticate, key } = await isolate();
  const asking = store.authenticate(key.key);
  while (faulty.queries < 1) await new Promise((resolve) => setTimeout(resolve, 0));
  time.now += 2_000;
  await asking;
  time.now = start + 30_000;
  await authenticate(key.key);
  expect(faulty.queries).toBe(2);
});

describe.each(['runs twice', 'loses the answer'] as const)('a statement that %s', (fault) => {
  /** Makes the call with the fault in its first try, and tells what came of it. */
  async function once<Result>(call: (on: Awaited<ReturnType<typeof isolate>>) => Promise<Result>) {
    const on = await isolate();
    on.faulty.fault = fault;
    const under = call(on);
    while (on.faulty.queries < 1) await new Promise((resolve) => setTimeout(resolve, 0));
    if (fault === 'loses the answer') on.faulty.fault = 'none';
    return { on, result: await on.pass(under) };
  }

  test('creates one account', async () => {
    const name = crypto.randomUUID();
    const { on, result } = await once(({ store }) => store.createAccount({ name, plan: 'free' }));
    const { accounts } = await on.pass(on.store.listAccounts({ limit: 100, search: name }));
    expect(accounts).toEqual([result]);
  });

  test('issues one key, which works', async () => {
    const issue = (on: Awaited<ReturnType<typeof isolate>>) =>
      on.store.issueKey(on.accountId, { label: 'b', kind: 'app' });
    const { on, result } = await once(issue);
    const listed = await on.pass(on.store.listKeys(on.accountId));
    expect(listed.filter(({ label }) => label === 'b').map(({ id }) => id)).toEqual([result!.id]);
    expect((await on.authenticate(result!.key))?.keyId).toBe(result!.id);
  });

  test('changes and revokes as if it ran once', async () => {
    const changed = await once(({ store, accountId }) => store.changeAccount(accountId, { plan: 'free' }));
    expect(changed.result?.plan).toBe('free');
    const revoked = await once(({ store, key }) => store.revokeKey(key.id));
    expect(revoked.result).toBe(true);
    expect(await revoked.on.authenticate(revoked.on.key.key)).toBeUndefined();
  });
});

test('an administration call that gets no answer says so, and not that nothing is there', async () => {
  const { faulty, store, pass, accountId } = await isolate();
  faulty.fault = 'fails';
  for (const call of [store.findAccount(accountId), store.listKeys(accountId), store.listAccounts()]) {
    await expect(pass<unknown>(call)).rejects.toThrow(PlatformError);
  }
});
