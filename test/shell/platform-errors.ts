/*
 * Errors as the deployed platform words them. R2: developers.cloudflare.com/r2/api/error-codes. D1: /d1/observability/debug-d1.
 * Durable Objects: /durable-objects/best-practices/error-handling and /observability/troubleshooting; the properties are those that
 * workerd puts on an exception that crosses an isolate (jsg/util.c++): a broken connection is `retryable`, never `remote`.
 */

/** One method of R2 that failed inside R2. */
export function r2Failure(method: string): Error {
  return new Error(`${method}: We encountered an internal error. Please try again. (10001)`);
}

/** R2 is away for now. */
export function r2Unavailable(method: string): Error {
  return new Error(`${method}: Service is temporarily unavailable. Please try again. (10043)`);
}

/** Two writes of one key at the same time. */
export function r2TooMany(method: string): Error {
  return new Error(`${method}: Reduce your concurrent request rate for the same object. (10058)`);
}

/** The words of D1 that ask for a repetition. */
const D1_PASSING = [
  'Network connection lost.',
  'D1 DB reset because its code was updated.',
  'Internal error in D1 DB storage caused object to be reset.',
  'Internal error while starting up D1 DB storage caused object to be reset.',
  'Cannot resolve D1 DB due to transient issue on remote node.',
] as const;

/** @param pick a whole number below its argument */
export function d1Failure(pick: (limit: number) => number): Error {
  return d1Error(D1_PASSING[pick(D1_PASSING.length)]!);
}

export function d1Overloaded(): Error {
  return d1Error('D1 DB is overloaded. Requests queued for too long.');
}

function d1Error(reason: string): Error {
  return new Error(`D1_ERROR: ${reason}`, { cause: new Error(reason) });
}

/** The connection to a Durable Object broke; the stub is of no more use. */
export function objectFailure(): Error {
  return Object.assign(new Error('Network connection lost.'), { retryable: true });
}

export function objectOverloaded(): Error {
  return Object.assign(new Error('Durable Object is overloaded. Too many requests queued.'), { overloaded: true });
}

export const CODE_UPDATED = 'Durable Object reset because its code was updated.';

/** What a lost answer looks like: the object did its work and was moved before it could say so. */
export function objectReset(): Error {
  return Object.assign(new Error(CODE_UPDATED), { durableObjectReset: true, retryable: true });
}
