import type { Context } from 'hono';
import type { Actor } from '../keys/audit-log.ts';
import type { HttpEnv } from './http-env.ts';

/** Who acts in a request, for the audit. @param admin the name of the operator's token; undefined: the owner of the account */
export function actorOf(c: Context<HttpEnv>, admin?: string): Actor {
  const address = c.req.header('CF-Connecting-IP') ?? null;
  const request = { address, requestId: c.get('requestId') };
  return admin === undefined ? ({ name: 'owner', kind: 'owner', ...request } as const) : { name: admin, ...request };
}
