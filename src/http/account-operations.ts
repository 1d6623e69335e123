import { limits } from '../limits.ts';
import { accountAuditBody } from './audit-contract.ts';
import { issuedOwnKeyBody, newOwnKeyBody, ownKeyListBody, rollKeyBody } from './key-contract.ts';
import type { Operation } from './operation.ts';
import { pageParameters } from './page-parameters.ts';
import { usageDaysBody } from './usage-contract.ts';

const jsonErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;
const day = { type: 'string', format: 'date' } as const;

/** What an account asks and does about itself: its usage by day, its keys, its audit. */
export const accountOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/usage/days',
    operationId: 'usageDays',
    tag: 'Usage',
    summary: 'Show the usage by day',
    description: `What was charged on each day (UTC) to each key, and how many bytes went in and came out. A batch counts on the day on which it ended. Kept for twelve months; at most ${limits.mostUsageDays} days at once.`,
    access: 'key',
    parameters: [
      {
        name: 'from',
        in: 'query',
        description: `The first day; ${limits.usageDays} days up to \`to\` without it.`,
        schema: day,
      },
      { name: 'to', in: 'query', description: 'The last day; today without it.', schema: day },
    ],
    success: { 200: { description: 'The days on which something was used.', body: usageDaysBody } },
    errors: ['invalid_request'],
  },
  {
    method: 'get',
    path: '/api/keys',
    operationId: 'listKeys',
    tag: 'Keys',
    summary: 'List the account’s keys',
    description: 'The account’s keys, the newest first, revoked and expired ones too; never their secrets.',
    access: 'owner',
    parameters: pageParameters,
    success: { 200: { description: 'A page of keys.', body: ownKeyListBody } },
    errors: ['invalid_request'],
  },
  {
    method: 'post',
    path: '/api/keys',
    operationId: 'createKey',
    tag: 'Keys',
    summary: 'Make a key',
    description: `Makes a key for a program of the account. Its secret is in this answer and never again. At most ${limits.liveKeys} keys count at once; plans without API access have none.`,
    access: 'owner',
    request: newOwnKeyBody,
    success: { 201: { description: 'The key, shown only this once.', body: issuedOwnKeyBody } },
    errors: [...jsonErrors, 'api_not_available', 'key_limit_reached'],
  },
  {
    method: 'post',
    path: '/api/keys/{id}/roll',
    operationId: 'rollKey',
    tag: 'Keys',
    summary: 'Replace a key',
    description:
      'Makes a key in place of another one, with its label and kind. The old one counts for `graceSeconds` more, so that programs can be changed one by one; sessions that it opened end with it.',
    access: 'owner',
    request: rollKeyBody,
    success: { 201: { description: 'The new key, shown only this once.', body: issuedOwnKeyBody } },
    errors: [...jsonErrors, 'not_found', 'key_limit_reached'],
  },
  {
    method: 'delete',
    path: '/api/keys/{id}',
    operationId: 'revokeOwnKey',
    tag: 'Keys',
    summary: 'Revoke a key',
    description: 'Revokes a key for good; effective everywhere within 60 seconds. Sessions that it opened end at once.',
    access: 'owner',
    success: { 204: { description: 'Revoked.' } },
    errors: ['not_found'],
  },
  {
    method: 'get',
    path: '/api/audit',
    operationId: 'accountAudit',
    tag: 'Keys',
    summary: 'List what was done with the account',
    description: 'Who did what with the account, its keys and its sessions, when, and from where; the newest first.',
    access: 'owner',
    parameters: pageParameters,
    success: { 200: { description: 'A page of entries.', body: accountAuditBody } },
    errors: ['invalid_request'],
  },
];
