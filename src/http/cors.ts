import type { MiddlewareHandler } from 'hono';
import { cors as honoCors } from 'hono/cors';
import type { HttpEnv } from './http-env.ts';

/** Operators' tools and sign-in are no pages of other origins. */
const OWN_PAGES_ONLY = /^\/(admin|session)(\/|$)/;
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Prefer',
  'Range',
];
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Failed-Files',
  'X-AI-Failed',
  'X-Compressions-Used',
  'X-Compressions-Limit',
  'X-AI-Credits-Remaining',
  'Retry-After',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Location',
  'Preference-Applied',
];

/**
 * Cross-origin access for browsers (Fetch standard, CORS protocol). Keys are sent as Bearer tokens, so credentials
 * (cookies) are never allowed. An OPTIONS request that is no preflight goes on to be answered like any other, and so does what is under
 * /admin and /session: no other page may read it.
 * @param origins `*` or the origins that may call
 */
export function cors(origins: '*' | readonly string[]): MiddlewareHandler<HttpEnv> {
  const answer = honoCors({
    origin: origins === '*' ? '*' : [...origins],
    allowMethods: METHODS,
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
  return (c, next) => {
    const plainOptions = c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') === undefined;
    return plainOptions || OWN_PAGES_ONLY.test(c.req.path) ? next() : answer(c, next);
  };
}
