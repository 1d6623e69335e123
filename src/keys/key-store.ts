import { Buffer } from 'node:buffer';
import type { PlanId } from '../credits/plans.ts';
import { limits } from '../limits.ts';
import { callPlatform, type Patience, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import type { Audit } from './audit-log.ts';
import type { Caller, KeyKind } from './caller.ts';
import { CallerLookUp } from './caller-look-up.ts';
import { eraseAccount } from './erase-account.ts';
import { hashKey, isKey, newKey } from './key.ts';
import { isolateKeyCache, type KeyCache } from './key-cache.ts';
import { type Account, type AccountRow, type KeyRecord, type KeyRow, toAccount, toKeyRecord } from './key-rows.ts';
import { type AccountPage, type AccountQuery, listAccounts } from './list-accounts.ts';

export type { Account, KeyRecord } from './key-rows.ts';

/** A key at the one moment when it can be seen. */
export interface IssuedKey extends KeyRecord {
  key: string;
}

const patience: Patience = { tries: 3, limitMs: 3000, backOffMs: 100 };

/**
 * Ids are made before the call, so an insert that is carried out twice meets its own row: it changes nothing in it, and returns it,
 * which DO NOTHING would not.
 */
const unlessThere = 'ON CONFLICT (id) DO UPDATE SET id = excluded.id';

const keyColumns = 'id, label, kind, prefix, created_at, expires_at, revoked_at';

/**
 * Accounts and their keys in D1. What is changed here holds at once in this isolate, elsewhere within `limits.keyCacheSeconds`. With an
 * `audit` a change and its record are one transaction. Every statement may be carried out twice. All methods throw PlatformError when D1
 * does not answer.
 */
export class KeyStore {
  readonly #db: D1Database;
  readonly #clock: () => number;
  readonly #cache: KeyCache;
  readonly #callers: CallerLookUp;
  readonly #shell: PlatformShell;

  /** `clock` returns ms since the epoch. */
  constructor(
    db: D1Database,
    clock: () => number,
    cache: KeyCache = isolateKeyCache,
    shell: PlatformShell = platformShell,
  ) {
    this.#db = db;
    this.#clock = clock;
    this.#cache = cache;
    this.#shell = shell;
    this.#callers = new CallerLookUp(db, clock, cache, shell);
  }

  /**
   * Whose key it is; undefined when it is unknown, revoked or expired. A suspended account's caller is returned and says so.
   * `beforeQuery` runs before the database is asked about a key that this isolate does not know, and may refuse by throwing.
   */
  async authenticate(key: string, beforeQuery: () => void = () => {}): Promise<Caller | undefined> {
    return isKey(key) ? await this.#callers.find(await hashKey(key), beforeQuery) : undefined;
  }

  async createAccount({ name, plan }: { name: string; plan: PlanId }, audit?: Audit): Promise<Account> {
    const id = newId('acc');
    const insert = this.#db
      .prepare(
        `INSERT INTO accounts (id, name, plan, suspended, created_at) VALUES (?, ?, ?, 0, ?) ${unlessThere} RETURNING *`,
      )
      .bind(id, name, plan, this.#clock());
    const row = await this.#change<AccountRow>('D1 new account', insert, audit?.('account.create', id, { plan }));
    return toAccount(row!);
  }

  /** See `listAccounts`. */
  async listAccounts(query: AccountQuery = { limit: limits.pageEntries }): Promise<AccountPage> {
    return await listAccounts(this.#db, query);
  }

  /** Undefined for one that was erased. */
  async findAccount(id: string): Promise<Account | undefined> {
    const query = 'SELECT * FROM accounts WHERE id = ? AND erased_at IS NULL';
    const bound = this.#db.prepare(query).bind(id);
    const row = await callPlatform('D1 account', () => bound.first<AccountRow>(), patience, this.#shell);
    return row === null ? undefined : toAccount(row);
  }

  /** See `eraseAccount`. */
  async eraseAccount(id: string, audit?: Audit): Promise<boolean> {
    try {
      return await eraseAccount(this.#db, id, this.#clock(), audit);
    } finally {
      // Without an answer it may have been done all the same.
      this.#cache.drop((caller) => caller.accountId === id);
    }
  }

  /** Changes what is given and leaves the rest; undefined when there is no such account. */
  async changeAccount(
    id: string,
    change: { plan?: PlanId; name?: string; suspended?: boolean },
    audit?: Audit,
  ): Promise<Account | undefined> {
    const { plan = null, name = null, suspended } = change;
    const update = this.#db
      .prepare(
        `UPDATE accounts SET plan = COALESCE(?, plan), name = COALESCE(?, name), suspended = COALESCE(?, suspended)
          WHERE id = ? AND erased_at IS NULL RETURNING *`,
      )
      .bind(plan, name, suspended === undefined ? null : Number(suspended), id);
    const { name: _, ...details } = change;
    const record = audit?.('account.change', id, { changed: Object.keys(change), ...details });
    try {
      const row = await this.#change<AccountRow>('D1 account change', update, record);
      return row && toAccount(row);
    } finally {
      // Without an answer it may have been done all the same.
      this.#cache.drop((caller) => caller.accountId === id);
    }
  }

  /**
   * Makes a key; undefined when there is no such account. `expiresAt` is an ISO 8601 time, from which on the key is refused.
   * Throws RangeError when it is none.
   */
  async issueKey(
    accountId: string,
    { label, kind, expiresAt }: { label: string; kind: KeyKind; expiresAt?: string },
    audit?: Audit,
  ): Promise<IssuedKey | undefined> {
    const expiry = expiresAt === undefined ? null : Date.parse(expiresAt);
    if (Number.isNaN(expiry)) throw new RangeError('expiresAt is not an ISO 8601 time');
    const { key, prefix } = newKey(randomBytes);
    const id = newId('key');
    const hash = await hashKey(key);
    const insert = this.#db
      .prepare(
        `INSERT INTO keys (id, account_id, hash, prefix, label, kind, created_at, expires_at)
         SELECT ?, id, ?, ?, ?, ?, ?, ? FROM accounts WHERE id = ? AND erased_at IS NULL
         ${unlessThere} RETURNING ${keyColumns}`,
      )
      .bind(id, hash, prefix, label, kind, this.#clock(), expiry, accountId);
    const details = { accountId, kind, ...(expiresAt === undefined ? {} : { expiresAt }) };
    const row = await this.#change<KeyRow>('D1 new key', insert, audit?.('key.issue', id, details));
    this.#cache.allow(hash);
    return row && { ...toKeyRecord(row), key };
  }

  /** The account's keys, revoked and expired ones too, the oldest first. */
  async listKeys(accountId: string): Promise<KeyRecord[]> {
    const select = `SELECT ${keyColumns} FROM keys WHERE account_id = ? ORDER BY created_at, id`;
    const bound = this.#db.prepare(select).bind(accountId);
    const { results } = await callPlatform('D1 keys', () => bound.all<KeyRow>(), patience, this.#shell);
    return results.map(toKeyRecord);
  }

  /** Revokes a key for good; false when there is no such key. A second time changes nothing. */
  async revokeKey(keyId: string, audit?: Audit): Promise<boolean> {
    const update = this.#db
      .prepare('UPDATE keys SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ? RETURNING id')
      .bind(this.#clock(), keyId);
    try {
      return (await this.#change('D1 key revocation', update, audit?.('key.revoke', keyId))) !== undefined;
    } finally {
      // Without an answer it may have been done all the same.
      this.#cache.drop((caller) => caller.keyId === keyId);
    }
  }

  /** The first row of what a change returns; the change and its record are one transaction. */
  async #change<Row>(
    what: string,
    change: D1PreparedStatement,
    record?: D1PreparedStatement,
  ): Promise<Row | undefined> {
    const statements = record === undefined ? [change] : [change, record];
    const [done] = await callPlatform(what, () => this.#db.batch<Row>(statements), patience, this.#shell);
    return done?.results[0];
  }
}

function newId(kind: 'acc' | 'key'): string {
  return `${kind}_${Buffer.from(randomBytes(16)).toString('hex')}`;
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
