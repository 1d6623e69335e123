import { callPlatform } from '../platform/call-platform.ts';
import type { Audit } from './audit-log.ts';

/**
 * Takes an account's personal data out of D1: its keys, sessions and invites are deleted, its name and the addresses of its owner are blanked, and
 * it is closed for good. Its id and dates stay, for the audit to refer to. May be repeated. @returns false when there never was such an account
 * @param now ms since the epoch
 */
export async function eraseAccount(db: D1Database, id: string, now: number, audit?: Audit): Promise<boolean> {
  const blank = db.prepare(
    "UPDATE accounts SET name = '', suspended = 1, erased_at = COALESCE(erased_at, ?) WHERE id = ? RETURNING id",
  );
  const remove = (table: string) => db.prepare(`DELETE FROM ${table} WHERE account_id = ?`).bind(id);
  const unaddressed = db.prepare("UPDATE audit SET address = NULL WHERE account_id = ? AND actor = 'owner'").bind(id);
  const statements = [blank.bind(now, id), remove('sessions'), remove('invites'), remove('keys'), unaddressed];
  if (audit) statements.splice(1, 0, audit('account.erase', id));
  const [blanked] = await callPlatform('D1 erase', () => db.batch(statements));
  return blanked!.results.length > 0;
}
