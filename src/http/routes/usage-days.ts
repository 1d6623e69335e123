import { Hono } from 'hono';
import { z } from 'zod';
import type { UsageDay } from '../../credits/ledger-days.ts';
import { dayOf } from '../../credits/period.ts';
import { RequestError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { callPlatform } from '../../platform/call-platform.ts';
import type { HttpEnv } from '../http-env.ts';

export interface UsageDaysServices {
  ledger(accountId: string): { days(from: string, to: string): Promise<UsageDay[]> };
  /** ms since the epoch. */
  now(): number;
}

const DAY_MS = 24 * 3600 * 1000;

/** GET: what the account was charged on each day, by key. */
export function usageDaysRoutes({ ledger, now }: UsageDaysServices): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/', async (c) => {
    const { accountId } = c.get('caller');
    const to = readDay('to', c.req.query('to')) ?? dayOf(now());
    const from = readDay('from', c.req.query('from')) ?? dayOf(Date.parse(to) - (limits.usageDays - 1) * DAY_MS);
    requireRange(from, to);
    const days = await callPlatform('ledger days', async () => await ledger(accountId).days(from, to));
    return c.json({ from, to, days });
  });
}

function readDay(name: string, text: string | undefined): string | undefined {
  if (text === undefined || z.iso.date().safeParse(text).success) return text;
  const message = `${name} must be a day as YYYY-MM-DD; received ${JSON.stringify(text.slice(0, 60))}.`;
  throw new RequestError('invalid_request', message);
}

function requireRange(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days >= 1 && days <= limits.mostUsageDays) return;
  const message = `from must not be after to, and they may span at most ${limits.mostUsageDays} days; received ${from} to ${to}.`;
  throw new RequestError('invalid_request', message);
}
