import { type Context, Hono } from 'hono';
import type { AccountLedger } from '../../credits/ledger.ts';
import { RequestError } from '../../errors.ts';
import type { Actor, AuditLog } from '../../keys/audit-log.ts';
import type { KeyStore } from '../../keys/key-store.ts';
import { isAccountCursor } from '../../keys/list-accounts.ts';
import { callPlatform } from '../../platform/call-platform.ts';
import { actorOf } from '../actor-of.ts';
import { accountChangeBody, accountListQuery, newAccountBody, newKeyBody, pageQuery, topUpBody } from '../contract.ts';
import { futureInstant } from '../future-instant.ts';
import type { HttpEnv } from '../http-env.ts';
import { readFields } from '../read-fields.ts';
import { readJson } from '../read-json.ts';

export interface AdminServices {
  readonly keys: KeyStore;
  readonly audit: AuditLog;
  ledger(accountId: string): Pick<AccountLedger, 'usage' | 'topUp' | 'erase'>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Accounts, their keys and top-ups, and who did what, for whoever runs the service. Guarded by `requireAdmin`, mounted under /admin. */
export function adminRoutes(services: AdminServices): Hono<HttpEnv> {
  const { keys, audit, ledger } = services;
  return new Hono<HttpEnv>()
    .post('/accounts', async (c) => {
      const account = await readJson(c.req.raw, newAccountBody);
      const { id, name, plan } = await keys.createAccount(account, audit.by(adminOf(c)));
      return c.json({ id, name, plan }, 201);
    })
    .get('/accounts', async (c) => {
      const query = readFields(accountListQuery, queryOf(c));
      if (query.cursor !== undefined && !isAccountCursor(query.cursor)) throw wrongCursor(query.cursor);
      return c.json(await keys.listAccounts(query));
    })
    .get('/accounts/:id', async (c) => {
      const account = found(await keys.findAccount(c.req.param('id')), 'account');
      const [usage, list] = await Promise.all([ledger(account.id).usage(account.plan), keys.listKeys(account.id)]);
      return c.json({ ...account, usage, keys: list });
    })
    .patch('/accounts/:id', async (c) => {
      const change = await readJson(c.req.raw, accountChangeBody);
      return c.json(found(await keys.changeAccount(c.req.param('id'), change, audit.by(adminOf(c))), 'account'));
    })
    .delete('/accounts/:id', async (c) => {
      const id = c.req.param('id');
      if (!(await keys.eraseAccount(id, audit.by(adminOf(c))))) throw missing('account');
      await callPlatform('ledger erase', async () => await ledger(id).erase());
      return c.body(null, 204);
    })
    .post('/accounts/:id/keys', async (c) => {
      const { expiresAt, ...key } = await readJson(c.req.raw, newKeyBody);
      const expiry = expiresAt === undefined ? {} : { expiresAt: futureInstant(expiresAt, services.now()) };
      const issued = await keys.issueKey(c.req.param('id'), { ...key, ...expiry }, audit.by(adminOf(c)));
      return c.json(found(issued, 'account'), 201);
    })
    .delete('/keys/:id', async (c) => {
      if (!(await keys.revokeKey(c.req.param('id'), audit.by(adminOf(c))))) throw missing('key');
      return c.body(null, 204);
    })
    .post('/accounts/:id/top-ups', async (c) => {
      const { reference, aiCredits } = await readJson(c.req.raw, topUpBody);
      const account = found(await keys.findAccount(c.req.param('id')), 'account');
      await audit.record(adminOf(c), 'account.top_up', account.id, { aiCredits });
      const { added } = await ledger(account.id).topUp(reference, aiCredits);
      return c.json({ added, usage: await ledger(account.id).usage(account.plan) });
    })
    .get('/audit', async (c) => {
      const { limit, cursor } = readFields(pageQuery, queryOf(c));
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw wrongCursor(cursor);
      const { entries, next } = await audit.list(limit, cursor === undefined ? undefined : Number(cursor));
      return c.json({ entries, ...(next === undefined ? {} : { nextCursor: String(next) }) });
    });
}

function adminOf(c: Context<HttpEnv>): Actor {
  return actorOf(c, c.get('admin'));
}

function queryOf(c: Context<HttpEnv>): ReadonlyMap<string, string> {
  return new Map(Object.entries(c.req.query()));
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw missing(what);
  return value;
}

function missing(what: string): RequestError {
  return new RequestError('not_found', `There is no ${what} with this id.`);
}

function wrongCursor(received: string): RequestError {
  const message = `cursor must be the nextCursor of an earlier answer; received ${JSON.stringify(received)}.`;
  return new RequestError('invalid_request', message);
}
