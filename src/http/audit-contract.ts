import { z } from 'zod';
import { auditActions } from '../keys/audit-log.ts';
import { nextCursor } from './contract.ts';

const detail = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** What every entry of an audit has. */
const auditEntryShape = {
  at: z.iso.datetime().describe('When it was done.'),
  action: z.enum(auditActions).describe('What was done.'),
  target: z.string().describe('The id of the account, key, invite or session that it was done with.'),
  details: z.record(z.string(), detail).describe('What was set, and the session that it came with.'),
  address: z.string().nullable().describe('Where the request came from, as far as it is told.'),
  requestId: z.string().describe('The `X-Request-Id` of the call.'),
};

export const auditBody = z
  .object({
    entries: z
      .array(
        z.object({
          ...auditEntryShape,
          admin: z.string().describe('The name of the operator’s token; `owner` where `actor` says so.'),
          actor: z.literal('owner').exactOptional().describe('The owner of the account; absent: an operator.'),
        }),
      )
      .describe('The newest first.'),
    nextCursor,
  })
  .meta({ id: 'Audit', description: 'A page of what operators and owners did.' });

export const accountAuditBody = z
  .object({
    entries: z
      .array(
        z.object({
          ...auditEntryShape,
          actor: z.enum(['owner', 'operator']).describe('Who did it: a signed-in owner, or who runs the service.'),
        }),
      )
      .describe('The newest first.'),
    nextCursor,
  })
  .meta({ id: 'AccountAudit', description: 'A page of what was done with the account.' });
