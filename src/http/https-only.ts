import type { MiddlewareHandler } from 'hono';
import { RequestError } from '../errors.ts';
import type { HttpEnv } from './http-env.ts';

/** A year, as browsers' preload lists ask for. Other hosts of the domain are the operator's business. */
const TRANSPORT_SECURITY = 'max-age=31536000';

/**
 * Leads plain http to https: GET and HEAD are redirected, anything else is refused, since what it carried was readable on its way. Answers over https
 * tell browsers to stay there (RFC 6797).
 * @throws RequestError https_required
 */
export function httpsOnly(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const url = new URL(c.req.url);
    if (url.protocol === 'http:') {
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') throw insecure();
      url.protocol = 'https:';
      return c.redirect(url.href, 308);
    }
    await next();
    c.header('Strict-Transport-Security', TRANSPORT_SECURITY);
    return undefined;
  };
}

function insecure(): RequestError {
  const message = 'Send this request over https. If it carried a key, revoke the key: it went over the line readable.';
  return new RequestError('https_required', message);
}
