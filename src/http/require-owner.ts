import type { Context } from 'hono';
import { RequestError } from '../errors.ts';
import type { OwnerSession, Session } from '../keys/session.ts';
import type { HttpEnv } from './http-env.ts';

/** The session of the account's owner. @throws RequestError session_required when the request came with a key */
export function requireOwner(c: Context<HttpEnv>): OwnerSession {
  const session = c.get('session') as Session | undefined;
  if (session?.kind === 'owner') return session;
  const message =
    'This call is for a signed-in browser only: a key that leaks must not make others. Sign in to the console, or at POST /session.';
  throw new RequestError('session_required', message);
}
