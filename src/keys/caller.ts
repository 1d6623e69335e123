import type { PlanId } from '../credits/plans.ts';

/** Who sent a request, as its key or session tells. What the caller may do is decided elsewhere. */
export interface Caller {
  accountId: string;
  /** Of a session `consoleKeyId`. */
  keyId: string;
  /** `api`: a customer's own program; `app`: a first-party front end. */
  kind: KeyKind;
  plan: PlanId;
  suspended: boolean;
}

/** Stands for a key where a signed-in browser calls: its rate and its usage are the account's own. */
export const consoleKeyId = 'console';

export type KeyKind = 'api' | 'app';
