import { Hono } from 'hono';
import type { HttpEnv } from '../http-env.ts';

/** GET: that the service answers, and which version does. */
export function healthRoutes(version: string): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/', (c) => c.json({ status: 'ok', version }));
}
