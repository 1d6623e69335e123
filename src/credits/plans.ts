import { limits, MIB } from '../limits.ts';

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
  /** Share of an engine beside other accounts that want it too, relative to theirs. */
  weight: number;
  /** CPU-seconds an hour that may go into files that turn out broken or cannot be processed: nobody pays for them. */
  failedCpuSeconds: number;
  /** Requests that one isolate works on at once for one account; half as many may be uploading. */
  requestsAtOnce: number;
  /** Bytes of `POST /api/uploads` that are kept at once; each counts for `limits.uploadLeastBytes` at the least. */
  uploadBytes: number;
}

export const planIds = ['free', 'starter', 'agency'] as const;
export type PlanId = (typeof planIds)[number];

/** The price table. A change here holds at once for every account, from its next request on. */
export const plans: Record<PlanId, PricePlan> = {
  free: {
    compressions: 100,
    aiCredits: 0,
    watermark: false,
    ai: false,
    apiKeys: false,
    weight: 1,
    requestsAtOnce: 4,
    // One batch of the largest files.
    uploadBytes: limits.files * limits.fileBytes,
    failedCpuSeconds: 60,
  },
  starter: {
    compressions: 2_000,
    aiCredits: 200,
    watermark: true,
    ai: true,
    apiKeys: false,
    weight: 2,
    requestsAtOnce: 8,
    uploadBytes: 2000 * MIB,
    failedCpuSeconds: 300,
  },
  agency: {
    compressions: 50_000,
    aiCredits: 5_000,
    watermark: true,
    ai: true,
    apiKeys: true,
    weight: 8,
    requestsAtOnce: 32,
    uploadBytes: 8000 * MIB,
    failedCpuSeconds: 3000,
  },
};
