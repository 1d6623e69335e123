import type { PlanId } from '../credits/plans.ts';

/** Who sent a request, as its key tells. What the caller may do is decided elsewhere. */
export interface Caller {
  accountId: string;
  keyId: string;
  /** `api`: a customer's own program; `app`: a first-party front end. */
  kind: KeyKind;
  plan: PlanId;
  suspended: boolean;
}

export type KeyKind = 'api' | 'app';
