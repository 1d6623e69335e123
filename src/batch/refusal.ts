import type { ReserveResult } from '../credits/ledger.ts';
import { RequestError } from '../errors.ts';
import type { Batch } from './batch.ts';

type Refused = Extract<ReserveResult, { kind: 'refused' }>;

/** The ledger's refusal as an error that says how far the account got and what to do. */
export function refusal({ code, usage }: Refused, batch: Batch): RequestError {
  const reset = usage.period.end.slice(0, 10);
  const { compressions, aiCredits } = usage;
  const count = batch.files.length;
  switch (code) {
    case 'plan_limit_reached':
      return new RequestError(
        code,
        `This batch needs ${count} compressions, and ${compressions.remaining} are left: ${compressions.used} of ` +
          `${compressions.limit} are used on the ${batch.plan} plan. The count starts anew on ${reset} (UTC).`,
      );
    case 'no_credits':
      return new RequestError(
        code,
        `This batch needs ${count} AI credits, and ${aiCredits.remaining} are left. Buy a top-up, or wait until ${reset} (UTC).`,
      );
    case 'idempotency_conflict':
      return new RequestError(code, 'A request with this Idempotency-Key is still running. Try again when it is done.');
    case 'idempotency_mismatch':
      return new RequestError(
        code,
        'This Idempotency-Key was used with another request. Use a new key for a new request.',
      );
  }
}
