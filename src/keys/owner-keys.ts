import { Buffer } from 'node:buffer';
import { limits } from '../limits.ts';
import { callPlatform, type Patience, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import type { Audit } from './audit-log.ts';
import { hashKey, newKey } from './key.ts';
import type { KeyCache } from './key-cache.ts';
import { type KeyRow, toKeyRecord, toTime } from './key-rows.ts';
import type { IssuedKey, KeyRecord } from './key-store.ts';

/** A key as its owner sees it. */
export interface OwnKey extends KeyRecord {
  /** ISO 8601, to the hour; null before its first use. */
  readonly lastUsedAt: string | null;
}

export type IssuedOwnKey = OwnKey & Pick<IssuedKey, 'key'>;

/** Where a page of keys ends. Times are ms since the epoch. */
export interface KeyPlace {
  readonly createdAt: number;
  readonly id: string;
}

export interface OwnKeyPage {
  readonly keys: readonly OwnKey[];
  /** Absent on the last page. */
  readonly next?: KeyPlace;
}

type OwnKeyRow = KeyRow & { readonly last_used_at: number | null };

const patience: Patience = { tries: 3, limitMs: 3000, backOffMs: 100 };
const columns = 'id, label, kind, prefix, created_at, expires_at, revoked_at, last_used_at';
const SECOND_MS = 1000;

/** A key counts at ?1 (ms) that is neither revoked nor past its time. */
const live = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)';

/**
 * The keys of one account, for its owner. Ids are made before the call and every statement may be carried out twice. All methods throw
 * PlatformError when D1 does not answer. What is changed here holds at once in this isolate, elsewhere within `limits.keyCacheSeconds`.
 */
export class OwnerKeys {
  readonly #db: D1Database;
  readonly #clock: () => number;
  readonly #cache: KeyCache;
  readonly #shell: PlatformShell;

  /** `clock` returns ms since the epoch. */
  constructor(db: D1Database, clock: () => number, cache: KeyCache, shell: PlatformShell = platformShell) {
    this.#db = db;
    this.#clock = clock;
    this.#cache = cache;
    this.#shell = shell;
  }

  /** Keys, revoked and expired ones too, the newest first. */
  async list(accountId: string, limit: number, after?: KeyPlace): Promise<OwnKeyPage> {
    const query = this.#db.prepare(
      `SELECT ${columns} FROM keys WHERE account_id = ? AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?`,
    );
    const bound = query.bind(accountId, after?.createdAt ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit + 1);
    const { results } = await callPlatform('D1 keys', () => bound.all<OwnKeyRow>(), patience, this.#shell);
    const page = results.slice(0, limit);
    const last = page.at(-1);
    const more = results.length > limit && last ? { next: { createdAt: last.created_at, id: last.id } } : {};
    return { keys: page.map(toOwnKey), ...more };
  }

  /** Makes a key of kind `api`; undefined where as many count as may. @param expiresAt ISO 8601 */
  async create(
    accountId: string,
    { label, expiresAt }: { label: string; expiresAt?: string },
    audit: Audit,
  ): Promise<IssuedOwnKey | undefined> {
    const made = await this.#newKey();
    const insert = this.#db
      .prepare(
        `INSERT INTO keys (id, account_id, hash, prefix, label, kind, created_at, expires_at)
         SELECT ?2, ?3, ?4, ?5, ?6, 'api', ?1, ?7
          WHERE (SELECT COUNT(*) FROM keys WHERE account_id = ?3 AND id <> ?2 AND ${live}) < ?8
         ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING ${columns}`,
      )
      .bind(
        this.#clock(),
        made.id,
        accountId,
        made.hash,
        made.prefix,
        label,
        expiresAt === undefined ? null : Date.parse(expiresAt),
        limits.liveKeys,
      );
    const row = await this.#change('D1 new key', [insert, audit('key.issue', made.id, { accountId, kind: 'api' })]);
    this.#cache.allow(made.hash);
    return row && { ...toOwnKey(row), key: made.key };
  }

  /**
   * Makes a key in place of another one, with its label and kind; the old one counts for `graceSeconds` more. With a grace both count, so
   * there has to be room for one more.
   */
  async roll(
    accountId: string,
    keyId: string,
    graceSeconds: number,
    audit: Audit,
  ): Promise<IssuedOwnKey | 'unknown' | 'too_many'> {
    const made = await this.#newKey();
    const now = this.#clock();
    const room = limits.liveKeys - (graceSeconds > 0 ? 1 : 0);
    const insert = this.#db
      .prepare(
        `INSERT INTO keys (id, account_id, hash, prefix, label, kind, created_at)
         SELECT ?2, account_id, ?4, ?5, label, kind, ?1 FROM keys
          WHERE id = ?6 AND account_id = ?3 AND (${live} OR EXISTS (SELECT 1 FROM keys AS made WHERE made.id = ?2))
            AND (SELECT COUNT(*) FROM keys AS other
                  WHERE other.account_id = ?3 AND other.id NOT IN (?2, ?6)
                    AND other.revoked_at IS NULL AND (other.expires_at IS NULL OR other.expires_at > ?1)) < ?7
         ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING ${columns}`,
      )
      .bind(now, made.id, accountId, made.hash, made.prefix, keyId, room);
    const [column, time] = graceSeconds > 0 ? ['expires_at', now + graceSeconds * SECOND_MS] : ['revoked_at', now];
    const retire = this.#db
      .prepare(
        `UPDATE keys SET ${column} = MIN(COALESCE(${column}, ?1), ?1)
          WHERE id = ?2 AND account_id = ?3 AND EXISTS (SELECT 1 FROM keys AS made WHERE made.id = ?4)`,
      )
      .bind(time, keyId, accountId, made.id);
    const record = audit('key.roll', keyId, { newKey: made.id, graceSeconds });
    const row = await this.#change('D1 key roll', [insert, record, retire]).finally(() => this.#forget(keyId));
    this.#cache.allow(made.hash);
    if (row !== undefined) return { ...toOwnKey(row), key: made.key };
    return (await this.#isLive(accountId, keyId)) ? 'too_many' : 'unknown';
  }

  /** Revokes a key for good; false when the account has no such key. A second time changes nothing. */
  async revoke(accountId: string, keyId: string, audit: Audit): Promise<boolean> {
    const update = this.#db
      .prepare(
        `UPDATE keys SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ? AND account_id = ? RETURNING ${columns}`,
      )
      .bind(this.#clock(), keyId, accountId);
    const change = this.#change('D1 key revocation', [update, audit('key.revoke', keyId)]);
    return (await change.finally(() => this.#forget(keyId))) !== undefined;
  }

  async #newKey(): Promise<{ id: string; key: string; prefix: string; hash: string }> {
    const { key, prefix } = newKey(randomBytes);
    return { id: `key_${Buffer.from(randomBytes(16)).toString('hex')}`, key, prefix, hash: await hashKey(key) };
  }

  async #isLive(accountId: string, keyId: string): Promise<boolean> {
    const query = this.#db.prepare(`SELECT id FROM keys WHERE id = ?2 AND account_id = ?3 AND ${live}`);
    const bound = query.bind(this.#clock(), keyId, accountId);
    return (await callPlatform('D1 key', () => bound.first(), patience, this.#shell)) !== null;
  }

  /** Without an answer it may have been done all the same. */
  #forget(keyId: string): void {
    this.#cache.drop((caller) => caller.keyId === keyId);
  }

  /** The first row of what the first statement returns; all of them are one transaction. */
  async #change(what: string, statements: D1PreparedStatement[]): Promise<OwnKeyRow | undefined> {
    const [done] = await callPlatform(what, () => this.#db.batch<OwnKeyRow>(statements), patience, this.#shell);
    return done?.results[0];
  }
}

function toOwnKey(row: OwnKeyRow): OwnKey {
  return { ...toKeyRecord(row), lastUsedAt: row.last_used_at === null ? null : toTime(row.last_used_at) };
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
