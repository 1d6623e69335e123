import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { AuditLog } from '../../src/keys/audit-log.ts';
import { KeyCache } from '../../src/keys/key-cache.ts';
import { KeyStore } from '../../src/keys/key-store.ts';
import { OwnerKeys } from '../../src/keys/owner-keys.ts';
import { SessionStore } from '../../src/keys/session-store.ts';
import { limits } from '../../src/limits.ts';
import { PlatformError } from '../../src/platform/call-platform.ts';
import { type Fault, FaultyDatabase } from '../support/faulty-database.ts';
import { ManualTime } from '../support/manual-time.ts';

const start = Date.UTC(2026, 10, 22, 12);

/** Stores over the real database, with time and faults of the test's making, and an account with a key. */
async function stores() {
  const time = new ManualTime(start);
  const faulty = new FaultyDatabase(env.DB);
  const db = faulty.database;
  const keys = new KeyStore(env.DB, time.clock, new KeyCache(100));
  const { id } = await keys.createAccount({ name: 'Ada', plan: 'agency' });
  const { key, id: keyId } = (await keys.issueKey(id, { label: 'server', kind: 'api' }))!;
  const audit = new AuditLog(env.DB, time.clock);
  const by = () => audit.by({ name: 'owner', kind: 'owner', address: null, requestId: crypto.randomUUID() });
  const sessions = new SessionStore({ db, clock: time.clock, admins: [], shell: time });
  const pass = <Result>(promise: Promise<Result>) => time.pass(promise, () => faulty.pending > 0);
  // A batch of the real database takes its own statements only.
  const auditOf = () => {
    const make = by();
    return ((...action: Parameters<typeof make>) => ({ real: make(...action) })) as unknown as typeof make;
  };
  return {
    time,
    faulty,
    pass,
    id,
    key,
    keyId,
    sessions,
    ownerKeys: new OwnerKeys(db, time.clock, new KeyCache(100), time),
    auditOf,
    open: (secret: string, kind: 'key' | 'invite' = 'key') =>
      pass(sessions.open({ kind, secret }, { userAgent: null, audit: auditOf })),
    invite: async () => (await pass(sessions.invite(id, auditOf())))!.secret,
    count: async (query: string) => (await env.DB.prepare(query).bind(id).first<{ n: number }>())!.n,
  };
}

describe('a call that is carried out twice', () => {
  test('opens one session, also with an invite, which is used up all the same', async () => {
    const { faulty, open, invite, count } = await stores();
    const secret = await invite();
    faulty.fault = 'runs twice';
    expect(await open(secret, 'invite')).toMatchObject({ session: { kind: 'owner' } });
    expect(await count('SELECT COUNT(*) AS n FROM sessions WHERE account_id = ?')).toBe(1);
    expect(await count("SELECT COUNT(*) AS n FROM audit WHERE account_id = ? AND action = 'session.open'")).toBe(1);
    expect(await open(secret, 'invite')).toBeUndefined();
  });

  test('makes one key, also where there is room for one only', async () => {
    const { faulty, ownerKeys, auditOf, id, pass, count } = await stores();
    for (let made = 2; made < limits.liveKeys; made++) await pass(ownerKeys.create(id, { label: 'a' }, auditOf()));
    faulty.fault = 'runs twice';
    expect(await pass(ownerKeys.create(id, { label: 'last' }, auditOf()))).toMatchObject({ label: 'last' });
    expect(await pass(ownerKeys.create(id, { label: 'more' }, auditOf()))).toBeUndefined();
    expect(await count('SELECT COUNT(*) AS n FROM keys WHERE account_id = ?')).toBe(limits.liveKeys);
  });

  test.each([0, 60])('rolls a key once, with a grace of %i seconds', async (graceSeconds) => {
    const { faulty, ownerKeys, auditOf, id, keyId, pass, count } = await stores();
    faulty.fault = 'runs twice';
    expect(await pass(ownerKeys.roll(id, keyId, graceSeconds, auditOf()))).toMatchObject({ label: 'server' });
    expect(await count('SELECT COUNT(*) AS n FROM keys WHERE account_id = ?')).toBe(2);
    const old = env.DB.prepare('SELECT expires_at, revoked_at FROM keys WHERE id = ?').bind(keyId);
    const expected = graceSeconds > 0 ? [start + 60_000, null] : [null, start];
    const row = (await old.first<{ expires_at: number | null; revoked_at: number | null }>())!;
    expect([row.expires_at, row.revoked_at]).toEqual(expected);
  });
});

test.each(['fails', 'hangs', 'is overloaded'] as Fault[])(
  'while the database %s nobody is signed in or out by mistake',
  async (fault) => {
    const { faulty, open, sessions, key, pass, auditOf } = await stores();
    const { secret, session } = (await open(key))!;
    faulty.fault = fault;
    await expect(open(key)).rejects.toBeInstanceOf(PlatformError);
    await expect(pass(sessions.find(secret))).rejects.toBeInstanceOf(PlatformError);
    await expect(pass(sessions.close(session, auditOf()))).rejects.toBeInstanceOf(PlatformError);
    faulty.fault = 'none';
    expect(await pass(sessions.find(secret))).toMatchObject({ id: session.id });
  },
);

test('a session that is in use writes once a minute that it is', async () => {
  const { time, faulty, open, sessions, key, pass } = await stores();
  const { secret } = (await open(key))!;
  faulty.queries = 0;
  for (let second = 0; second < 59; second++) {
    time.now += 1000;
    await pass(sessions.find(secret));
  }
  expect(faulty.queries).toBe(59);
  time.now += 1000;
  await pass(sessions.find(secret));
  await pass(sessions.find(secret));
  expect(faulty.queries).toBe(59 + 3);
});
