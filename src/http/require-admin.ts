import type { MiddlewareHandler } from 'hono';
import { RequestError } from '../errors.ts';
import { parseBearer } from '../keys/key.ts';
import { ownerOfToken } from '../keys/same-secret.ts';
import { clientAddress } from './client-address.ts';
import type { HttpEnv } from './http-env.ts';
import type { RefusalLimit } from './refusal-limit.ts';
import type { SessionAccess } from './session-access.ts';

/** An operator's token, and the name that the audit has for it. */
interface AdminToken {
  readonly name: string;
  readonly token: string;
}

export interface RequireAdminServices {
  readonly admins: readonly AdminToken[];
  readonly sessions: Pick<SessionAccess, 'find'>;
  readonly refusals: Pick<RefusalLimit, 'take' | 'giveBack' | 'report'>;
}

/**
 * Guards the administration routes with the operators' tokens and sessions; without any token they do not exist. Puts the token's name on the context. Past
 * the limit of wrong tokens from an address even a right one is refused: the answer would tell a guesser that it is right.
 * @throws RequestError not_found, unauthorized, rate_limited; what `SessionAccess` throws
 */
export function requireAdmin({ admins, sessions, refusals }: RequireAdminServices): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (admins.length === 0) throw new RequestError('not_found', 'There is nothing at this address.');
    if (c.req.method === 'OPTIONS') return next();
    const session = await sessions.find(c);
    if (session?.kind === 'operator') {
      c.set('admin', session.admin);
      return next();
    }
    const sent = parseBearer(c.req.header('Authorization'));
    const name = sent === undefined ? undefined : (await ownerOfToken(sent, admins))?.name;
    // Counted apart from customers' keys: who shares the operator's address must not lock the operator out.
    const address = `admin ${clientAddress(c.req.raw.headers)}`;
    refusals.take(address);
    if (name !== undefined) {
      refusals.giveBack(address);
      c.set('admin', name);
      return next();
    }
    await refusals.report(address);
    const message =
      'The administration token is missing or wrong. Send it in the header "Authorization: Bearer <ADMIN_TOKEN>".';
    throw new RequestError('unauthorized', message);
  };
}
