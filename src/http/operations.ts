import type { RequestErrorCode } from '../errors.ts';
import { accountOperations } from './account-operations.ts';
import { adminOperations } from './admin-operations.ts';
import { acceptedBody, batchBody, batchListBody, compressBody, usageBody } from './contract.ts';
import { compressEvents } from './event-contract.ts';
import type { Operation } from './operation.ts';
import { pageParameters } from './page-parameters.ts';
import { serviceOperations } from './service-operations.ts';
import { sessionOperations } from './session-operations.ts';
import { signedParameters } from './signed-parameters.ts';
import { zipOperations } from './zip-operations.ts';

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
    tag: 'Images',
    summary: 'Compress images',
    description:
      'Compresses, converts, resizes, watermarks and describes up to 20 images of at most 20 MB each. The files and the options are parts of one form, in any order. Checks run in this order, and the first that fails answers: key, API access, rate, form, plan features, AI credits, monthly limit; nothing is processed or charged unless all pass. A file that cannot be processed fails alone and costs nothing. The work does not need the connection: whoever loses the answer finds it under the Idempotency-Key or in the list of batches. With `Accept: text/event-stream` each result is told as soon as it is there, and a comment comes at least every 10 seconds.',
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
    tag: 'Batches',
    summary: 'List batches',
    description: 'The batches of the last 24 hours, the newest first.',
    access: 'key',
    parameters: pageParameters,
    success: { 200: { description: 'A page of them.', body: batchListBody } },
    errors: [...accessErrors, 'invalid_request', 'service_busy'],
  },
  {
    method: 'get',
    path: '/api/batches/{id}',
    operationId: 'showBatch',
    tag: 'Batches',
    summary: 'Show a batch',
    description:
      'A batch and its results so far; links are signed at each call. With `Accept: text/event-stream` an event `batch` with the whole body comes at every change, the last one when it is done, and a comment at least every 10 seconds.',
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
    tag: 'Usage',
    summary: 'Show the usage of this month',
    description:
      'What the account has used of its plan this month, and what is left. Months are calendar months in UTC.',
    access: 'key',
    success: { 200: { description: 'The account’s usage.', body: usageBody } },
    errors: [...accessErrors],
  },
  {
    method: 'get',
    path: '/d/{key}/{name}',
    operationId: 'download',
    tag: 'Downloads',
    summary: 'Download a result',
    description:
      'The address comes from a result’s `downloadUrl` and works until it expires. Ranges and conditional requests work as RFC 9110 has them.',
    access: 'open',
    parameters: [
      ...signedParameters,
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
  ...zipOperations,
  ...accountOperations,
  ...sessionOperations,
  ...adminOperations,
  ...serviceOperations,
];

/** Every error that the operation may answer with: its own, those of its kind of access, and a defect of ours. */
export function errorsOf(operation: Operation): readonly RequestErrorCode[] {
  const { access, method, errors } = operation;
  const safe = method === 'get';
  return [
    ...new Set([
      ...errors,
      ...errorsOfAccess[access],
      ...(safe ? [] : (['https_required'] as const)),
      // Of a key and a cookie in one request, and of a cookie from a page that is not ours.
      ...(access === 'open' || access === 'page' ? [] : (['invalid_request'] as const)),
      ...(access === 'open' || safe ? [] : (['cross_origin'] as const)),
      ...(['method_not_allowed', 'internal_error'] as const),
    ]),
  ];
}

const errorsOfAccess: Readonly<Record<Operation['access'], readonly RequestErrorCode[]>> = {
  key: accessErrors,
  owner: [...accessErrors, 'session_required'],
  session: ['unauthorized', 'rate_limited', 'service_busy'],
  page: [],
  admin: ['unauthorized', 'not_found', 'rate_limited', 'service_busy'],
  open: [],
};
