import type { MiddlewareHandler } from 'hono';
import { RequestError } from '../errors.ts';
import { parseBearer } from '../keys/key.ts';
import type { HttpEnv } from './http-env.ts';

/**
 * Guards the administration routes with the operator's token; without one configured they do not exist.
 * @throws RequestError not_found, unauthorized
 */
export function requireAdmin(adminToken: string | undefined): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (adminToken === undefined) throw new RequestError('not_found', 'There is nothing at this address.');
    if (c.req.method === 'OPTIONS') return next();
    const sent = parseBearer(c.req.header('Authorization'));
    if (sent === undefined || !(await equal(sent, adminToken))) {
      const message =
        'The administration token is missing or wrong. Send it in the header "Authorization: Bearer <ADMIN_TOKEN>".';
      throw new RequestError('unauthorized', message);
    }
    return next();
  };
}

/** Compares digests, which have one length, so that the time taken tells nothing about the token. */
async function equal(a: string, b: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(left, right);
}
