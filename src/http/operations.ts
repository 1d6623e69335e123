import { z } from 'zod';
import type { RequestErrorCode } from '../errors.ts';
import { limits } from '../limits.ts';
import {
  acceptedBody,
  accountBody,
  accountChangeBody,
  accountDetailBody,
  accountListBody,
  accountListQuery,
  auditBody,
  batchBody,
  batchListBody,
  compressBody,
  createdAccountBody,
  healthBody,
  issuedKeyBody,
  newAccountBody,
  newKeyBody,
  pageQuery,
  readyBody,
  topUpBody,
  topUpResultBody,
  usageBody,
} from './contract.ts';

/** One call of the interface, as data: the OpenAPI document and the tests' client are made from it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** With `{name}` for each path parameter. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly access: 'key' | 'admin' | 'open';
  /** Query parameters and request headers. */
  readonly parameters?: readonly Parameter[];
  /** A JSON schema, or `form` for the multipart upload. */
  readonly request?: z.ZodType | 'form';
  /** Statuses of success. A body that is no schema is bytes of an image. */
  readonly success: Readonly<Record<number, { readonly description: string; readonly body?: z.ZodType | 'image' }>>;
  /** Response headers of success, next to those that all answers have. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors: readonly RequestErrorCode[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const accessErrors = [
  'unauthorized',
  'account_suspended',
  'api_not_available',
  'rate_limited',
  'service_busy',
] as const;
const jsonErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;

/** The parameters of a query that is read by this schema. */
function queryOf(schema: z.ZodObject): readonly Parameter[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...rest } = property as { description?: string };
    return { name, in: 'query' as const, description, schema: rest };
  });
}

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
        description: '`errors` adds the failed files to the body.',
        schema: { type: 'string', enum: ['errors'] },
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
    success: { 200: { description: 'The batch as it is now.', body: batchBody } },
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
  {
    method: 'post',
    path: '/admin/accounts',
    operationId: 'createAccount',
    summary: 'Creates an account.',
    access: 'admin',
    request: newAccountBody,
    success: { 201: { description: 'Created.', body: createdAccountBody } },
    errors: [...jsonErrors],
  },
  {
    method: 'get',
    path: '/admin/accounts',
    operationId: 'listAccounts',
    summary: 'Lists the accounts, in pages.',
    access: 'admin',
    parameters: queryOf(accountListQuery),
    success: { 200: { description: 'A page of accounts.', body: accountListBody } },
    errors: ['invalid_request', 'service_busy'],
  },
  {
    method: 'get',
    path: '/admin/accounts/{id}',
    operationId: 'showAccount',
    summary: 'Shows an account with its usage and keys, never secrets.',
    access: 'admin',
    success: { 200: { description: 'The account.', body: accountDetailBody } },
    errors: [],
  },
  {
    method: 'patch',
    path: '/admin/accounts/{id}',
    operationId: 'changeAccount',
    summary: 'Changes plan, name or suspension, at once.',
    access: 'admin',
    request: accountChangeBody,
    success: { 200: { description: 'The account after the change.', body: accountBody } },
    errors: [...jsonErrors],
  },
  {
    method: 'delete',
    path: '/admin/accounts/{id}',
    operationId: 'eraseAccount',
    summary:
      'Erases an account for good: name, keys, usage, stored answers. Images expire by themselves. May be repeated, as after requests that were under way.',
    access: 'admin',
    success: { 204: { description: 'Erased.' } },
    errors: ['service_busy'],
  },
  {
    method: 'post',
    path: '/admin/accounts/{id}/keys',
    operationId: 'issueKey',
    summary: 'Issues a key.',
    access: 'admin',
    request: newKeyBody,
    success: { 201: { description: 'The key, shown only this once.', body: issuedKeyBody } },
    errors: [...jsonErrors],
  },
  {
    method: 'delete',
    path: '/admin/keys/{id}',
    operationId: 'revokeKey',
    summary: 'Revokes a key; effective everywhere within 60 seconds.',
    access: 'admin',
    success: { 204: { description: 'Revoked.' } },
    errors: [],
  },
  {
    method: 'post',
    path: '/admin/accounts/{id}/top-ups',
    operationId: 'topUp',
    summary: 'Adds AI credits; the same reference twice adds once.',
    access: 'admin',
    request: topUpBody,
    success: { 200: { description: 'Whether it was added now, and the usage after it.', body: topUpResultBody } },
    errors: [...jsonErrors, 'service_busy'],
  },
  {
    method: 'get',
    path: '/admin/audit',
    operationId: 'audit',
    summary: 'What administrators did, in pages.',
    access: 'admin',
    parameters: queryOf(pageQuery),
    success: { 200: { description: 'A page of the audit.', body: auditBody } },
    errors: ['invalid_request', 'service_busy'],
  },
];

/** Every error that the operation may answer with: its own, those of its kind of access, and a defect of ours. */
export function errorsOf(operation: Operation): readonly RequestErrorCode[] {
  const admin =
    operation.access === 'admin' ? (['unauthorized', 'not_found', 'rate_limited', 'service_busy'] as const) : [];
  const insecure = operation.method === 'get' ? [] : (['https_required'] as const);
  return [...new Set([...operation.errors, ...admin, ...insecure, 'method_not_allowed', 'internal_error'] as const)];
}
