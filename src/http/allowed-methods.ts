import type { Context, Hono, MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { RequestError } from '../errors.ts';
import type { HttpEnv } from './http-env.ts';

/**
 * Answers a method that a known path does not have: OPTIONS with 204 and what it has, any other with 405 (RFC 9110 §15.5.6).
 * @param answerError makes the error's response
 */
export function allowedMethods(
  app: Hono<HttpEnv>,
  answerError: (error: unknown, c: Context<HttpEnv>) => Response,
): MiddlewareHandler<HttpEnv> {
  return methodNotAllowed({
    app,
    onMethodNotAllowed: (c: Context<HttpEnv>, methods: string[]) => {
      const allow = [...methods, 'OPTIONS'].join(', ');
      if (c.req.method === 'OPTIONS') return noContent(c, allow);
      const message = `${c.req.method} is not possible here. Allowed: ${allow}.`;
      return answerError(new RequestError('method_not_allowed', message, { allow }), c);
    },
  });
}

function noContent(c: Context<HttpEnv>, allow: string): Response {
  c.set('errorCode', undefined);
  return c.body(null, 204, { Allow: allow });
}
