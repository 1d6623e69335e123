import { callPlatform } from '../platform/call-platform.ts';
import { toTime } from './key-rows.ts';

export const auditActions = [
  'account.create',
  'account.change',
  'account.erase',
  'account.top_up',
  'key.issue',
  'key.revoke',
  'key.roll',
  'invite.create',
  'session.open',
  'session.close',
  'session.close_all',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Who acts: an operator or the owner of an account, and the request it came with. */
export interface Actor {
  /** The name of the operator's token; of an owner `owner`. */
  readonly name: string;
  /** Absent: an operator. */
  readonly kind?: 'owner';
  /** The id of the session, where it came with one. */
  readonly session?: string;
  /** The address that the request came from; null where the platform does not tell it. */
  readonly address: string | null;
  readonly requestId: string;
}

/** What was set. Never a customer's name, label or reference: the audit outlives the account. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface AuditEntry {
  readonly at: string;
  readonly admin: string;
  /** Absent: an operator. */
  readonly actor?: 'owner';
  readonly action: AuditAction;
  readonly target: string;
  readonly details: AuditDetails;
  readonly address: string | null;
  readonly requestId: string;
}

/** An entry as the owner of the account sees it: operators by no name and no address. */
export interface AccountAuditEntry extends Omit<AuditEntry, 'admin' | 'actor'> {
  readonly actor: 'owner' | 'operator';
}

/**
 * Makes the statement that records one action of one person. In a batch it stands right after the statement that it tells of, and
 * records nothing when that changed nothing.
 */
export type Audit = (action: AuditAction, target: string, details?: AuditDetails) => D1PreparedStatement;

interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly admin: string;
  readonly action: AuditAction;
  readonly target: string;
  readonly details: string;
  readonly address: string | null;
  readonly request_id: string;
  readonly account_id: string | null;
  readonly actor: 'owner' | null;
}

const columns =
  'INSERT OR IGNORE INTO audit (at, admin, action, target, details, address, request_id, actor, account_id)';

/** The account that the target (the fourth parameter) is or belongs to; null of an operator's session. */
const accountOfTarget = `COALESCE(
  (SELECT id FROM accounts WHERE id = ?4), (SELECT account_id FROM keys WHERE id = ?4),
  (SELECT account_id FROM sessions WHERE id = ?4), (SELECT account_id FROM invites WHERE id = ?4))`;

/** What operators and owners did, in D1, for good. */
export class AuditLog {
  readonly #db: D1Database;
  readonly #clock: () => number;

  /** `clock` returns ms since the epoch. */
  constructor(db: D1Database, clock: () => number) {
    this.#db = db;
    this.#clock = clock;
  }

  /** For actions in D1: see `Audit`. */
  by(actor: Actor): Audit {
    return (action, target, details = {}) =>
      this.#db
        .prepare(`${columns} SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ${accountOfTarget} WHERE changes() > 0`)
        .bind(...this.#values(actor, action, target, details));
  }

  /** For actions elsewhere: recorded before they are done, so that none is done without a trace. */
  async record(actor: Actor, action: AuditAction, target: string, details: AuditDetails = {}): Promise<void> {
    const values = this.#values(actor, action, target, details);
    const insert = () =>
      this.#db
        .prepare(`${columns} VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ${accountOfTarget})`)
        .bind(...values)
        .run();
    await callPlatform('D1 audit', insert);
  }

  /** The newest first. @param before only entries older than the one with this number */
  async list(limit: number, before?: number): Promise<{ entries: AuditEntry[]; next?: number }> {
    const query = this.#db.prepare('SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?');
    const from = before ?? Number.MAX_SAFE_INTEGER;
    const { results } = await callPlatform('D1 audit', () => query.bind(from, limit + 1).all<AuditRow>());
    return pageOf(results, limit, toEntry);
  }

  /** The same of one account, for its owner. */
  async listOf(
    accountId: string,
    limit: number,
    before?: number,
  ): Promise<{ entries: AccountAuditEntry[]; next?: number }> {
    const query = this.#db.prepare('SELECT * FROM audit WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?');
    const bound = query.bind(accountId, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
    const { results } = await callPlatform('D1 audit', () => bound.all<AuditRow>());
    return pageOf(results, limit, toAccountEntry);
  }

  #values(actor: Actor, action: AuditAction, target: string, details: AuditDetails) {
    const { name, kind, session, address, requestId } = actor;
    const all = { ...details, ...(session !== undefined && session !== target && { session }) };
    return [this.#clock(), name, action, target, JSON.stringify(all), address, requestId, kind ?? null];
  }
}

function pageOf<Entry>(rows: readonly AuditRow[], limit: number, show: (row: AuditRow) => Entry) {
  const page = rows.slice(0, limit);
  return { entries: page.map(show), ...(rows.length > limit && { next: page.at(-1)!.id }) };
}

function toEntry({ id: _, account_id: __, request_id: requestId, at, details, actor, ...row }: AuditRow): AuditEntry {
  return { ...row, ...(actor && { actor }), at: toTime(at), details: JSON.parse(details), requestId };
}

function toAccountEntry(row: AuditRow): AccountAuditEntry {
  const { admin: _, address, ...entry } = toEntry(row);
  return { ...entry, actor: row.actor ?? 'operator', address: row.actor === null ? null : address };
}
