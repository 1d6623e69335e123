/** Why a whole request was refused. Closed: `http/handle-error` maps each one to its status and wire text. */
export const requestErrorCodes = [
  'too_many_files',
  'file_too_large',
  'invalid_request',
  'unauthorized',
  'account_suspended',
  'api_not_available',
  'plan_limit_reached',
  'ia_not_available',
  'no_credits',
  'watermark_not_available',
  'invalid_signature',
  'https_required',
  'cross_origin',
  'session_required',
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
export type RequestErrorCode = (typeof requestErrorCodes)[number];

/** Why one file of a batch failed while the others went on. Closed; part of the contract (`X-Failed-Files`). */
export const fileErrorCodes = [
  'unsupported_image',
  'broken_image',
  'image_too_large',
  'animated_image',
  'processing_failed',
  'service_busy',
] as const;
export type FileErrorCode = (typeof fileErrorCodes)[number];
/** Those that are about the file itself; the others are failures of ours. */
export type EngineErrorCode = Exclude<FileErrorCode, OwnFailureCode>;

const ownFailureCodes = ['processing_failed', 'service_busy'] as const;
type OwnFailureCode = (typeof ownFailureCodes)[number];

/** Whether a file failed for a reason of ours: sending it again may help. */
export function isOwnFailure(code: FileErrorCode): code is OwnFailureCode {
  return ownFailureCodes.some((own) => own === code);
}

/**
 * Refuses a whole request. `message` is public: what was wrong, what is allowed, what to do.
 * `details` are facts that the shell needs for the answer (a header's value), never shown as they are.
 */
export class RequestError extends Error {
  readonly code: RequestErrorCode;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: RequestErrorCode, message: string, details: Readonly<Record<string, string | number>> = {}) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.details = details;
  }
}

/** Refuses one file. `message` is public and names the cause; anything else thrown by the engine is our defect. */
export class FileError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string) {
    super(message);
    this.name = 'FileError';
    this.code = code;
  }
}
