import { z } from 'zod';
import { auditBody } from './audit-contract.ts';
import {
  accountBody,
  accountChangeBody,
  accountDetailBody,
  accountListBody,
  accountListQuery,
  createdAccountBody,
  issuedKeyBody,
  newAccountBody,
  newKeyBody,
  pageQuery,
  topUpBody,
  topUpResultBody,
} from './contract.ts';
import type { Operation, Parameter } from './operation.ts';
import { inviteBody } from './session-contract.ts';

const tag = 'Administration';
const jsonErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;

/** The parameters of a query that is read by this schema. */
function queryOf(schema: z.ZodObject): readonly Parameter[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...rest } = property as { description?: string };
    return { name, in: 'query' as const, description, schema: rest };
  });
}

/** The operators' calls: accounts, keys, top-ups, the audit. */
export const adminOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/admin/accounts',
    operationId: 'createAccount',
    tag,
    summary: 'Create an account',
    description: 'Creates an account on a plan. It has no key yet.',
    access: 'admin',
    request: newAccountBody,
    success: { 201: { description: 'Created.', body: createdAccountBody } },
    errors: [...jsonErrors],
  },
  {
    method: 'get',
    path: '/admin/accounts',
    operationId: 'listAccounts',
    tag,
    summary: 'List accounts',
    description: 'Accounts, the oldest first, in pages; with `search` those whose name or id has the text in it.',
    access: 'admin',
    parameters: queryOf(accountListQuery),
    success: { 200: { description: 'A page of accounts.', body: accountListBody } },
    errors: ['invalid_request', 'service_busy'],
  },
  {
    method: 'get',
    path: '/admin/accounts/{id}',
    operationId: 'showAccount',
    tag,
    summary: 'Show an account',
    description: 'An account with its usage and its keys, never their secrets.',
    access: 'admin',
    success: { 200: { description: 'The account.', body: accountDetailBody } },
    errors: [],
  },
  {
    method: 'patch',
    path: '/admin/accounts/{id}',
    operationId: 'changeAccount',
    tag,
    summary: 'Change an account',
    description:
      'Changes plan, name or suspension. A plan holds from the next call on; a suspended account is refused every call and signed out.',
    access: 'admin',
    request: accountChangeBody,
    success: { 200: { description: 'The account after the change.', body: accountBody } },
    errors: [...jsonErrors],
  },
  {
    method: 'delete',
    path: '/admin/accounts/{id}',
    operationId: 'eraseAccount',
    tag,
    summary: 'Erase an account',
    description:
      'Erases an account for good: name, keys, sessions, usage, stored answers. Images expire by themselves. May be repeated, as after requests that were under way.',
    access: 'admin',
    success: { 204: { description: 'Erased.' } },
    errors: ['service_busy'],
  },
  {
    method: 'post',
    path: '/admin/accounts/{id}/keys',
    operationId: 'issueKey',
    tag,
    summary: 'Issue a key to an account',
    description: 'Makes a key of an account. Its secret is in this answer and never again.',
    access: 'admin',
    request: newKeyBody,
    success: { 201: { description: 'The key, shown only this once.', body: issuedKeyBody } },
    errors: [...jsonErrors],
  },
  {
    method: 'post',
    path: '/admin/accounts/{id}/invites',
    operationId: 'createInvite',
    tag,
    summary: 'Make an invite',
    description:
      'Makes a link that signs the owner of the account in to the console, once, within 24 hours. The secret is in the fragment and in this answer only.',
    access: 'admin',
    success: { 201: { description: 'The link, shown only this once.', body: inviteBody } },
    errors: [],
  },
  {
    method: 'delete',
    path: '/admin/keys/{id}',
    operationId: 'revokeKey',
    tag,
    summary: 'Revoke a key of any account',
    description:
      'Revokes a key for good; effective everywhere within 60 seconds. The sessions that it opened end with it.',
    access: 'admin',
    success: { 204: { description: 'Revoked.' } },
    errors: [],
  },
  {
    method: 'post',
    path: '/admin/accounts/{id}/top-ups',
    operationId: 'topUp',
    tag,
    summary: 'Add AI credits',
    description: 'Adds AI credits that do not lapse at the end of the month. The same reference twice adds once.',
    access: 'admin',
    request: topUpBody,
    success: { 200: { description: 'Whether it was added now, and the usage after it.', body: topUpResultBody } },
    errors: [...jsonErrors, 'service_busy'],
  },
  {
    method: 'get',
    path: '/admin/audit',
    operationId: 'audit',
    tag,
    summary: 'List what was done',
    description: 'What operators and owners did, the newest first, in pages.',
    access: 'admin',
    parameters: queryOf(pageQuery),
    success: { 200: { description: 'A page of the audit.', body: auditBody } },
    errors: ['invalid_request', 'service_busy'],
  },
];
