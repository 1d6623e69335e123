import { Hono } from 'hono';
import type { AccountLedger } from '../../credits/ledger.ts';
import { RequestError } from '../../errors.ts';
import type { KeyStore } from '../../keys/key-store.ts';
import { accountChangeBody, newAccountBody, newKeyBody, topUpBody } from '../contract.ts';
import type { HttpEnv } from '../http-env.ts';
import { readJson } from '../read-json.ts';

export interface AdminServices {
  readonly keys: KeyStore;
  ledger(accountId: string): Pick<AccountLedger, 'usage' | 'topUp'>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Accounts, their keys and top-ups, for whoever runs the service. Guarded by `requireAdmin`, mounted under /admin. */
export function adminRoutes(services: AdminServices): Hono<HttpEnv> {
  const { keys, ledger } = services;
  return new Hono<HttpEnv>()
    .post('/accounts', async (c) => {
      const { id, name, plan } = await keys.createAccount(await readJson(c.req.raw, newAccountBody));
      return c.json({ id, name, plan }, 201);
    })
    .get('/accounts', async (c) => c.json({ accounts: await keys.listAccounts() }))
    .get('/accounts/:id', async (c) => {
      const account = found(await keys.findAccount(c.req.param('id')), 'account');
      const [usage, list] = await Promise.all([ledger(account.id).usage(account.plan), keys.listKeys(account.id)]);
      return c.json({ ...account, usage, keys: list });
    })
    .patch('/accounts/:id', async (c) => {
      const change = await readJson(c.req.raw, accountChangeBody);
      return c.json(found(await keys.changeAccount(c.req.param('id'), change), 'account'));
    })
    .post('/accounts/:id/keys', async (c) => {
      const { expiresAt, ...key } = await readJson(c.req.raw, newKeyBody);
      const expiry = expiresAt === undefined ? {} : { expiresAt: future(expiresAt, services.now()) };
      return c.json(found(await keys.issueKey(c.req.param('id'), { ...key, ...expiry }), 'account'), 201);
    })
    .delete('/keys/:id', async (c) => {
      if (!(await keys.revokeKey(c.req.param('id')))) throw missing('key');
      return c.body(null, 204);
    })
    .post('/accounts/:id/top-ups', async (c) => {
      const { reference, aiCredits } = await readJson(c.req.raw, topUpBody);
      const account = found(await keys.findAccount(c.req.param('id')), 'account');
      const { added } = await ledger(account.id).topUp(reference, aiCredits);
      return c.json({ added, usage: await ledger(account.id).usage(account.plan) });
    });
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw missing(what);
  return value;
}

function missing(what: string): RequestError {
  return new RequestError('not_found', `There is no ${what} with this id.`);
}

/** The same instant in UTC. @throws RequestError invalid_request */
function future(expiresAt: string, now: number): string {
  const instant = Date.parse(expiresAt);
  if (instant > now) return new Date(instant).toISOString();
  throw new RequestError('invalid_request', `expiresAt must be in the future; received "${expiresAt}".`);
}
