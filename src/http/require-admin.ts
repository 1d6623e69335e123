import type { MiddlewareHandler } from 'hono';
import { RequestError } from '../errors.ts';
import { parseBearer } from '../keys/key.ts';
import { clientAddress } from './client-address.ts';
import type { HttpEnv } from './http-env.ts';
import type { RefusalLimit } from './refusal-limit.ts';

/** An operator's token, and the name that the audit has for it. */
interface AdminToken {
  readonly name: string;
  readonly token: string;
}

export interface RequireAdminServices {
  readonly admins: readonly AdminToken[];
  readonly refusals: Pick<RefusalLimit, 'take' | 'giveBack' | 'report'>;
}

/**
 * Guards the administration routes with the operators' tokens; without any they do not exist. Puts the token's name on the context. Past
 * the limit of wrong tokens from an address even a right one is refused: the answer would tell a guesser that it is right.
 * @throws RequestError not_found, unauthorized, rate_limited
 */
export function requireAdmin({ admins, refusals }: RequireAdminServices): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (admins.length === 0) throw new RequestError('not_found', 'There is nothing at this address.');
    if (c.req.method === 'OPTIONS') return next();
    const sent = parseBearer(c.req.header('Authorization'));
    const name = sent === undefined ? undefined : await ownerOf(sent, admins);
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

/** Compares with every token, so that the time taken does not tell which one it nearly was. */
async function ownerOf(sent: string, admins: readonly AdminToken[]): Promise<string | undefined> {
  const same = await Promise.all(admins.map(({ token }) => equal(sent, token)));
  return admins[same.indexOf(true)]?.name;
}

/** Compares digests, which have one length, so that the time taken tells nothing about the token. */
async function equal(a: string, b: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(left, right);
}
