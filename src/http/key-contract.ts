import { z } from 'zod';
import { limits } from '../limits.ts';
import { keyBody, nextCursor, text } from './contract.ts';

const instant = z.iso.datetime();

export const newOwnKeyBody = z
  .strictObject({
    label: text(limits.textCharacters, 1).describe('What the key is for, to tell keys apart.'),
    kind: z.literal('api').exactOptional().describe('The only kind that owners make.'),
    expiresAt: z.iso.datetime({ offset: true }).exactOptional().describe('In the future; never when absent.'),
  })
  .meta({ id: 'NewOwnKey', description: 'A key to be made by the owner of the account.' });

export const ownKeyBody = keyBody
  .extend({ lastUsedAt: instant.nullable().describe('To the hour; null before its first use.') })
  .meta({ id: 'OwnKey', description: 'A key without its secret, and when it was last used.' });

export const issuedOwnKeyBody = ownKeyBody
  .extend({ key: z.string().describe('The key itself. Shown only here.') })
  .meta({ id: 'IssuedOwnKey', description: 'A key at the one moment when it can be seen.' });

export const ownKeyListBody = z
  .object({ keys: z.array(ownKeyBody).describe('The newest first, revoked and expired ones too.'), nextCursor })
  .meta({ id: 'OwnKeyList', description: 'A page of keys.' });

export const rollKeyBody = z
  .strictObject({
    graceSeconds: z
      .number()
      .int()
      .min(0)
      .max(limits.graceSeconds)
      .describe('Seconds for which the old key counts beside the new one; 0 revokes it at once.'),
  })
  .meta({ id: 'RollKey', description: 'How a key is replaced.' });
