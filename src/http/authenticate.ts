import type { Context, MiddlewareHandler } from 'hono';
import type { Admission } from '../credits/ledger.ts';
import { type PlanId, plans } from '../credits/plans.ts';
import { RequestError } from '../errors.ts';
import { type Caller, consoleKeyId } from '../keys/caller.ts';
import { parseBearer } from '../keys/key.ts';
import type { KeyUse } from '../keys/key-use.ts';
import type { Session } from '../keys/session.ts';
import { callPlatform, type Patience } from '../platform/call-platform.ts';
import { clientAddress } from './client-address.ts';
import type { HttpEnv } from './http-env.ts';
import type { RefusalLimit } from './refusal-limit.ts';
import type { SessionAccess } from './session-access.ts';

export interface AuthenticateServices {
  readonly keys: { authenticate(key: string, beforeQuery: () => void): Promise<Caller | undefined> };
  /** A new stub at each call: one through which a call failed is of no more use. */
  ledger(accountId: string): {
    admit(keyId: string, rate: number, workOn?: PlanId): Promise<Admission>;
  };
  readonly keyUse: Pick<KeyUse, 'note'>;
  /** Requests a minute and key. */
  readonly ratePerMinute: number;
  readonly sessions: Pick<SessionAccess, 'find'>;
  readonly refusals: Pick<RefusalLimit, 'take' | 'giveBack' | 'takeLookUp' | 'giveBackLookUp' | 'report'>;
}

/** A call that is made twice takes two tokens of the rate: no harm. */
const patience: Patience = { tries: 3, limitMs: 3000, backOffMs: 100 };

/** Calls that ask for work on files; the others ask how things stand. */
const workPaths = ['/api/compress', '/api/uploads'];

/**
 * Lets a call in: key or session → account not suspended → API access → rate, in this order. Puts the caller on the context.
 * @throws RequestError unauthorized, invalid_request (key and session), cross_origin, account_suspended, api_not_available, rate_limited, service_busy
 * @throws PlatformError when the key cannot be looked up, or the ledger does not answer
 */
export function authenticate(services: AuthenticateServices): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    // Browsers send OPTIONS without credentials, and it tells nothing that the documentation does not.
    if (c.req.method === 'OPTIONS') return next();
    const caller = await requireAccess(services, c);
    const work = c.req.method === 'POST' && workPaths.includes(c.req.path);
    await Promise.all([requireRate(services, caller, work), noteUse(services, caller)]);
    return next();
  };
}

async function requireAccess(services: AuthenticateServices, c: Context<HttpEnv>): Promise<Caller> {
  const { refusals, sessions } = services;
  const session = await sessions.find(c);
  if (session !== undefined) {
    const caller = callerOf(session);
    c.set('caller', caller);
    return caller;
  }
  const address = clientAddress(c.req.raw.headers);
  const key = parseBearer(c.req.header('Authorization'));
  const caller = await identify(services, key, address);
  const refusal = caller === undefined ? unauthorized(key !== undefined) : accessRefusal(caller);
  if (caller !== undefined) {
    if (refusal !== undefined) refusals.take(address);
    // Not before: for a caller on the context the ledger is asked, and past the limit nothing is.
    c.set('caller', caller);
    if (refusal === undefined) return caller;
  }
  await refusals.report(address);
  throw refusal;
}

/** A signed-in browser is a first-party front end. @throws RequestError unauthorized */
function callerOf(session: Session): Caller {
  if (session.kind === 'owner') {
    const { id: accountId, plan } = session.account;
    return { accountId, keyId: consoleKeyId, kind: 'app', plan, suspended: false };
  }
  throw new RequestError('unauthorized', 'An operator’s session has no account. Sign in with a key of the account.');
}

/**
 * Whose key it is; without one a refusal of the address was taken. A key that this isolate knows is never asked what its neighbours
 * behind the same address did. One that it does not know is looked up only while the address has refusals left: past that even a
 * right key gets 429, because a guess looks just like it.
 */
async function identify(
  { keys, refusals }: AuthenticateServices,
  key: string | undefined,
  address: string,
): Promise<Caller | undefined> {
  let counted = false;
  const count = () => {
    refusals.takeLookUp(address);
    counted = true;
  };
  const asking = key === undefined ? undefined : keys.authenticate(key, count);
  const caller = await asking?.catch((error: unknown) => {
    // Without an answer it was nobody's fault; of the look-ups in vain it was one.
    if (counted) refusals.giveBack(address);
    throw error;
  });
  if (caller === undefined && !counted) refusals.take(address);
  if (caller !== undefined && counted) refusals.giveBackLookUp(address);
  return caller;
}

async function noteUse({ keyUse }: AuthenticateServices, { keyId }: Caller): Promise<void> {
  if (keyId !== consoleKeyId) await keyUse.note(keyId);
}

function unauthorized(keyGiven: boolean): RequestError {
  const fault = keyGiven ? 'The API key is unknown, revoked or expired.' : 'No API key was sent.';
  return new RequestError('unauthorized', `${fault} Send a valid key in the header "Authorization: Bearer <API_KEY>".`);
}

function accessRefusal({ suspended, kind, plan }: Caller): RequestError | undefined {
  if (suspended) {
    return new RequestError('account_suspended', 'This account is suspended. Contact support to have it reopened.');
  }
  if (kind !== 'api' || plans[plan].apiKeys) return undefined;
  const message = `The ${plan} plan has no API access. Change to the agency plan to use API keys.`;
  return new RequestError('api_not_available', message);
}

async function requireRate(services: AuthenticateServices, caller: Caller, work: boolean): Promise<void> {
  const { accountId, keyId, plan } = caller;
  const { ratePerMinute } = services;
  const admit = () => services.ledger(accountId).admit(keyId, ratePerMinute, work ? plan : undefined);
  const admission = await callPlatform('ledger admit', admit, patience);
  if (admission.allowed) return;
  const { reason, retryAfterSeconds } = admission;
  const cause = reason === 'rate' ? tooManyRequests(ratePerMinute) : tooMuchFailedWork(plan);
  throw new RequestError('rate_limited', `${cause} Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
}

function tooManyRequests(ratePerMinute: number): string {
  return `At most ${ratePerMinute} requests a minute are allowed for one key.`;
}

function tooMuchFailedWork(plan: PlanId): string {
  const allowance = `${plans[plan].failedCpuSeconds} seconds of computing an hour on the ${plan} plan`;
  return `This account has used up what may go into files that turned out broken or could not be processed (${allowance}). Check that the files open elsewhere before you send them again, and leave out those that failed.`;
}
