import type { Context } from 'hono';
import { RequestError } from '../errors.ts';
import { PlatformError } from '../platform/call-platform.ts';
import { type ErrorAnswer, errorAnswers } from './error-answers.ts';
import type { HttpEnv } from './http-env.ts';
import type { Log } from './log-request.ts';

/**
 * The only place where an error becomes a response: `{"error", "message"}` with the status and headers of `errorAnswers`.
 * Anything but a RequestError is our defect: its stack goes to the log and the client gets the request id to quote.
 */
export function handleError(log: Log): (error: unknown, c: Context<HttpEnv>) => Response {
  return (error, c) => {
    const refusal = error instanceof RequestError ? error : unexpected(error, c.get('requestId'), log);
    const answer = errorAnswers[refusal.code];
    c.set('errorCode', refusal.code);
    return c.json(
      { error: wireText(answer, refusal), message: refusal.message },
      answer.status,
      headers(answer, refusal),
    );
  };
}

function unexpected(error: unknown, requestId: string, log: Log): RequestError {
  log({ level: 'error', requestId, error: describe(error) });
  if (isTransient(error)) {
    return new RequestError('service_busy', `The service is busy. Try again in a few seconds (request ${requestId}).`);
  }
  const message = `Something went wrong on our side. Try again; if it happens again, tell us the request id ${requestId}.`;
  return new RequestError('internal_error', message);
}

/** Calls that were repeated in vain, and failures of a Durable Object that the platform marks as passing (overload, a moved object). */
function isTransient(error: unknown): boolean {
  if (error instanceof PlatformError) return true;
  const marks = error as { retryable?: unknown; overloaded?: unknown } | null | undefined;
  return marks?.retryable === true || marks?.overloaded === true;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
}

function wireText(answer: ErrorAnswer, { code, details }: RequestError): string {
  // A replacer function: in a replacement string, `$&` and the like in a file's name would be expanded.
  return answer.text?.replace('<name>', () => String(details.name ?? '')) ?? code;
}

function headers(answer: ErrorAnswer, { details }: RequestError): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, { detail, otherwise }] of Object.entries(answer.headers ?? {})) {
    const value = (detail === undefined ? undefined : details[detail]) ?? otherwise;
    if (value !== undefined) set[name] = String(value);
  }
  return set;
}
