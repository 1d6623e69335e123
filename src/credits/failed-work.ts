import { findBucket, saveBucket } from './ledger-buckets.ts';
import { type PlanId, plans } from './plans.ts';
import { drain, type Refill, remains, type Taken } from './token-bucket.ts';

const id = 'failed-work';

/** Whether the account may ask for more work, or what it spent on failed files must be made up for first. Writes nothing. */
export function admitWork(sql: SqlStorage, plan: PlanId, now: number): Taken {
  return remains(findBucket(sql, id), allowance(plan), now);
}

/**
 * Takes CPU-seconds that were spent on files that failed. They are spent already, so the account may come to owe more than the
 * allowance holds. Writes one row, for 0 seconds none. Throws RangeError unless `cpuSeconds` is a number of 0 or more.
 */
export function drainFailedWork(sql: SqlStorage, plan: PlanId, cpuSeconds: number, now: number): void {
  if (!(cpuSeconds >= 0 && cpuSeconds < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`Not a number of seconds of 0 or more: ${cpuSeconds}`);
  }
  if (cpuSeconds === 0) return;
  const refill = allowance(plan);
  saveBucket(sql, id, drain(findBucket(sql, id), refill, cpuSeconds, now), refill);
}

function allowance(plan: PlanId): Refill {
  return { capacity: plans[plan].failedCpuSeconds, fillMs: 3_600_000 };
}
