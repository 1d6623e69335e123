import { Hono } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { openapi } from '../openapi.ts';

/** GET: the OpenAPI document, made from the schemas that validate. */
export function openapiRoutes(version: string): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/', (c) => c.json(openapi(version)));
}
