import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { Caller } from '../keys/caller.ts';
import type { Session } from '../keys/session.ts';
import { coloOf } from './colo-of.ts';
import type { HttpEnv, Work } from './http-env.ts';

/** What a request came to. */
export type RequestFacts = ReturnType<typeof requestFacts>;

/** Ids, counts and durations of a request that was answered; no name, no address, nothing that was sent. */
export function requestFacts(c: Context<HttpEnv>, durationMs: number) {
  const caller = c.get('caller') as Caller | undefined;
  const work = c.get('work') as Work | undefined;
  return {
    requestId: c.get('requestId'),
    ray: c.req.header('CF-Ray'),
    colo: coloOf(c.req.raw),
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    outcome: c.get('errorCode') ?? outcomeOf(work),
    accountId: caller?.accountId,
    keyId: caller?.keyId,
    sessionId: (c.get('session') as Session | undefined)?.id,
    admin: c.get('admin') as string | undefined,
    files: work?.files,
    failed: work?.failed,
    lost: work?.lost,
    aiCalls: work?.aiCalls,
    aiFailed: work?.aiFailed,
    bytesIn: work?.bytesIn ?? length(c.req.header('Content-Length')),
    bytesOut: work?.bytesOut ?? length(c.res.headers.get('Content-Length')),
    durationMs,
  };
}

/** A batch of which nothing is left for a reason of ours is no success, although its answer is 200. */
function outcomeOf(work: Work | undefined): string {
  return work !== undefined && work.files > 0 && work.lost === work.files ? 'processing_failed' : 'ok';
}

function length(header: string | null | undefined): number | undefined {
  return header && /^\d+$/.test(header) ? Number(header) : undefined;
}
