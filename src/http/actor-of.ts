import type { Context } from 'hono';
import type { Actor } from '../keys/audit-log.ts';
import type { Session } from '../keys/session.ts';
import type { HttpEnv } from './http-env.ts';

/** Who acts in a request, for the audit. @param admin the name of the operator's token; undefined: the owner of the account */
export function actorOf(c: Context<HttpEnv>, admin?: string): Actor {
  const session = c.get('session') as Session | undefined;
  return {
    name: admin ?? 'owner',
    ...(admin === undefined && { kind: 'owner' }),
    ...(session && { session: session.id }),
    address: c.req.header('CF-Connecting-IP') ?? null,
    requestId: c.get('requestId'),
  };
}
