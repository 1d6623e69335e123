import { limits } from '../limits.ts';
import type { Audit } from './audit-log.ts';

/** A row of `sessions` with the account, if it is an owner's. Times are ms since the epoch. */
export interface SessionRow {
  readonly id: string;
  readonly admin: string | null;
  readonly proof: string | null;
  readonly created_at: number;
  readonly seen_at: number;
  readonly expires_at: number;
  readonly account_id: string | null;
  readonly name: string | null;
  readonly plan: string | null;
}

const SECOND_MS = 1000;

/** A key counts that is neither revoked nor past its time. */
const liveKey = 'keys.revoked_at IS NULL AND (keys.expires_at IS NULL OR keys.expires_at > ?2)';
const liveAccount = 'accounts.suspended = 0 AND accounts.erased_at IS NULL';

/** The session with this hash, if it and all that it rests on counts at `now` (ms). */
export function sessionQuery(db: D1Database, hash: string, now: number): D1PreparedStatement {
  return db
    .prepare(
      `SELECT sessions.id, sessions.admin, sessions.proof, sessions.created_at, sessions.seen_at, sessions.expires_at,
              accounts.id AS account_id, accounts.name, accounts.plan
         FROM sessions
         LEFT JOIN accounts ON accounts.id = sessions.account_id
         LEFT JOIN keys ON keys.id = sessions.key_id
        WHERE sessions.hash = ?1 AND sessions.ended_at IS NULL AND sessions.expires_at > ?2
          AND sessions.seen_at > ?2 - CASE WHEN sessions.admin IS NULL THEN ?3 ELSE ?4 END
          AND (sessions.account_id IS NULL OR (${liveAccount}))
          AND (sessions.key_id IS NULL OR (keys.id IS NOT NULL AND ${liveKey}))`,
    )
    .bind(hash, now, limits.ownerIdleSeconds * SECOND_MS, limits.operatorIdleSeconds * SECOND_MS);
}

/** An attempt to sign in. */
export interface Attempt {
  /** Of the new session: the same attempt, repeated, makes one. */
  readonly id: string;
  readonly hash: string;
  readonly kind: 'key' | 'invite';
  /** Of what was sent. */
  readonly proofHash: string;
  /** Of the browser's session so far; empty where it had none. */
  readonly previousHash: string;
  /** ms since the epoch. */
  readonly now: number;
  readonly userAgent: string | null;
  /** Only where the token of an operator was sent: its name and its proof. */
  readonly admin?: string;
  readonly tokenProof?: string;
}

/**
 * One transaction: the new session, its audit, the invite used up, the old session ended, and the oldest ones past
 * `limits.sessionsPerAccount`. Where nothing counts the first statement returns no row, and the others change nothing.
 */
export function openingStatements(db: D1Database, attempt: Attempt, audit: Audit): D1PreparedStatement[] {
  const { id, now, kind, proofHash, previousHash } = attempt;
  return [
    attempt.admin === undefined ? ownerInsert(db, attempt) : operatorInsert(db, attempt),
    audit('session.open', id, { with: attempt.admin === undefined ? kind : 'token' }),
    db
      .prepare(
        `UPDATE invites SET used_at = COALESCE(used_at, ?2), session_id = COALESCE(session_id, ?1)
          WHERE hash = ?3 AND ?4 = 'invite' AND EXISTS (SELECT 1 FROM sessions WHERE id = ?1)`,
      )
      .bind(id, now, proofHash, kind),
    db
      .prepare(
        `UPDATE sessions SET ended_at = ?2
          WHERE hash = ?3 AND ended_at IS NULL AND EXISTS (SELECT 1 FROM sessions WHERE id = ?1)`,
      )
      .bind(id, now, previousHash),
    db
      .prepare(
        `UPDATE sessions SET ended_at = ?2
          WHERE account_id = (SELECT account_id FROM sessions WHERE id = ?1) AND ended_at IS NULL AND id NOT IN (
            SELECT kept.id FROM sessions AS kept
             WHERE kept.account_id = (SELECT account_id FROM sessions WHERE id = ?1) AND kept.ended_at IS NULL
             ORDER BY kept.seen_at DESC, kept.id LIMIT ?3)`,
      )
      .bind(id, now, limits.sessionsPerAccount),
  ];
}

function ownerInsert(db: D1Database, { id, hash, now, userAgent, kind, proofHash }: Attempt): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO sessions (id, hash, account_id, key_id, created_at, seen_at, expires_at, user_agent)
       SELECT ?1, ?3, found.account_id, found.key_id, ?2, ?2, ?4, ?5 FROM (
         SELECT keys.account_id, keys.id AS key_id FROM keys JOIN accounts ON accounts.id = keys.account_id
          WHERE ?6 = 'key' AND keys.hash = ?7 AND ${liveKey} AND ${liveAccount}
         UNION ALL
         SELECT invites.account_id, NULL FROM invites JOIN accounts ON accounts.id = invites.account_id
          WHERE ?6 = 'invite' AND invites.hash = ?7 AND invites.expires_at > ?2 AND ${liveAccount}
            AND (invites.used_at IS NULL OR invites.session_id = ?1)
       ) AS found WHERE true
       ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING id`,
    )
    .bind(id, now, hash, now + limits.ownerSessionSeconds * SECOND_MS, userAgent, kind, proofHash);
}

function operatorInsert(db: D1Database, attempt: Attempt): D1PreparedStatement {
  const { id, hash, now, userAgent, admin, tokenProof } = attempt;
  return db
    .prepare(
      `INSERT INTO sessions (id, hash, admin, proof, created_at, seen_at, expires_at, user_agent)
       VALUES (?1, ?3, ?6, ?7, ?2, ?2, ?4, ?5) ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING id`,
    )
    .bind(id, now, hash, now + limits.operatorSessionSeconds * SECOND_MS, userAgent, admin, tokenProof);
}
