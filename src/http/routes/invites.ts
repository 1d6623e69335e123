import { Hono } from 'hono';
import { RequestError } from '../../errors.ts';
import type { AuditLog } from '../../keys/audit-log.ts';
import type { SessionStore } from '../../keys/session-store.ts';
import { actorOf } from '../actor-of.ts';
import type { HttpEnv } from '../http-env.ts';
import { wireTime } from '../present-batch.ts';

export interface InviteServices {
  readonly sessions: Pick<SessionStore, 'invite'>;
  readonly audit: Pick<AuditLog, 'by'>;
  /** The service's public address, where it is not the request's. */
  readonly baseUrl: string | undefined;
}

/** POST /accounts/{id}/invites: a link that signs the owner of the account in, once. Guarded by `requireAdmin`, mounted under /admin. */
export function inviteRoutes({ sessions, audit, baseUrl }: InviteServices): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('/accounts/:id/invites', async (c) => {
    const invite = await sessions.invite(c.req.param('id'), audit.by(actorOf(c, c.get('admin'))));
    if (invite === undefined) throw new RequestError('not_found', 'There is no account with this id.');
    const url = `${baseUrl ?? new URL(c.req.url).origin}/console/#invite=${invite.secret}`;
    return c.json({ url, expiresAt: wireTime(invite.expiresAt) }, 201);
  });
}
