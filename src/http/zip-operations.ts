import { limits } from '../limits.ts';
import type { Operation } from './operation.ts';
import { signedParameters } from './signed-parameters.ts';
import { newZipBody, zipBody } from './zip-contract.ts';

/** Many results in one file. */
export const zipOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/zips',
    operationId: 'createZip',
    tag: 'Downloads',
    summary: 'Make a ZIP of results',
    description: `One address for up to ${limits.zipEntries} results of the account. Nothing is copied: the ZIP is made while it is downloaded, without compression, since images do not shrink. Names that occur twice get \`-2\`, \`-3\` ….`,
    access: 'key',
    request: newZipBody,
    success: { 201: { description: 'The address of the ZIP, and how large it is.', body: zipBody } },
    errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type'],
  },
  {
    method: 'get',
    path: '/z/{key}/{name}',
    operationId: 'downloadZip',
    tag: 'Downloads',
    summary: 'Download a ZIP',
    description:
      'The address comes from `POST /api/zips` and works until it expires. The bytes are the same each time, and their number is told in advance. There are no ranges: a header Range is ignored.',
    access: 'open',
    parameters: [
      ...signedParameters,
      { name: 'If-None-Match', in: 'header', description: 'RFC 9110, 13.1.2.', schema: { type: 'string' } },
    ],
    success: {
      200: { description: 'The ZIP.', body: 'zip' },
      304: { description: 'The client has it already.' },
    },
    headers: { ETag: 'Strong.', 'Content-Disposition': 'The name of the file (RFC 6266).' },
    errors: ['invalid_signature', 'not_found', 'link_expired', 'precondition_failed', 'service_busy'],
  },
];
