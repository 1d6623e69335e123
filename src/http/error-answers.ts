import type { RequestErrorCode } from '../errors.ts';

/** How one error code looks on the wire. */
export interface ErrorAnswer {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 412 | 413 | 415 | 416 | 422 | 429 | 500 | 503;
  /** The body's `error` where the contract names a text; without it the code itself. `<name>` is `details.name`. */
  readonly text?: string;
  /** Headers that the answer always has, with the detail that gives the value and the value without it. */
  readonly headers?: Readonly<Record<string, { readonly detail?: string; readonly otherwise?: string }>>;
}

/** Seconds after which a refused client may try again, where the error does not say. */
const RETRY_AFTER = '5';

/** Every error code of the interface: status, wire text and the headers that RFC 9110 asks for with that status. */
export const errorAnswers: Readonly<Record<RequestErrorCode, ErrorAnswer>> = {
  too_many_files: { status: 400, text: 'Maximum 20 images allowed per batch' },
  file_too_large: { status: 400, text: 'File <name> exceeds the 20MB limit' },
  invalid_request: { status: 400 },
  unauthorized: { status: 401, text: 'Unauthorized', headers: { 'WWW-Authenticate': { otherwise: 'Bearer' } } },
  account_suspended: { status: 403 },
  api_not_available: { status: 403 },
  plan_limit_reached: { status: 403 },
  ia_not_available: { status: 403 },
  no_credits: { status: 403 },
  watermark_not_available: { status: 403 },
  invalid_signature: { status: 403 },
  https_required: { status: 403 },
  cross_origin: { status: 403 },
  session_required: { status: 403 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405, headers: { Allow: { detail: 'allow' } } },
  request_timeout: { status: 408 },
  idempotency_conflict: { status: 409, headers: { Location: { detail: 'location' } } },
  key_limit_reached: { status: 409 },
  link_expired: { status: 410 },
  result_expired: { status: 410 },
  precondition_failed: { status: 412 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  range_not_satisfiable: { status: 416, headers: { 'Content-Range': { detail: 'contentRange' } } },
  idempotency_mismatch: { status: 422 },
  rate_limited: { status: 429, headers: { 'Retry-After': { detail: 'retryAfterSeconds', otherwise: RETRY_AFTER } } },
  internal_error: { status: 500 },
  service_busy: { status: 503, headers: { 'Retry-After': { detail: 'retryAfterSeconds', otherwise: RETRY_AFTER } } },
};
