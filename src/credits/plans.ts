/** What a plan includes. Amounts are per calendar month in UTC. */
export interface PricePlan {
  /** Successfully processed files. */
  compressions: number;
  /** Images with AI results; top-ups come on top of it. */
  aiCredits: number;
  watermark: boolean;
  ai: boolean;
  /** Whether keys of kind `api` are accepted. */
  apiKeys: boolean;
  /** Requests that one isolate works on at once for one account; half as many may be uploading. */
  requestsAtOnce: number;
}

export const planIds = ['free', 'starter', 'agency'] as const;
export type PlanId = (typeof planIds)[number];

/** The price table. A change here holds at once for every account, from its next request on. */
export const plans: Record<PlanId, PricePlan> = {
  free: { compressions: 100, aiCredits: 0, watermark: false, ai: false, apiKeys: false, requestsAtOnce: 4 },
  starter: { compressions: 2_000, aiCredits: 200, watermark: true, ai: true, apiKeys: false, requestsAtOnce: 8 },
  agency: { compressions: 50_000, aiCredits: 5_000, watermark: true, ai: true, apiKeys: true, requestsAtOnce: 32 },
};
