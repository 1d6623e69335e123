import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { RequestError, type RequestErrorCode, requestErrorCodes } from '../../src/errors.ts';
import { handleError } from '../../src/http/handle-error.ts';
import type { HttpEnv } from '../../src/http/http-env.ts';
import { PlatformError } from '../../src/platform/call-platform.ts';

/** The wire as INTERFACE.md has it, written down once more so that a slip in the map shows. */
const statuses: Record<RequestErrorCode, number> = {
  too_many_files: 400,
  file_too_large: 400,
  invalid_request: 400,
  unauthorized: 401,
  account_suspended: 403,
  api_not_available: 403,
  plan_limit_reached: 403,
  ia_not_available: 403,
  no_credits: 403,
  watermark_not_available: 403,
  invalid_signature: 403,
  https_required: 403,
  cross_origin: 403,
  session_required: 403,
  key_limit_reached: 409,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_conflict: 409,
  link_expired: 410,
  result_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal_error: 500,
  service_busy: 503,
};

const texts: Partial<Record<RequestErrorCode, string>> = {
  too_many_files: 'Maximum 20 images allowed per batch',
  file_too_large: 'File a $& b.jpg exceeds the 20MB limit',
  unauthorized: 'Unauthorized',
};

function answer(error: unknown) {
  const log: Record<string, unknown>[] = [];
  const app = new Hono<HttpEnv>();
  app.onError(handleError((line) => void log.push(line)));
  app.use((c, next) => {
    c.set('requestId', 'the-request-id');
    return next();
  });
  app.get('/', () => {
    throw error;
  });
  return { log, response: app.request('/') };
}

test.each(requestErrorCodes)('%s has its status and text', async (code) => {
  const details = {
    name: 'a $& b.jpg',
    allow: 'GET, HEAD',
    retryAfterSeconds: 17,
    contentRange: 'bytes */9',
    location: '/api/batches/1',
  };
  const { response, log } = answer(new RequestError(code, 'What to do.', details));
  const { status, headers } = await response;
  expect(status).toBe(statuses[code]);
  expect(await (await response).json()).toEqual({ error: texts[code] ?? code, message: 'What to do.' });
  expect(headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null);
  expect(headers.get('Allow')).toBe(status === 405 ? 'GET, HEAD' : null);
  expect(headers.get('Retry-After')).toBe(status === 429 || status === 503 ? '17' : null);
  expect(headers.get('Location')).toBe(code === 'idempotency_conflict' ? '/api/batches/1' : null);
  expect(headers.get('Content-Range')).toBe(status === 416 ? 'bytes */9' : null);
  expect(log).toEqual([]);
});

test('an unexpected exception tells the client nothing but the request id, and the log everything', async () => {
  const { response, log } = answer(new Error('D1_ERROR at /srv/secret: no such table'));
  expect((await response).status).toBe(500);
  const body = await (await response).text();
  expect(JSON.parse(body).error).toBe('internal_error');
  expect(body).toContain('the-request-id');
  expect(body).not.toMatch(/D1|secret|table|at /);
  expect(log).toEqual([{ level: 'error', requestId: 'the-request-id', error: expect.stringContaining('D1_ERROR') }]);
});

test.each(['retryable', 'overloaded'])('a platform failure marked %s asks the client to come again', async (mark) => {
  const { response, log } = answer(Object.assign(new Error('object moved'), { [mark]: true }));
  expect((await response).status).toBe(503);
  expect((await response).headers.get('Retry-After')).toBe('5');
  expect(log).toHaveLength(1);
});

test('a call to the platform that was repeated in vain asks the client to come again', async () => {
  const { response, log } = answer(new PlatformError('R2 put', new Error('internal error (10001)')));
  expect((await response).status).toBe(503);
  expect(await (await response).json()).toMatchObject({ error: 'service_busy' });
  expect(log).toEqual([expect.objectContaining({ error: expect.stringContaining('R2 put') })]);
});
