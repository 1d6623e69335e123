import { type Context, Hono } from 'hono';
import { plans } from '../../credits/plans.ts';
import { RequestError } from '../../errors.ts';
import type { AuditLog } from '../../keys/audit-log.ts';
import type { OwnerKeys } from '../../keys/owner-keys.ts';
import { limits } from '../../limits.ts';
import { actorOf } from '../actor-of.ts';
import { futureInstant } from '../future-instant.ts';
import type { HttpEnv } from '../http-env.ts';
import { newOwnKeyBody, rollKeyBody } from '../key-contract.ts';
import { decodeCursor, encodeCursor } from '../list-cursor.ts';
import { pageLimit } from '../page-limit.ts';
import { readJson } from '../read-json.ts';
import { requireOwner } from '../require-owner.ts';

export interface KeysServices {
  readonly ownerKeys: Pick<OwnerKeys, 'list' | 'create' | 'roll' | 'revoke'>;
  readonly audit: Pick<AuditLog, 'by'>;
  /** ms since the epoch. */
  now(): number;
}

/** The account's own keys, for its owner. */
export function keysRoutes({ ownerKeys, audit, now }: KeysServices): Hono<HttpEnv> {
  const auditOf = (c: Context<HttpEnv>) => audit.by(actorOf(c));
  return new Hono<HttpEnv>()
    .get('/', async (c) => {
      const { account } = requireOwner(c);
      const after = decodeCursor(c.req.query('cursor'));
      const { keys, next } = await ownerKeys.list(account.id, pageLimit(c.req.query('limit')), after);
      return c.json({ keys, ...(next && { nextCursor: encodeCursor(next) }) });
    })
    .post('/', async (c) => {
      const { account } = requireOwner(c);
      const { label, expiresAt } = await readJson(c.req.raw, newOwnKeyBody);
      if (!plans[account.plan].apiKeys) throw noApiAccess(account.plan);
      const expiry = expiresAt === undefined ? {} : { expiresAt: futureInstant(expiresAt, now()) };
      const issued = await ownerKeys.create(account.id, { label, ...expiry }, auditOf(c));
      if (issued === undefined) throw tooMany('Revoke one that is not used any more.');
      return c.json(issued, 201);
    })
    .post('/:id/roll', async (c) => {
      const { account } = requireOwner(c);
      const { graceSeconds } = await readJson(c.req.raw, rollKeyBody);
      const issued = await ownerKeys.roll(account.id, c.req.param('id'), graceSeconds, auditOf(c));
      if (issued === 'unknown') throw unknown();
      if (issued === 'too_many') throw tooMany('With a grace both keys count: revoke one, or set graceSeconds to 0.');
      return c.json(issued, 201);
    })
    .delete('/:id', async (c) => {
      const { account } = requireOwner(c);
      if (!(await ownerKeys.revoke(account.id, c.req.param('id'), auditOf(c)))) throw unknown();
      return c.body(null, 204);
    });
}

function unknown(): RequestError {
  return new RequestError('not_found', 'The account has no such key, or it does not count any more.');
}

function tooMany(remedy: string): RequestError {
  return new RequestError('key_limit_reached', `An account has at most ${limits.liveKeys} keys that count. ${remedy}`);
}

function noApiAccess(plan: string): RequestError {
  const message = `The ${plan} plan has no API access, so a key would be refused. Change to the agency plan to use API keys.`;
  return new RequestError('api_not_available', message);
}
