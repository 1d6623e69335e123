import type { RequestErrorCode } from '../errors.ts';
import { limits } from '../limits.ts';
import { adminOperations } from './admin-operations.ts';
import { acceptedBody, batchBody, batchListBody, compressBody, healthBody, readyBody, usageBody } from './contract.ts';
import { compressEvents } from './event-contract.ts';
import type { Operation } from './operation.ts';

const accessErrors = [
  'unauthorized',
  'account_suspended',
  'api_not_available',
  'rate_limited',
  'service_busy',
] as const;

export const operations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/compress',
    operationId: 'compress',
    summary: 'Compresses, converts, resizes, watermarks and describes up to 20 images.',
    access: 'key',
    parameters: [
      {
        name: 'include',
        in: 'query',
        description:
          '`errors` adds the failed files to the body, `details` adds sides, savings and warnings to each result; both: `errors,details`.',
        schema: { type: 'string', examples: ['details', 'errors,details'] },
      },
      {
        name: 'Accept',
        in: 'header',
        description: '`text/event-stream`: each result as soon as it is there, as server-sent events.',
        schema: { type: 'string' },
      },
      {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'The same key with the same request gets the first answer for 24 hours, without new work or charge.',
        schema: { type: 'string', minLength: 1, maxLength: 200 },
      },
      {
        name: 'Prefer',
        in: 'header',
        description: '`respond-async`: the answer is 202 as soon as the files have arrived, and the work goes on.',
        schema: { type: 'string' },
      },
    ],
    request: 'form',
    success: {
      200: { description: 'One item per processed file; also when every file failed.', body: compressBody },
      202: { description: 'Accepted with `Prefer: respond-async`.', body: acceptedBody },
    },
    events: compressEvents,
    headers: {
      Location: 'Of a 202: the address of the batch.',
      'X-Failed-Files': 'Percent-encoded JSON array of FileFailure; absent when nothing failed.',
      'X-AI-Failed':
        'How many processed images got no AI result although it was asked for: they cost no AI credit. Absent when none.',
    },
    errors: [
      ...accessErrors,
      'too_many_files',
      'file_too_large',
      'invalid_request',
      'unsupported_media_type',
      'payload_too_large',
      'request_timeout',
      'watermark_not_available',
      'ia_not_available',
      'no_credits',
      'plan_limit_reached',
      'idempotency_conflict',
      'idempotency_mismatch',
      'result_expired',
      'service_busy',
    ],
  },
  {
    method: 'get',
    path: '/api/batches',
    operationId: 'listBatches',
    summary: 'The batches of the last 24 hours, newest first.',
    access: 'key',
    parameters: [
      {
        name: 'limit',
        in: 'query',
        description: 'Batches of one page.',
        schema: { type: 'integer', minimum: 1, maximum: limits.longestPage, default: limits.pageSize },
      },
      { name: 'cursor', in: 'query', description: 'The `nextCursor` of the page before.', schema: { type: 'string' } },
    ],
    success: { 200: { description: 'A page of them.', body: batchListBody } },
    errors: [...accessErrors, 'invalid_request', 'service_busy'],
  },
  {
    method: 'get',
    path: '/api/batches/{id}',
    operationId: 'showBatch',
    summary: 'A batch and its results so far; with `Accept: text/event-stream` an event `batch` at every change.',
    access: 'key',
    parameters: [
      {
        name: 'include',
        in: 'query',
        description: '`details` adds sides, savings and warnings to each result.',
        schema: { type: 'string', enum: ['details'] },
      },
    ],
    success: { 200: { description: 'The batch as it is now.', body: batchBody } },
    events: { batch: batchBody },
    errors: [...accessErrors, 'not_found', 'service_busy'],
  },
  {
    method: 'get',
    path: '/api/usage',
    operationId: 'usage',
    summary: 'Credit balance and usage of this month.',
    access: 'key',
    success: { 200: { description: 'The account’s usage.', body: usageBody } },
    errors: [...accessErrors],
  },
  {
    method: 'get',
    path: '/d/{key}/{name}',
    operationId: 'download',
    summary: 'Downloads a result. The address comes from a result’s downloadUrl.',
    access: 'open',
    parameters: [
      {
        name: 'expires',
        in: 'query',
        required: true,
        description: 'Unix seconds.',
        schema: { type: 'string', pattern: '^[0-9]+$' },
      },
      {
        name: 'kid',
        in: 'query',
        description: 'Names the key that signed; absent in links from before there were such names.',
        schema: { type: 'string', pattern: '^[0-9a-f]{6}$' },
      },
      {
        name: 'signature',
        in: 'query',
        required: true,
        description: 'Over key, expiry and kid.',
        schema: { type: 'string' },
      },
      { name: 'Range', in: 'header', description: 'RFC 9110, one range of bytes.', schema: { type: 'string' } },
      { name: 'If-None-Match', in: 'header', description: 'RFC 9110.', schema: { type: 'string' } },
    ],
    success: {
      200: { description: 'The image.', body: 'image' },
      206: { description: 'The range asked for.', body: 'image' },
      304: { description: 'The client has it already.' },
    },
    headers: { ETag: 'Strong.', 'Content-Disposition': 'The name of the file (RFC 6266).' },
    errors: [
      'invalid_signature',
      'not_found',
      'link_expired',
      'precondition_failed',
      'range_not_satisfiable',
      'service_busy',
    ],
  },
  {
    method: 'get',
    path: '/health',
    operationId: 'health',
    summary: 'Whether the service answers, and in which version.',
    access: 'open',
    success: { 200: { description: 'It does.', body: healthBody } },
    errors: [],
  },
  {
    method: 'get',
    path: '/health/ready',
    operationId: 'ready',
    summary: 'Whether all that the service needs answers. Asked at most every 5 seconds.',
    access: 'open',
    success: { 200: { description: 'It does.', body: readyBody } },
    errors: ['service_busy'],
  },
  {
    method: 'get',
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document.',
    access: 'open',
    success: { 200: { description: 'OpenAPI 3.1.' } },
    errors: [],
  },
  ...adminOperations,
];

/** Every error that the operation may answer with: its own, those of its kind of access, and a defect of ours. */
export function errorsOf(operation: Operation): readonly RequestErrorCode[] {
  const admin =
    operation.access === 'admin' ? (['unauthorized', 'not_found', 'rate_limited', 'service_busy'] as const) : [];
  const insecure = operation.method === 'get' ? [] : (['https_required'] as const);
  return [...new Set([...operation.errors, ...admin, ...insecure, 'method_not_allowed', 'internal_error'] as const)];
}
