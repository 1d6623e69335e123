import { RequestError } from '../errors.ts';
import type { Batch } from './batch.ts';
import type { Refused } from './open-batch.ts';

/** The ledger's refusal as an error that says how far the account got and what to do. */
export function refusal(refused: Refused, batch: Batch): RequestError {
  const { usage } = refused;
  const reset = usage.period.end.slice(0, 10);
  const { compressions, aiCredits } = usage;
  const count = batch.files.length;
  switch (refused.code) {
    case 'plan_limit_reached':
      return new RequestError(
        refused.code,
        `This batch needs ${count} compressions, and ${compressions.remaining} are left: ${compressions.used} of ` +
          `${compressions.limit} are used on the ${batch.plan} plan. The count starts anew on ${reset} (UTC).`,
      );
    case 'no_credits':
      return new RequestError(
        refused.code,
        `This batch needs ${count} AI credits, and ${aiCredits.remaining} are left. Buy a top-up, or wait until ${reset} (UTC).`,
      );
    case 'too_many_at_once':
      return new RequestError(
        'rate_limited',
        `At most ${refused.filesAtOnce} files of an account on the ${batch.plan} plan are worked on at once. Send this request again when ` +
          'others are done.',
      );
    case 'idempotency_conflict':
      return new RequestError(
        refused.code,
        'A request with this Idempotency-Key is still running. Try again when it is done, or follow it at the address in Location.',
        { location: `/api/batches/${refused.requestId}` },
      );
    case 'idempotency_mismatch':
      return new RequestError(
        refused.code,
        'This Idempotency-Key was used with another request. Use a new key for a new request.',
      );
  }
}
