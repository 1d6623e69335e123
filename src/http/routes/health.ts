import { Hono } from 'hono';
import { RequestError } from '../../errors.ts';
import type { Readiness } from '../../platform/readiness.ts';
import { coloOf } from '../colo-of.ts';
import type { HttpEnv } from '../http-env.ts';

export interface HealthServices {
  readonly version: string;
  /** The platform's id of what was deployed. */
  readonly versionId: string | undefined;
  /** @param colo the data centre that asks */
  readiness(colo: string): Promise<Readiness>;
}

/** GET `/`: that the service answers, and which version does. GET `/ready`: that all it needs answers, too. */
export function healthRoutes({ version, versionId, readiness }: HealthServices): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/', (c) => c.json({ status: 'ok', version, ...(versionId === undefined ? {} : { versionId }) }))
    .get('/ready', async (c) => {
      const { checks, failing } = await readiness(coloOf(c.req.raw));
      c.header('Cache-Control', 'no-store');
      if (failing.length > 0) throw notReady(failing);
      return c.json({ ready: true, checks });
    });
}

function notReady(failing: readonly string[]): RequestError {
  return new RequestError('service_busy', `Not ready: ${failing.join(', ')}. Try again in a few seconds.`);
}
