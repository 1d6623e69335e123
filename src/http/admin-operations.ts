import { z } from 'zod';
import {
  accountBody,
  accountChangeBody,
  accountDetailBody,
  accountListBody,
  accountListQuery,
  auditBody,
  createdAccountBody,
  issuedKeyBody,
  newAccountBody,
  newKeyBody,
  pageQuery,
  topUpBody,
  topUpResultBody,
} from './contract.ts';
import type { Operation, Parameter } from './operation.ts';

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
    path: '/admin/metrics',
    operationId: 'metrics',
    summary: 'Counters and durations of all isolates since the service began, for Prometheus (text format 0.0.4).',
    access: 'admin',
    success: { 200: { description: 'The metrics.', body: 'text' } },
    errors: ['service_busy'],
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
