import type { MiddlewareHandler } from 'hono';
import { count, observe } from '../metrics/definitions.ts';
import type { Counters } from '../platform/counters.ts';
import type { HttpEnv } from './http-env.ts';
import { type RequestFacts, requestFacts } from './request-facts.ts';
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

/**
 * One line a request, and its numbers. The route is the pattern, never the path: paths carry signatures and customers' file names.
 */
export function logRequest(services: LogRequestServices): MiddlewareHandler<HttpEnv> {
  const { log, now, metrics, analytics, versionId } = services;
  return async (c, next) => {
    const start = now();
    await next();
    const facts = requestFacts(c, now() - start);
    log({ level: facts.outcome === 'processing_failed' ? 'error' : 'info', event: 'request', ...facts });
    countRequest(metrics.counters, facts);
    analytics?.writeDataPoint(requestPoint(facts, versionId));
  };
}

/** Methods that are told apart; whatever else somebody sends is one more. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function countRequest(counters: Counters, { method: sent, route, status, outcome, durationMs }: RequestFacts): void {
  const method = METHODS.includes(sent) ? sent : 'other';
  count(counters, 'plume_requests_total', { method, route, status: String(status), outcome });
  observe(counters, 'plume_request_seconds', { route }, durationMs / 1000);
}
