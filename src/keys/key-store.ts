import { Buffer } from 'node:buffer';
import type { PlanId } from '../credits/plans.ts';
import { limits } from '../limits.ts';
import type { Audit } from './audit-log.ts';
import type { Caller, KeyKind } from './caller.ts';
import { eraseAccount } from './erase-account.ts';
import { hashKey, isKey, newKey } from './key.ts';
import { isolateKeyCache, type KeyCache } from './key-cache.ts';
import {
  type Account,
  type AccountRow,
  type CallerRow,
  type KeyRecord,
  type KeyRow,
  toAccount,
  toCaller,
  toKeyRecord,
} from './key-rows.ts';
import { type AccountPage, type AccountQuery, listAccounts } from './list-accounts.ts';

export type { Account, KeyRecord } from './key-rows.ts';

/** A key at the one moment when it can be seen. */
export interface IssuedKey extends KeyRecord {
  key: string;
}

const keyColumns = 'id, label, kind, prefix, created_at, expires_at, revoked_at';

/**
 * Accounts and their keys in D1. What is changed here holds at once in this isolate, elsewhere within `limits.keyCacheSeconds`. With an
 * `audit` a change and its record are one transaction.
 */
export class KeyStore {
  readonly #db: D1Database;
  readonly #clock: () => number;
  readonly #cache: KeyCache;

  /** `clock` returns ms since the epoch. */
  constructor(db: D1Database, clock: () => number, cache: KeyCache = isolateKeyCache) {
    this.#db = db;
    this.#clock = clock;
    this.#cache = cache;
  }

  /** Whose key it is; undefined when it is unknown, revoked or expired. A suspended account's caller is returned and says so. */
  async authenticate(key: string): Promise<Caller | undefined> {
    if (!isKey(key)) return undefined;
    const hash = await hashKey(key);
    const remembered = this.#cache.find(hash, this.#clock());
    if (remembered !== undefined) return remembered;
    const { generation } = this.#cache;
    const row = await this.#db
      .prepare(
        `SELECT keys.id AS key_id, keys.kind, keys.expires_at, accounts.id AS account_id, accounts.plan, accounts.suspended
           FROM keys JOIN accounts ON accounts.id = keys.account_id
          WHERE keys.hash = ? AND keys.revoked_at IS NULL`,
      )
      .bind(hash)
      .first<CallerRow>();
    const now = this.#clock();
    if (row === null || (row.expires_at !== null && row.expires_at <= now)) return undefined;
    const caller = toCaller(row);
    const until = Math.min(now + limits.keyCacheSeconds * 1000, row.expires_at ?? Number.POSITIVE_INFINITY);
    this.#cache.remember(hash, caller, until, generation);
    return caller;
  }

  async createAccount({ name, plan }: { name: string; plan: PlanId }, audit?: Audit): Promise<Account> {
    const id = newId('acc');
    const insert = this.#db
      .prepare('INSERT INTO accounts (id, name, plan, suspended, created_at) VALUES (?, ?, ?, 0, ?) RETURNING *')
      .bind(id, name, plan, this.#clock());
    const row = await this.#change<AccountRow>(insert, audit?.('account.create', id, { plan }));
    return toAccount(row!);
  }

  /** See `listAccounts`. */
  async listAccounts(query: AccountQuery = { limit: limits.pageEntries }): Promise<AccountPage> {
    return await listAccounts(this.#db, query);
  }

  /** Undefined for one that was erased. */
  async findAccount(id: string): Promise<Account | undefined> {
    const query = 'SELECT * FROM accounts WHERE id = ? AND erased_at IS NULL';
    const row = await this.#db.prepare(query).bind(id).first<AccountRow>();
    return row === null ? undefined : toAccount(row);
  }

  /** See `eraseAccount`. */
  async eraseAccount(id: string, audit?: Audit): Promise<boolean> {
    const known = await eraseAccount(this.#db, id, this.#clock(), audit);
    this.#cache.drop((caller) => caller.accountId === id);
    return known;
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
    const row = await this.#change<AccountRow>(update, record);
    this.#cache.drop((caller) => caller.accountId === id);
    return row && toAccount(row);
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
    const insert = this.#db
      .prepare(
        `INSERT INTO keys (id, account_id, hash, prefix, label, kind, created_at, expires_at)
         SELECT ?, id, ?, ?, ?, ?, ?, ? FROM accounts WHERE id = ? AND erased_at IS NULL RETURNING ${keyColumns}`,
      )
      .bind(id, await hashKey(key), prefix, label, kind, this.#clock(), expiry, accountId);
    const details = { accountId, kind, ...(expiresAt === undefined ? {} : { expiresAt }) };
    const row = await this.#change<KeyRow>(insert, audit?.('key.issue', id, details));
    return row && { ...toKeyRecord(row), key };
  }

  /** The account's keys, revoked and expired ones too, the oldest first. */
  async listKeys(accountId: string): Promise<KeyRecord[]> {
    const { results } = await this.#db
      .prepare(`SELECT ${keyColumns} FROM keys WHERE account_id = ? ORDER BY created_at, id`)
      .bind(accountId)
      .all<KeyRow>();
    return results.map(toKeyRecord);
  }

  /** Revokes a key for good; false when there is no such key. A second time changes nothing. */
  async revokeKey(keyId: string, audit?: Audit): Promise<boolean> {
    const update = this.#db
      .prepare('UPDATE keys SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ? RETURNING id')
      .bind(this.#clock(), keyId);
    const row = await this.#change(update, audit?.('key.revoke', keyId));
    this.#cache.drop((caller) => caller.keyId === keyId);
    return row !== undefined;
  }

  /** The first row of what a change returns; the change and its record are one transaction. */
  async #change<Row>(change: D1PreparedStatement, record?: D1PreparedStatement): Promise<Row | undefined> {
    const [done] = await this.#db.batch<Row>(record === undefined ? [change] : [change, record]);
    return done?.results[0];
  }
}

function newId(kind: 'acc' | 'key'): string {
  return `${kind}_${Buffer.from(randomBytes(16)).toString('hex')}`;
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
