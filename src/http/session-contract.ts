import { z } from 'zod';
import { planIds } from '../credits/plans.ts';
import { text } from './contract.ts';

const instant = z.iso.datetime();
/** Longer than any key, token or invite. */
const secret = text(500, 1);

export const newSessionBody = z
  .union([
    z.strictObject({ key: secret.describe('A key of the account, or the operator’s token.') }),
    z.strictObject({ invite: secret.describe('What stands behind `#invite=` in an invite’s link. It counts once.') }),
  ])
  .meta({ id: 'NewSession', description: 'A key or an invite.' });

export const sessionBody = z
  .object({
    kind: z
      .enum(['owner', 'operator'])
      .describe('Whose session it is: that of an account, or of who runs the service.'),
    account: z
      .object({
        id: z.string().describe('The id of the account.'),
        name: z.string().describe('The name of the account.'),
        plan: z.enum(planIds).describe('The plan of the account.'),
      })
      .exactOptional()
      .describe('The account that is signed in; absent for an operator.'),
    operator: z.string().exactOptional().describe('The name of the operator’s token; absent for an owner.'),
    createdAt: instant.describe('When it was opened.'),
    expiresAt: instant.describe('When it ends if nothing is asked until then.'),
  })
  .meta({ id: 'Session', description: 'Who is signed in.' });
export type SessionBody = z.output<typeof sessionBody>;

export const inviteBody = z
  .object({
    url: z.url().describe('Signs in once. The secret is in the fragment, which browsers send to nobody.'),
    expiresAt: instant.describe('24 hours after it was made.'),
  })
  .meta({ id: 'Invite', description: 'A link that signs in once.' });
