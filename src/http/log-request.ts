import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Caller } from '../keys/caller.ts';
import type { Session } from '../keys/session.ts';
import type { HttpEnv, Work } from './http-env.ts';

/** Writes one line to the log. */
export type Log = (line: Readonly<Record<string, unknown>>) => void;

/**
 * One line a request. The route is the pattern, never the path: paths carry signatures and customers' file names.
 * @param now milliseconds
 */
export function logRequest(log: Log, now: () => number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const start = now();
    await next();
    log({ level: 'info', ...facts(c), durationMs: now() - start });
  };
}

function facts(c: Context<HttpEnv>): Record<string, unknown> {
  const caller = c.get('caller') as Caller | undefined;
  const work = c.get('work') as Work | undefined;
  return {
    requestId: c.get('requestId'),
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    outcome: c.get('errorCode') ?? 'ok',
    accountId: caller?.accountId,
    keyId: caller?.keyId,
    sessionId: (c.get('session') as Session | undefined)?.id,
    admin: c.get('admin'),
    files: work?.files,
    failed: work?.failed,
    aiCalls: work?.aiCalls,
    aiFailed: work?.aiFailed,
    bytesIn: work?.bytesIn ?? length(c.req.header('Content-Length')),
    bytesOut: work?.bytesOut ?? length(c.res.headers.get('Content-Length')),
  };
}

function length(header: string | null | undefined): number | undefined {
  return header && /^\d+$/.test(header) ? Number(header) : undefined;
}
