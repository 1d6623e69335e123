import type { MiddlewareHandler } from 'hono';
import type { Traffic } from '../batch/traffic.ts';
import type { HttpEnv } from './http-env.ts';

/** Counts a request as traffic until it is answered, or until it says that it only waits (`waits` of its context). */
export function countTraffic(traffic: Traffic): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const end = traffic.begin();
    c.set('waits', end);
    try {
      await next();
    } finally {
      end();
    }
  };
}
