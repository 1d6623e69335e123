import type { Context, MiddlewareHandler } from 'hono';
import type { PlanId } from '../credits/plans.ts';
import type { Usage } from '../credits/usage.ts';
import type { Caller } from '../keys/caller.ts';
import { callPlatform, type Patience } from '../platform/call-platform.ts';
import type { HttpEnv } from './http-env.ts';
import type { Log } from './log-request.ts';

export interface UsageHeadersServices {
  ledger(accountId: string): { usage(plan: PlanId): Promise<Usage> };
  readonly log: Log;
}

/** The answer is ready and waits for its headers. */
const patience: Patience = { tries: 2, limitMs: 2000, backOffMs: 100 };

/**
 * Puts X-Compressions-Used, X-Compressions-Limit and X-AI-Credits-Remaining on every answer to an authenticated call,
 * errors included. A ledger that cannot answer now costs the headers, not the answer.
 */
export function usageHeaders(services: UsageHeadersServices): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const caller = c.get('caller') as Caller | undefined;
    if (caller === undefined) return;
    const usage = (c.get('usage') as Usage | undefined) ?? (await askLedger(services, caller, c));
    if (usage === undefined) return;
    c.header('X-Compressions-Used', String(usage.compressions.used));
    c.header('X-Compressions-Limit', String(usage.compressions.limit));
    c.header('X-AI-Credits-Remaining', String(usage.aiCredits.remaining));
  };
}

async function askLedger(services: UsageHeadersServices, caller: Caller, c: Context<HttpEnv>) {
  try {
    const ask = () => services.ledger(caller.accountId).usage(caller.plan);
    return await callPlatform('ledger usage', ask, patience);
  } catch (error) {
    services.log({ level: 'error', requestId: c.get('requestId'), error: `usage headers: ${String(error)}` });
    return undefined;
  }
}
