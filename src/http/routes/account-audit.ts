import { Hono } from 'hono';
import { RequestError } from '../../errors.ts';
import type { AuditLog } from '../../keys/audit-log.ts';
import type { HttpEnv } from '../http-env.ts';
import { pageLimit } from '../page-limit.ts';
import { requireOwner } from '../require-owner.ts';

/** GET: what was done with the account, its keys and its sessions, for its owner. */
export function accountAuditRoutes({ audit }: { readonly audit: Pick<AuditLog, 'listOf'> }): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/', async (c) => {
    const { account } = requireOwner(c);
    const before = readCursor(c.req.query('cursor'));
    const { entries, next } = await audit.listOf(account.id, pageLimit(c.req.query('limit')), before);
    return c.json({ entries, ...(next !== undefined && { nextCursor: String(next) }) });
  });
}

function readCursor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new RequestError('invalid_request', 'cursor must be a nextCursor of this list, as it was received.');
}
