import type { MiddlewareHandler } from 'hono';
import { plans } from '../credits/plans.ts';
import { RequestError } from '../errors.ts';
import type { Caller } from '../keys/caller.ts';
import { parseBearer } from '../keys/key.ts';
import type { HttpEnv } from './http-env.ts';

export interface AuthenticateServices {
  readonly keys: { authenticate(key: string): Promise<Caller | undefined> };
  ledger(accountId: string): {
    admit(keyId: string, perMinute: number): Promise<{ allowed: true } | { allowed: false; retryAfterSeconds: number }>;
  };
  /** Requests a minute and key. */
  readonly ratePerMinute: number;
}

/**
 * Lets a call in: key → account not suspended → API access → rate, in this order. Puts the caller on the context.
 * @throws RequestError unauthorized, account_suspended, api_not_available, rate_limited
 */
export function authenticate(services: AuthenticateServices): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    // Browsers send OPTIONS without credentials, and it tells nothing that the documentation does not.
    if (c.req.method === 'OPTIONS') return next();
    const key = parseBearer(c.req.header('Authorization'));
    const caller = key === undefined ? undefined : await services.keys.authenticate(key);
    if (caller === undefined) throw unauthorized(key !== undefined);
    c.set('caller', caller);
    requireAccess(caller);
    await requireRate(services, caller);
    return next();
  };
}

function unauthorized(keyGiven: boolean): RequestError {
  const fault = keyGiven ? 'The API key is unknown, revoked or expired.' : 'No API key was sent.';
  return new RequestError('unauthorized', `${fault} Send a valid key in the header "Authorization: Bearer <API_KEY>".`);
}

function requireAccess(caller: Caller): void {
  if (caller.suspended) {
    throw new RequestError('account_suspended', 'This account is suspended. Contact support to have it reopened.');
  }
  if (caller.kind === 'api' && !plans[caller.plan].apiKeys) {
    const message = `The ${caller.plan} plan has no API access. Change to the agency plan to use API keys.`;
    throw new RequestError('api_not_available', message);
  }
}

async function requireRate(services: AuthenticateServices, caller: Caller): Promise<void> {
  const admission = await services.ledger(caller.accountId).admit(caller.keyId, services.ratePerMinute);
  if (admission.allowed) return;
  const { retryAfterSeconds } = admission;
  const message = `At most ${services.ratePerMinute} requests a minute are allowed for one key. Try again in ${retryAfterSeconds} s.`;
  throw new RequestError('rate_limited', message, { retryAfterSeconds });
}
