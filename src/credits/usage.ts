import type { PlanId } from './plans.ts';

/**
 * Where an account stands: the body of `GET /api/usage`. `used` counts what was settled in the period, `remaining` is what
 * a new request may still reserve, so live reservations are already taken out of it:
 * compressions: used + reserved + remaining = limit; AI credits: used + reserved + remaining = limit + topUp.
 * After a change to a smaller plan `used` may exceed `limit`; what remains of the allowance is then 0.
 */
export interface Usage {
  plan: PlanId;
  /** ISO 8601 in UTC to the second; `end` is exclusive. */
  period: { start: string; end: string };
  compressions: { used: number; limit: number; remaining: number };
  /** `used` of the monthly `limit`; `topUp` is bought and not spent yet. What top-ups paid for shows in `topUp`, not in `used`. */
  aiCredits: { used: number; limit: number; topUp: number; remaining: number };
}
