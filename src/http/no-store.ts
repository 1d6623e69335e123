import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './http-env.ts';

/** Keeps answers that belong to one caller out of every cache (RFC 9111, 5.2.2.5). */
export function noStore(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  };
}
