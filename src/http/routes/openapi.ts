import { Hono } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { openapi } from '../openapi.ts';

/** GET: the OpenAPI document, made from the schemas that validate. */
export function openapiRoutes(version: string): Hono<HttpEnv> {
  // Made once, by the first who asks: it costs more than anybody without a key should.
  let document: ReturnType<typeof openapi> | undefined;
  return new Hono<HttpEnv>().get('/', (c) => {
    document ??= openapi(version);
    return c.json(document);
  });
}
