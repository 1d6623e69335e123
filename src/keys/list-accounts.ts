import { callPlatform } from '../platform/call-platform.ts';
import { type Account, type AccountRow, toAccount } from './key-rows.ts';

export interface AccountQuery {
  /** Accounts at the most. */
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
  /** Part of the name or the id; the case of a–z does not matter in the name. */
  readonly search?: string;
}

export interface AccountPage {
  readonly accounts: Account[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

const cursorForm = /^(\d{1,15})-(acc_[0-9a-f]{32})$/;

/** Whether the text may have been a page's `nextCursor`. */
export function isAccountCursor(text: string): boolean {
  return cursorForm.test(text);
}

/** Accounts that were not erased, the oldest first. What is made or erased between two pages moves no other account from page to page. */
export async function listAccounts(db: D1Database, { limit, cursor, search }: AccountQuery): Promise<AccountPage> {
  const [, createdAt = '-1', id = ''] = cursorForm.exec(cursor ?? '') ?? [];
  // `instr`, not LIKE: D1 takes patterns of at most 50 bytes.
  const query = db.prepare(
    `SELECT * FROM accounts
      WHERE erased_at IS NULL AND (created_at, id) > (?1, ?2)
        AND (?3 = '' OR instr(lower(name), lower(?3)) > 0 OR instr(id, ?3) > 0)
      ORDER BY created_at, id LIMIT ?4`,
  );
  const bound = query.bind(Number(createdAt), id, search ?? '', limit + 1);
  const { results } = await callPlatform('D1 accounts', () => bound.all<AccountRow>());
  const page = results.slice(0, limit);
  const last = page.at(-1);
  const more = results.length > limit && last ? { nextCursor: `${last.created_at}-${last.id}` } : {};
  return { accounts: page.map(toAccount), ...more };
}
