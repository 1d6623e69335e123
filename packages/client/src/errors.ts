import { type ApiErrorCode, errorCode } from './error-codes.ts';

/** Everything that this client throws, but for what a caller's own signal aborts with. */
export class PlumeError extends Error {
  override name = 'PlumeError';
}

/** The service was not reached, or the connection ended before the answer did. */
export class ConnectionError extends PlumeError {
  override name = 'ConnectionError';
}

/** The service fell silent. */
export class TimeoutError extends PlumeError {
  override name = 'TimeoutError';
}

/** What an error of the API says. */
export interface ApiFailure {
  readonly status: number;
  readonly code: ApiErrorCode;
  /** The server's own sentence. */
  readonly message: string;
  readonly requestId: string | undefined;
  /** Milliseconds after which to try again, where the server said so. */
  readonly retryAfterMs: number | undefined;
}

/** The API answered with an error. */
export class ApiError extends PlumeError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor({ status, code, message, requestId, retryAfterMs }: ApiFailure) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 401: no key or session, or one that counts no more. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 403: the plan or the account does not allow it. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 403: the month's compressions or the AI credits do not suffice. */
export class QuotaError extends PermissionError {
  override name = 'QuotaError';
}

/** 4xx: the request is wrong as it stands. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';
}

/** 409, 422: the Idempotency-Key is in use, or was used for another request. */
export class IdempotencyError extends ApiError {
  override name = 'IdempotencyError';
}

/** 429: too much at once. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx: a failure of the service's own; nothing was charged. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

const quotaCodes: readonly ApiErrorCode[] = ['plan_limit_reached', 'no_credits'];
const idempotencyCodes: readonly ApiErrorCode[] = ['idempotency_conflict', 'idempotency_mismatch'];

function errorClass({ status, code }: ApiFailure): typeof ApiError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return quotaCodes.includes(code) ? QuotaError : PermissionError;
  if (idempotencyCodes.includes(code)) return IdempotencyError;
  if (status === 429) return RateLimitError;
  return status >= 500 ? ServerError : InvalidRequestError;
}

/** The error for an answer of the API that is no success; its body may be anything, since proxies answer too. */
export function apiError(status: number, header: (name: string) => string | null, body: string): ApiError {
  const { error, message } = errorBody(body);
  const failure: ApiFailure = {
    status,
    code: errorCode(error),
    message: message ?? `The service answered with status ${status}.`,
    requestId: header('x-request-id') ?? undefined,
    retryAfterMs: retryAfter(header('retry-after')),
  };
  return new (errorClass(failure))(failure);
}

function errorBody(text: string): { error?: unknown; message?: string } {
  try {
    const { error, message } = JSON.parse(text) ?? {};
    return { error, ...(typeof message === 'string' && { message }) };
  } catch {
    return {};
  }
}

/** Seconds, or a date (RFC 9110, 10.2.3), as milliseconds from now. */
function retryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const milliseconds = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}
