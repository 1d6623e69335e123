import type { MiddlewareHandler } from 'hono';
import { RequestError } from '../errors.ts';
import { parseBearer } from '../keys/key.ts';
import { clientAddress } from './client-address.ts';
import type { HttpEnv } from './http-env.ts';
import type { RefusalLimit } from './refusal-limit.ts';

export interface RequireAdminServices {
  readonly adminToken: string | undefined;
  readonly refusals: Pick<RefusalLimit, 'take' | 'giveBack' | 'report'>;
}

/**
 * Guards the administration routes with the operator's token; without one configured they do not exist. Past the limit of wrong
 * tokens from an address even the right one is refused: the answer would tell a guesser that it is right.
 * @throws RequestError not_found, unauthorized, rate_limited
 */
export function requireAdmin({ adminToken, refusals }: RequireAdminServices): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (adminToken === undefined) throw new RequestError('not_found', 'There is nothing at this address.');
    if (c.req.method === 'OPTIONS') return next();
    const sent = parseBearer(c.req.header('Authorization'));
    const right = sent !== undefined && (await equal(sent, adminToken));
    // Counted apart from customers' keys: who shares the operator's address must not lock the operator out.
    const address = `admin ${clientAddress(c.req.raw.headers)}`;
    refusals.take(address);
    if (right) {
      refusals.giveBack(address);
      return next();
    }
    await refusals.report(address);
    const message =
      'The administration token is missing or wrong. Send it in the header "Authorization: Bearer <ADMIN_TOKEN>".';
    throw new RequestError('unauthorized', message);
  };
}

/** Compares digests, which have one length, so that the time taken tells nothing about the token. */
async function equal(a: string, b: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(left, right);
}
