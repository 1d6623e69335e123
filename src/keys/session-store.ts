import { Buffer } from 'node:buffer';
import { limits } from '../limits.ts';
import { callPlatform, type Patience, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import type { Audit } from './audit-log.ts';
import { hashKey } from './key.ts';
import { toPlan } from './key-rows.ts';
import { ownerOfToken, sameSecret } from './same-secret.ts';
import { newSessionSecret, type Session, tokenProof } from './session.ts';
import { type Attempt, openingStatements, type SessionRow, sessionQuery } from './session-rows.ts';

/** An operator's token and its name. */
interface AdminToken {
  readonly name: string;
  readonly token: string;
}

export interface SessionStoreServices {
  readonly db: D1Database;
  /** ms since the epoch. */
  readonly clock: () => number;
  readonly admins: readonly AdminToken[];
  readonly shell?: PlatformShell;
}

/** What is exchanged for a session. */
export interface Proof {
  readonly kind: 'key' | 'invite';
  readonly secret: string;
}

/** The request that asks for a session. */
export interface Opening {
  readonly userAgent: string | null;
  /** The value of the cookie that came with it. */
  readonly previous?: string;
  /** @param admin the name of the operator's token; undefined: the owner of the account */
  audit(admin: string | undefined): Audit;
}

/** A session at the one moment when the value of its cookie is known. */
export interface OpenedSession {
  readonly secret: string;
  readonly session: Session;
}

const patience: Patience = { tries: 3, limitMs: 3000, backOffMs: 100 };
const SECOND_MS = 1000;
/** Ended sessions and invites stay so long, for the audit's look-ups and for whoever looks into a case. */
const KEPT_AFTER_END_MS = 24 * 3600 * SECOND_MS;
/** Sessions that an isolate remembers to have found, so that a neighbour's wrong guesses do not stop them. */
const KNOWN = 1000;

/**
 * Sessions of browsers, in D1. Each request asks D1: what ends a session (sign-out, its key revoked or expired, the account suspended or
 * erased, the operator's token changed) ends it everywhere at once. Every statement may be carried out twice. All methods throw
 * PlatformError when D1 does not answer.
 */
export class SessionStore {
  readonly #db: D1Database;
  readonly #clock: () => number;
  readonly #admins: readonly AdminToken[];
  readonly #shell: PlatformShell;
  readonly #known = new Set<string>();

  constructor({ db, clock, admins, shell = platformShell }: SessionStoreServices) {
    this.#db = db;
    this.#clock = clock;
    this.#admins = admins;
    this.#shell = shell;
  }

  /**
   * Exchanges a key, an operator's token or an invite for a new session, and ends the one that the browser had. Undefined when it counts
   * for nothing, whatever the reason: each refusal takes the same steps.
   */
  async open(proof: Proof, p: Opening): Promise<OpenedSession | undefined> {
    const secret = newSessionSecret(randomBytes);
    const [admin, hash, proofHash, previousHash] = await Promise.all([
      ownerOfToken(proof.secret, proof.kind === 'key' ? this.#admins : []),
      hashKey(secret),
      hashKey(proof.secret),
      p.previous === undefined ? '' : hashKey(p.previous),
    ]);
    const attempt: Attempt = {
      id: `ses_${Buffer.from(randomBytes(16)).toString('hex')}`,
      hash,
      kind: proof.kind,
      proofHash,
      previousHash,
      now: this.#clock(),
      userAgent: p.userAgent?.slice(0, limits.userAgentCharacters) ?? null,
      ...(admin && { admin: admin.name, tokenProof: await tokenProof(secret, admin.token) }),
    };
    const statements = openingStatements(this.#db, attempt, p.audit(admin?.name));
    const [made] = await callPlatform('D1 new session', () => this.#db.batch(statements), patience, this.#shell);
    if (made?.results.length === 0) return undefined;
    const session = await this.find(secret);
    return session && { secret, session };
  }

  /**
   * Whose session it is; undefined when there is none (any more). `beforeQuery` runs before D1 is asked about one that this isolate does
   * not know, and may refuse by throwing.
   */
  async find(secret: string, beforeQuery: () => void = () => {}): Promise<Session | undefined> {
    const hash = await hashKey(secret);
    if (!this.#known.has(hash)) beforeQuery();
    const now = this.#clock();
    const query = sessionQuery(this.#db, hash, now);
    const row = await callPlatform('D1 session', () => query.first<SessionRow>(), patience, this.#shell);
    const session = row === null ? undefined : await this.#toSession(row, secret);
    if (session === undefined) this.#known.delete(hash);
    else await this.#noteSeen(hash, row!, now);
    return session;
  }

  /** Ends a session. */
  async close({ id }: Session, audit: Audit): Promise<void> {
    const update = this.#db.prepare('UPDATE sessions SET ended_at = ? WHERE id = ? AND ended_at IS NULL');
    await this.#run('D1 sign-out', [update.bind(this.#clock(), id), audit('session.close', id)]);
  }

  /** Ends every session of the account, or of the operator's token. */
  async closeAll(session: Session, audit: Audit): Promise<void> {
    const [column, owner] = session.kind === 'owner' ? ['account_id', session.account.id] : ['admin', session.admin];
    const update = this.#db.prepare(`UPDATE sessions SET ended_at = ? WHERE ${column} = ? AND ended_at IS NULL`);
    await this.#run('D1 sign-out', [update.bind(this.#clock(), owner), audit('session.close_all', session.id)]);
  }

  /** Makes an invite to an account that lasts `limits.inviteSeconds`; undefined when there is no such account. */
  async invite(accountId: string, audit: Audit): Promise<{ secret: string; expiresAt: number } | undefined> {
    const secret = newSessionSecret(randomBytes);
    const id = `inv_${Buffer.from(randomBytes(16)).toString('hex')}`;
    const now = this.#clock();
    const expiresAt = now + limits.inviteSeconds * SECOND_MS;
    const insert = this.#db
      .prepare(
        `INSERT INTO invites (id, hash, account_id, created_at, expires_at)
         SELECT ?, ?, id, ?, ? FROM accounts WHERE id = ? AND erased_at IS NULL
         ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING id`,
      )
      .bind(id, await hashKey(secret), now, expiresAt, accountId);
    const [made] = await this.#run('D1 new invite', [insert, audit('invite.create', id, { accountId })]);
    return made?.results.length === 0 ? undefined : { secret, expiresAt };
  }

  /** Removes what can be used no more. */
  async removeExpired(): Promise<number> {
    const before = this.#clock() - KEPT_AFTER_END_MS;
    const remove = (table: string, past: string) => this.#db.prepare(`DELETE FROM ${table} WHERE ${past}`).bind(before);
    const removed = await this.#run('D1 expired sessions', [
      remove('sessions', 'expires_at <= ?1 OR ended_at <= ?1'),
      remove('invites', 'expires_at <= ?1'),
    ]);
    return removed.reduce((sum, { meta }) => sum + meta.changes, 0);
  }

  async #toSession(row: SessionRow, secret: string): Promise<Session | undefined> {
    const idleMs = (row.admin === null ? limits.ownerIdleSeconds : limits.operatorIdleSeconds) * SECOND_MS;
    const expiresAt = Math.min(row.expires_at, this.#clock() + idleMs);
    const times = { id: row.id, createdAt: row.created_at, expiresAt };
    if (row.admin === null) {
      const account = { id: row.account_id!, name: row.name!, plan: toPlan(row.plan!) };
      return { kind: 'owner', account, ...times };
    }
    const known = this.#admins.find(({ name }) => name === row.admin);
    const genuine = known !== undefined && (await sameSecret(await tokenProof(secret, known.token), row.proof ?? ''));
    return genuine ? { kind: 'operator', admin: row.admin, ...times } : undefined;
  }

  /** At most once in `limits.seenEverySeconds`. What fails here is done by the next request. */
  async #noteSeen(hash: string, { id, seen_at }: SessionRow, now: number): Promise<void> {
    this.#known.add(hash);
    if (this.#known.size > KNOWN) this.#known.delete(this.#known.values().next().value!);
    if (now - seen_at < limits.seenEverySeconds * SECOND_MS) return;
    const update = this.#db.prepare('UPDATE sessions SET seen_at = ? WHERE id = ?').bind(now, id);
    await callPlatform('D1 session seen', () => update.run(), { ...patience, tries: 1 }, this.#shell).catch(() => {});
  }

  async #run(what: string, statements: D1PreparedStatement[]): Promise<D1Result[]> {
    return await callPlatform(what, () => this.#db.batch(statements), patience, this.#shell);
  }
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
