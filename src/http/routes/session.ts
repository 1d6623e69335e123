import { type Context, Hono } from 'hono';
import { RequestError } from '../../errors.ts';
import type { Audit, AuditLog } from '../../keys/audit-log.ts';
import type { Session } from '../../keys/session.ts';
import type { Proof, SessionStore } from '../../keys/session-store.ts';
import { limits } from '../../limits.ts';
import { actorOf } from '../actor-of.ts';
import { clientAddress } from '../client-address.ts';
import type { HttpEnv } from '../http-env.ts';
import { wireTime } from '../present-batch.ts';
import { readJson } from '../read-json.ts';
import type { RefusalLimit } from '../refusal-limit.ts';
import { requireSameOrigin } from '../same-origin.ts';
import type { SessionAccess } from '../session-access.ts';
import { newSessionBody, type SessionBody } from '../session-contract.ts';
import { endedSessionCookie, readSessionCookie, sessionCookie } from '../session-cookie.ts';

export interface SessionServices {
  readonly sessions: Pick<SessionStore, 'open' | 'close' | 'closeAll'>;
  readonly access: Pick<SessionAccess, 'find'>;
  readonly audit: Pick<AuditLog, 'by'>;
  readonly refusals: Pick<RefusalLimit, 'take' | 'giveBack' | 'takeLookUp' | 'giveBackLookUp' | 'report'>;
  readonly baseUrl: string | undefined;
}

/** Sign-in and sign-out of a browser: a key, an operator's token or an invite is exchanged for a cookie that no script can read. */
export function sessionRoutes(services: SessionServices): Hono<HttpEnv> {
  const { sessions, access } = services;
  const current = async (c: Context<HttpEnv>) => (await access.find(c)) ?? nobody();
  return new Hono<HttpEnv>()
    .post('/', (c) => signIn(c, services))
    .get('/', async (c) => c.json(sessionBody(await current(c))))
    .delete('/', async (c) => {
      const session = await current(c);
      await sessions.close(session, auditBy(c, services, session));
      return signedOut(c);
    })
    .delete('/all', async (c) => {
      const session = await current(c);
      await sessions.closeAll(session, auditBy(c, services, session));
      return signedOut(c);
    });
}

async function signIn(c: Context<HttpEnv>, services: SessionServices): Promise<Response> {
  requireSameOrigin(c, services.baseUrl);
  const body = await readJson(c.req.raw, newSessionBody);
  const proof: Proof = 'key' in body ? { kind: 'key', secret: body.key } : { kind: 'invite', secret: body.invite };
  const opened = await limited(c, services, async () => {
    const previous = readSessionCookie(c.req.header('Cookie'));
    return await services.sessions.open(proof, {
      userAgent: c.req.header('User-Agent') ?? null,
      ...(previous !== undefined && { previous }),
      audit: (admin) => auditAs(c, services, admin),
    });
  });
  const { secret, session } = opened;
  const seconds = session.kind === 'owner' ? limits.ownerSessionSeconds : limits.operatorSessionSeconds;
  c.header('Set-Cookie', sessionCookie(secret, seconds));
  return c.json(sessionBody(session), 201);
}

/**
 * Counts every attempt of an address, and those in vain of all addresses too, before anything is looked up. All failures have one answer.
 * @throws RequestError rate_limited, service_busy, unauthorized
 */
async function limited<Opened>(
  c: Context<HttpEnv>,
  { refusals }: SessionServices,
  attempt: () => Promise<Opened | undefined>,
): Promise<Opened> {
  const address = `sign-in ${clientAddress(c.req.raw.headers)}`;
  refusals.takeLookUp(address);
  const opened = await attempt().catch((error: unknown) => {
    refusals.giveBack(address);
    throw error;
  });
  if (opened === undefined) {
    await refusals.report(address);
    const message =
      'This does not sign in: it is unknown, used, revoked or expired, or its account is suspended. Ask for a new key or invite.';
    throw new RequestError('unauthorized', message);
  }
  refusals.giveBackLookUp(address);
  refusals.take(address);
  return opened;
}

function signedOut(c: Context<HttpEnv>): Response {
  c.header('Set-Cookie', endedSessionCookie);
  return c.body(null, 204);
}

function auditBy(c: Context<HttpEnv>, services: SessionServices, session: Session): Audit {
  return auditAs(c, services, session.kind === 'operator' ? session.admin : undefined);
}

/** @param admin the name of the operator's token; undefined: the owner of the account */
function auditAs(c: Context<HttpEnv>, { audit }: SessionServices, admin: string | undefined): Audit {
  return audit.by(actorOf(c, admin));
}

function sessionBody(session: Session): SessionBody {
  const times = { createdAt: wireTime(session.createdAt), expiresAt: wireTime(session.expiresAt) };
  if (session.kind === 'operator') return { kind: 'operator', operator: session.admin, ...times };
  return { kind: 'owner', account: session.account, ...times };
}

function nobody(): never {
  throw new RequestError('unauthorized', 'Nobody is signed in. Sign in with a key or an invite: POST /session.');
}
