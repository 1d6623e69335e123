import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './http-env.ts';

/** Gives every request an id of our own and every response the header X-Request-Id; one that the client sends is ignored. */
export function requestId(newId: () => string): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    c.set('requestId', newId());
    await next();
    c.header('X-Request-Id', c.get('requestId'));
  };
}
