import { callPlatform } from '../platform/call-platform.ts';
import { toTime } from './key-rows.ts';

export const adminActions = [
  'account.create',
  'account.change',
  'account.erase',
  'account.top_up',
  'key.issue',
  'key.revoke',
] as const;
export type AdminAction = (typeof adminActions)[number];

/** Who administrates: the name of the token, and the request it came with. */
export interface Admin {
  readonly name: string;
  /** The address that the request came from; null where the platform does not tell it. */
  readonly address: string | null;
  readonly requestId: string;
}

/** What was set. Never a customer's name, label or reference: the audit outlives the account. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface AuditEntry {
  readonly at: string;
  readonly admin: string;
  readonly action: AdminAction;
  readonly target: string;
  readonly details: AuditDetails;
  readonly address: string | null;
  readonly requestId: string;
}

/**
 * Makes the statement that records one action of one administrator. In a batch it stands right after the statement that it tells of, and
 * records nothing when that changed nothing.
 */
export type Audit = (action: AdminAction, target: string, details?: AuditDetails) => D1PreparedStatement;

interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly admin: string;
  readonly action: AdminAction;
  readonly target: string;
  readonly details: string;
  readonly address: string | null;
  readonly request_id: string;
}

const columns = 'INSERT OR IGNORE INTO audit (at, admin, action, target, details, address, request_id)';

/** What administrators did, in D1, for good. */
export class AuditLog {
  readonly #db: D1Database;
  readonly #clock: () => number;

  /** `clock` returns ms since the epoch. */
  constructor(db: D1Database, clock: () => number) {
    this.#db = db;
    this.#clock = clock;
  }

  /** For actions in D1: see `Audit`. */
  by(admin: Admin): Audit {
    return (action, target, details = {}) =>
      this.#db
        .prepare(`${columns} SELECT ?, ?, ?, ?, ?, ?, ? WHERE changes() > 0`)
        .bind(...this.#values(admin, action, target, details));
  }

  /** For actions elsewhere: recorded before they are done, so that none is done without a trace. */
  async record(admin: Admin, action: AdminAction, target: string, details: AuditDetails = {}): Promise<void> {
    const values = this.#values(admin, action, target, details);
    const insert = () =>
      this.#db
        .prepare(`${columns} VALUES (?, ?, ?, ?, ?, ?, ?)`)
        .bind(...values)
        .run();
    await callPlatform('D1 audit', insert);
  }

  /** The newest first. @param before only entries older than the one with this number */
  async list(limit: number, before?: number): Promise<{ entries: AuditEntry[]; next?: number }> {
    const query = this.#db.prepare('SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?');
    const from = before ?? Number.MAX_SAFE_INTEGER;
    const { results } = await callPlatform('D1 audit', () => query.bind(from, limit + 1).all<AuditRow>());
    const page = results.slice(0, limit);
    const more = results.length > limit ? { next: page.at(-1)!.id } : {};
    return { entries: page.map(toEntry), ...more };
  }

  #values({ name, address, requestId }: Admin, action: AdminAction, target: string, details: AuditDetails) {
    return [this.#clock(), name, action, target, JSON.stringify(details), address, requestId];
  }
}

function toEntry({ id: _, request_id: requestId, at, details, ...row }: AuditRow): AuditEntry {
  return { ...row, at: toTime(at), details: JSON.parse(details), requestId };
}
