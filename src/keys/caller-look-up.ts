import {
  callPlatform,
  type Patience,
  PlatformError,
  type PlatformShell,
  platformShell,
} from '../platform/call-platform.ts';
import type { Caller } from './caller.ts';
import { JoinedCalls } from './joined-calls.ts';
import type { Answered, KeyCache } from './key-cache.ts';
import { type CallerRow, toCaller } from './key-rows.ts';

/** For a key that this isolate does not know: without an answer the request cannot go on. */
const patience: Patience = { tries: 3, limitMs: 3000, backOffMs: 100 };

/** For one that it knows and wants confirmed: there is something to go on with. */
const knownPatience: Patience = { tries: 2, limitMs: 2000, backOffMs: 100 };

/** Milliseconds for which a known caller is not asked for again after the database gave no answer. */
const pauseMs = 20_000;

type Answer = Answered & { readonly row: CallerRow | null };

const query = `
  SELECT keys.id AS key_id, keys.kind, keys.expires_at, accounts.id AS account_id, accounts.plan, accounts.suspended
    FROM keys JOIN accounts ON accounts.id = keys.account_id
   WHERE keys.hash = ? AND keys.revoked_at IS NULL`;

/**
 * Finds whose a key is by its hash: in the isolate's memory, else in D1, which is asked once for all who ask the same at the same
 * time. Who was known is still served while D1 gives no answer, for `limits.keyTrustSeconds` after the last one.
 */
export class CallerLookUp {
  readonly #db: D1Database;
  readonly #clock: () => number;
  readonly #cache: KeyCache;
  readonly #shell: PlatformShell;
  readonly #calls = new JoinedCalls<Answer>(knownPatience.limitMs);

  /** `clock` returns ms since the epoch. */
  constructor(db: D1Database, clock: () => number, cache: KeyCache, shell: PlatformShell = platformShell) {
    this.#db = db;
    this.#clock = clock;
    this.#cache = cache;
    this.#shell = shell;
  }

  /**
   * The caller; undefined when the key is unknown, revoked or expired. `beforeQuery` runs before D1 is asked about a key that nobody has
   * asked about, and may refuse by throwing.
   * @throws PlatformError when D1 does not answer and nothing is known
   */
  async find(hash: string, beforeQuery: () => void): Promise<Caller | undefined> {
    const now = this.#clock();
    const known = this.#cache.find(hash, now);
    if (known?.fresh) return known.caller;
    if (known !== undefined) return await this.#confirm(hash);
    if (this.#cache.isUnknown(hash, now)) return undefined;
    if (!this.#calls.has(hash, this.#cache.generation, now)) beforeQuery();
    return await this.#ask(hash, patience);
  }

  async #confirm(hash: string): Promise<Caller | undefined> {
    try {
      return await this.#ask(hash, knownPatience);
    } catch (error) {
      const now = this.#clock();
      const caller = error instanceof PlatformError ? this.#cache.trust(hash, now + pauseMs, now) : undefined;
      if (caller === undefined) throw error;
      return caller;
    }
  }

  async #ask(hash: string, patience: Patience): Promise<Caller | undefined> {
    const join = () => this.#calls.join(hash, this.#cache.generation, this.#clock(), () => this.#query(hash));
    const { row, ...answered } = await callPlatform('D1 key', join, patience, this.#shell);
    const expiry = row?.expires_at ?? Number.POSITIVE_INFINITY;
    if (row === null || expiry <= this.#clock()) {
      this.#cache.rememberUnknown(hash, answered);
      return undefined;
    }
    const caller = toCaller(row);
    this.#cache.remember(hash, caller, { ...answered, expiry });
    return caller;
  }

  /** An answer is as old as its question: one that comes late must not count for longer. */
  async #query(hash: string): Promise<Answer> {
    const answered = { asked: this.#clock(), generation: this.#cache.generation };
    const row = await this.#db.prepare(query).bind(hash).first<CallerRow>();
    return { ...answered, row };
  }
}
