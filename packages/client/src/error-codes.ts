/** Why the API refused a whole request. `unknown`: a code that is newer than this client; see the error's message. */
export const apiErrorCodes = [
  'too_many_files',
  'file_too_large',
  'invalid_request',
  'upload_not_found',
  'unauthorized',
  'cross_origin',
  'session_required',
  'account_suspended',
  'api_not_available',
  'plan_limit_reached',
  'ia_not_available',
  'no_credits',
  'watermark_not_available',
  'invalid_signature',
  'https_required',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'idempotency_conflict',
  'key_limit_reached',
  'link_expired',
  'result_expired',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'range_not_satisfiable',
  'idempotency_mismatch',
  'rate_limited',
  'internal_error',
  'service_busy',
] as const;
export type ApiErrorCode = (typeof apiErrorCodes)[number] | 'unknown';

/** Why one file of a batch failed while the others went on. */
export type FileErrorCode =
  | 'unsupported_image'
  | 'broken_image'
  | 'image_too_large'
  | 'animated_image'
  | 'processing_failed'
  | 'service_busy';

/** Codes that the contract writes as a sentence or with a capital. */
const sentences: readonly (readonly [RegExp, ApiErrorCode])[] = [
  [/^Maximum \d+ images allowed per batch$/, 'too_many_files'],
  [/^File [\s\S]* exceeds the \d+MB limit$/, 'file_too_large'],
  [/^Unauthorized$/, 'unauthorized'],
];

/** The code for what stands in the body's `error`. */
export function errorCode(text: unknown): ApiErrorCode {
  if (typeof text !== 'string') return 'unknown';
  const known = apiErrorCodes.find((code) => code === text);
  return known ?? sentences.find(([pattern]) => pattern.test(text))?.[1] ?? 'unknown';
}
