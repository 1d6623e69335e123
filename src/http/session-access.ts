import type { Context } from 'hono';
import { RequestError } from '../errors.ts';
import { isSessionSecret, type Session } from '../keys/session.ts';
import type { SessionStore } from '../keys/session-store.ts';
import { clientAddress } from './client-address.ts';
import type { HttpEnv } from './http-env.ts';
import type { RefusalLimit } from './refusal-limit.ts';
import { requireSameOrigin } from './same-origin.ts';
import { endedSessionCookie, readSessionCookie } from './session-cookie.ts';

export interface SessionAccessServices {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly refusals: Pick<RefusalLimit, 'take' | 'giveBack' | 'takeLookUp' | 'giveBackLookUp' | 'report'>;
  /** The service's public address, where it is not the request's. */
  readonly baseUrl: string | undefined;
}

/** Who is signed in, by the cookie of a request. */
export class SessionAccess {
  readonly #services: SessionAccessServices;

  constructor(services: SessionAccessServices) {
    this.#services = services;
  }

  /**
   * The session of a request, put on the context; undefined where no cookie was sent. A dead one is taken away from the browser.
   * @throws RequestError invalid_request (a key came, too), cross_origin, unauthorized, rate_limited, service_busy
   * @throws PlatformError when the session cannot be looked up
   */
  async find(c: Context<HttpEnv>): Promise<Session | undefined> {
    const secret = readSessionCookie(c.req.header('Cookie'));
    if (secret === undefined) return undefined;
    if (c.req.header('Authorization') !== undefined) throw both();
    requireSameOrigin(c, this.#services.baseUrl);
    const session = await this.#lookUp(secret, clientAddress(c.req.raw.headers));
    if (session === undefined) {
      c.header('Set-Cookie', endedSessionCookie);
      throw new RequestError('unauthorized', 'The session has ended. Sign in again.');
    }
    c.set('session', session);
    return session;
  }

  /** Like a key: only one that this isolate does not know counts as a guess, before it is looked up (see `authenticate`). */
  async #lookUp(secret: string, address: string): Promise<Session | undefined> {
    const { sessions, refusals } = this.#services;
    let counted = false;
    const count = () => {
      refusals.takeLookUp(address);
      counted = true;
    };
    const asking = isSessionSecret(secret) ? sessions.find(secret, count) : undefined;
    const session = await asking?.catch((error: unknown) => {
      if (counted) refusals.giveBack(address);
      throw error;
    });
    if (session !== undefined && counted) refusals.giveBackLookUp(address);
    if (session === undefined && !counted) refusals.take(address);
    if (session === undefined) await refusals.report(address);
    return session;
  }
}

function both(): RequestError {
  const message =
    'The request has both a key and the cookie of a session. Send one of them: leave the header Authorization out, or the cookie.';
  return new RequestError('invalid_request', message);
}
