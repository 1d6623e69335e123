import { limits } from '../limits.ts';
import type { BatchRecord } from './batch-journal.ts';

/** How long small files wait for their batch to begin: longer than its request may take to arrive. */
export const UNBEGUN_MS = (limits.uploadSeconds + 10 * 60) * 1000;
/** How long the record of a batch outlives the results, so that who asks is told that they have expired. */
const AFTERLIFE_MS = 3_600_000;

/** When (ms since the epoch) nothing need be known of a batch any more: its results and its Idempotency-Key have lapsed. */
export function forgottenAt({ createdAt, files }: BatchRecord): number {
  const expires = Math.max(...files.map(({ result }) => result.expires * 1000));
  return Math.max(expires, createdAt + limits.idempotencySeconds * 1000) + AFTERLIFE_MS;
}
