import { Buffer } from 'node:buffer';
import type { PlanId } from '../credits/plans.ts';
import { callPlatform, type Patience, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import type { Caller, KeyKind } from './caller.ts';
import { CallerLookUp } from './caller-look-up.ts';
import { hashKey, isKey, newKey } from './key.ts';
import { isolateKeyCache, type KeyCache } from './key-cache.ts';
import { type Account, type AccountRow, type KeyRecord, type KeyRow, toAccount, toKeyRecord } from './key-rows.ts';

export type { Account, KeyRecord } from './key-rows.ts';

/** A key at the one moment when it can be seen. */
export interface IssuedKey extends KeyRecord {
  key: string;
}

type Value = string | number | null;

const patience: Patience = { tries: 3, limitMs: 3000, backOffMs: 100 };

/**
 * Ids are made before the call, so an insert that is carried out twice meets its own row: it changes nothing in it, and returns it,
 * which DO NOTHING would not.
 */
const unlessThere = 'ON CONFLICT (id) DO UPDATE SET id = excluded.id';

const keyColumns = 'id, label, kind, prefix, created_at, expires_at, revoked_at';

/**
 * Accounts and their keys in D1. What is changed here holds at once in this isolate, elsewhere within `limits.keyCacheSeconds`. Every
 * statement may be carried out twice. All methods throw PlatformError when D1 does not answer.
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

  async createAccount({ name, plan }: { name: string; plan: PlanId }): Promise<Account> {
    const insert = `INSERT INTO accounts (id, name, plan, suspended, created_at) VALUES (?, ?, ?, 0, ?)
                    ${unlessThere} RETURNING *`;
    const row = await this.#first<AccountRow>('D1 new account', insert, newId('acc'), name, plan, this.#clock());
    return toAccount(row!);
  }

  /** Every account, the oldest first. */
  async listAccounts(): Promise<Account[]> {
    const rows = await this.#all<AccountRow>('D1 accounts', 'SELECT * FROM accounts ORDER BY created_at, id');
    return rows.map(toAccount);
  }

  async findAccount(id: string): Promise<Account | undefined> {
    const row = await this.#first<AccountRow>('D1 account', 'SELECT * FROM accounts WHERE id = ?', id);
    return row === null ? undefined : toAccount(row);
  }

  /** Changes what is given and leaves the rest; undefined when there is no such account. */
  async changeAccount(
    id: string,
    change: { plan?: PlanId; name?: string; suspended?: boolean },
  ): Promise<Account | undefined> {
    const { plan = null, name = null, suspended } = change;
    const update = `UPDATE accounts SET plan = COALESCE(?, plan), name = COALESCE(?, name), suspended = COALESCE(?, suspended)
                     WHERE id = ? RETURNING *`;
    const flag = suspended === undefined ? null : Number(suspended);
    try {
      const row = await this.#first<AccountRow>('D1 account change', update, plan, name, flag, id);
      return row === null ? undefined : toAccount(row);
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
  ): Promise<IssuedKey | undefined> {
    const expiry = expiresAt === undefined ? null : Date.parse(expiresAt);
    if (Number.isNaN(expiry)) throw new RangeError('expiresAt is not an ISO 8601 time');
    const { key, prefix } = newKey(randomBytes);
    const insert = `INSERT INTO keys (id, account_id, hash, prefix, label, kind, created_at, expires_at)
                    SELECT ?, id, ?, ?, ?, ?, ?, ? FROM accounts WHERE id = ?
                    ${unlessThere} RETURNING ${keyColumns}`;
    const hash = await hashKey(key);
    const values = [newId('key'), hash, prefix, label, kind, this.#clock(), expiry, accountId];
    const row = await this.#first<KeyRow>('D1 new key', insert, ...values);
    this.#cache.allow(hash);
    return row === null ? undefined : { ...toKeyRecord(row), key };
  }

  /** The account's keys, revoked and expired ones too, the oldest first. */
  async listKeys(accountId: string): Promise<KeyRecord[]> {
    const select = `SELECT ${keyColumns} FROM keys WHERE account_id = ? ORDER BY created_at, id`;
    return (await this.#all<KeyRow>('D1 keys', select, accountId)).map(toKeyRecord);
  }

  /** Revokes a key for good; false when there is no such key. A second time changes nothing. */
  async revokeKey(keyId: string): Promise<boolean> {
    const update = 'UPDATE keys SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ? RETURNING id';
    try {
      return (await this.#first('D1 key revocation', update, this.#clock(), keyId)) !== null;
    } finally {
      // Without an answer it may have been done all the same.
      this.#cache.drop((caller) => caller.keyId === keyId);
    }
  }

  #first<Row>(what: string, statement: string, ...values: Value[]): Promise<Row | null> {
    const ask = () =>
      this.#db
        .prepare(statement)
        .bind(...values)
        .first<Row>();
    return callPlatform(what, ask, patience, this.#shell);
  }

  async #all<Row>(what: string, statement: string, ...values: Value[]): Promise<Row[]> {
    const ask = () =>
      this.#db
        .prepare(statement)
        .bind(...values)
        .all<Row>();
    return (await callPlatform(what, ask, patience, this.#shell)).results;
  }
}

function newId(kind: 'acc' | 'key'): string {
  return `${kind}_${Buffer.from(randomBytes(16)).toString('hex')}`;
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
