import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
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
    case 'upload_not_found':
      return uploadNotFound(refused.uploads);
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

/** Characters of an id that was sent which the message repeats: of ours all, which are shorter. */
const ECHO = 60;

/** Another account's upload is one that this account never had: nobody learns that it is there. */
export function uploadNotFound(ids: readonly string[]): RequestError {
  const named = ids.map((id) => JSON.stringify(id.slice(0, ECHO))).join(', ');
  const minutes = limits.uploadKeepSeconds / 60;
  const cause = `this account has made none of this id, or it has expired ${minutes} minutes after it was made`;
  const message = `There is no upload ${named}: ${cause}. Send the file to POST /api/uploads again, and then this request with the new uploadId.`;
  return new RequestError('upload_not_found', message);
}
