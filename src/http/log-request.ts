import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Caller } from '../keys/caller.ts';
import type { Session } from '../keys/session.ts';
import { count, observe } from '../metrics/definitions.ts';
import type { Counters } from '../platform/counters.ts';
import { coloOf } from './colo-of.ts';
import type { HttpEnv, Work } from './http-env.ts';
import { requestPoint } from './request-point.ts';

/** Writes one line to the log. */
export type Log = (line: Readonly<Record<string, unknown>>) => void;

export interface LogRequestServices {
  readonly log: Log;
  /** Milliseconds. */
  now(): number;
  readonly metrics: { readonly counters: Counters };
  /** Analytics Engine, where it is bound. */
  readonly analytics?: Pick<AnalyticsEngineDataset, 'writeDataPoint'> | undefined;
  readonly versionId: string | undefined;
}

/** What a request came to. */
export type RequestFacts = ReturnType<typeof factsOf>;

/**
 * One line a request, and its numbers. The route is the pattern, never the path: paths carry signatures and customers' file names.
 */
export function logRequest(services: LogRequestServices): MiddlewareHandler<HttpEnv> {
  const { log, now, metrics, analytics, versionId } = services;
  return async (c, next) => {
    const start = now();
    await next();
    const facts = factsOf(c, now() - start);
    log({ level: facts.outcome === 'processing_failed' ? 'error' : 'info', event: 'request', ...facts });
    countRequest(metrics.counters, facts);
    analytics?.writeDataPoint(requestPoint(facts, versionId));
  };
}

function factsOf(c: Context<HttpEnv>, durationMs: number) {
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
    admin: c.get('admin'),
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

/** Methods that are told apart; whatever else somebody sends is one more. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function countRequest(counters: Counters, { method: sent, route, status, outcome, durationMs }: RequestFacts): void {
  const method = METHODS.includes(sent) ? sent : 'other';
  count(counters, 'plume_requests_total', { method, route, status: String(status), outcome });
  observe(counters, 'plume_request_seconds', { route }, durationMs / 1000);
}

function length(header: string | null | undefined): number | undefined {
  return header && /^\d+$/.test(header) ? Number(header) : undefined;
}
