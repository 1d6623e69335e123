import { Hono } from 'hono';
import type { PlanId } from '../../credits/plans.ts';
import type { Usage } from '../../credits/usage.ts';
import { callPlatform } from '../../platform/call-platform.ts';
import type { HttpEnv } from '../http-env.ts';

export interface UsageServices {
  ledger(accountId: string): { usage(plan: PlanId): Promise<Usage> };
}

/** GET: credit balance and this month's usage of the caller's account. */
export function usageRoutes(services: UsageServices): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/', async (c) => {
    const { accountId, plan } = c.get('caller');
    const ask = async () => await services.ledger(accountId).usage(plan);
    const usage = await callPlatform('ledger usage', ask);
    c.set('usage', usage);
    return c.json(usage);
  });
}
