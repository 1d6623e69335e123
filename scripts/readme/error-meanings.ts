import type { FileErrorCode, RequestErrorCode } from '../../src/errors.ts';

/** When each error is answered, for people. The compiler asks for a line for every new code. */
export const requestErrorMeanings: Readonly<Record<RequestErrorCode, string>> = {
  too_many_files: 'More files than one request may have',
  file_too_large: 'A file is larger than it may be',
  invalid_request: 'A field is missing or wrong; the message names it, its bounds and what was received',
  unauthorized: 'The key is missing, unknown, revoked or expired',
  account_suspended: 'The account is suspended',
  api_not_available: 'An API key on a plan without API access',
  plan_limit_reached: 'The batch does not fit in what is left of the month; the message has used, limit and reset date',
  ia_not_available: 'AI asked for on a plan without it',
  no_credits: 'Fewer AI credits left than the batch needs',
  watermark_not_available: 'A watermark on a plan without it',
  invalid_signature: 'A download link that was changed or not made here',
  https_required: 'The request was sent over plain http; GET and HEAD are redirected',
  cross_origin: 'A page of another origin sent this with the cookie of a session',
  session_required: 'This call is for a signed-in browser; a key cannot make it',
  not_found: 'Nothing is at this address, or it is gone',
  method_not_allowed: 'The address exists, the method does not; `Allow` has those that do',
  request_timeout: 'The upload was too slow or took too long; the message names the rate and the time',
  idempotency_conflict: 'The first request with this Idempotency-Key still runs',
  key_limit_reached: 'The account has as many keys as may count at once',
  result_expired: 'The answer to this Idempotency-Key is known, its results are gone',
  link_expired: 'A download link past its time',
  precondition_failed: 'A condition of the request (If-Match, If-Unmodified-Since) does not hold',
  payload_too_large: 'The body is larger than this call takes',
  unsupported_media_type: 'The body is not of the type that this call takes, or has a Content-Encoding',
  range_not_satisfiable: 'The range is outside of the file',
  idempotency_mismatch: 'The Idempotency-Key was used with another request',
  rate_limited:
    'Too many requests with this key or at once of its account, too many from this address that were refused for their key, or too much work on files that failed; the message says which, `Retry-After` when to go on',
  internal_error: 'Our fault; nothing was charged',
  service_busy: 'Too much work at the moment; `Retry-After` says when to go on',
};

/** What each failure says of the one file. */
export const fileErrorMeanings: Readonly<Record<FileErrorCode, string>> = {
  unsupported_image: 'It is no JPEG, PNG, WebP or AVIF, or of a kind of these that is not supported',
  broken_image: 'It is cut off or its data is wrong',
  image_too_large: 'More pixels than accepted, or than the output format holds; the message names the limit',
  animated_image: 'It is animated; a still picture would lose that',
  processing_failed: 'Our fault; try again',
  service_busy: 'All workers were busy; the other files are delivered, send this one again',
};
