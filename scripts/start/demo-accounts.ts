import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planIds, plans } from '../../src/credits/plans.ts';

/** A demo account's key, as it is kept in the state folder. */
export interface DemoAccount {
  readonly plan: string;
  readonly kind: 'api' | 'app';
  readonly key: string;
  /** Absent in files of an earlier version. */
  readonly accountId?: string;
}

interface Service {
  readonly url: string;
  readonly stateFolder: string;
  readonly adminToken: string | undefined;
}

/**
 * One account on every plan, with a key each. Keys of an earlier start are used again as long as they work; others are
 * made through the admin API. Without an admin token only keys of an earlier start can be had.
 */
export async function demoAccounts(service: Service): Promise<DemoAccount[]> {
  const file = join(service.stateFolder, 'demo-keys.json');
  const known: DemoAccount[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const accounts: DemoAccount[] = [];
  for (const plan of planIds) {
    const earlier = known.find((account) => account.plan === plan);
    if (earlier?.accountId !== undefined && (await works(service.url, earlier))) accounts.push(earlier);
    else if (service.adminToken !== undefined) accounts.push(await create(service, plan));
    else if (earlier && (await works(service.url, earlier))) accounts.push(earlier);
  }
  writeFileSync(file, `${JSON.stringify(accounts, null, 2)}\n`, { mode: 0o600 });
  return accounts;
}

async function works(url: string, account: DemoAccount): Promise<boolean> {
  const response = await fetch(`${url}/api/usage`, { headers: { authorization: `Bearer ${account.key}` } });
  if (response.status === 401 || response.status === 403) return false;
  if (response.status === 429) return true;
  if (!response.ok) throw new Error(`GET /api/usage answered ${response.status} while the demo keys were checked.`);
  return ((await response.json()) as { plan: string }).plan === account.plan;
}

async function create(service: Service, plan: (typeof planIds)[number]): Promise<DemoAccount> {
  const kind = plans[plan].apiKeys ? 'api' : 'app';
  const account = await post(service, '/admin/accounts', { name: `Demo (${plan})`, plan });
  const issued = await post(service, `/admin/accounts/${account.id}/keys`, { label: 'npm start', kind });
  return { plan, kind, key: String(issued.key), accountId: String(account.id) };
}

/**
 * A link that signs the owner of the last demo account in, once; undefined without an admin token.
 * @throws Error when the service does not make one
 */
export async function consoleLink(service: Service, accounts: readonly DemoAccount[]): Promise<string | undefined> {
  const { accountId } = accounts.at(-1) ?? {};
  if (service.adminToken === undefined || accountId === undefined) return undefined;
  const invite = await post(service, `/admin/accounts/${accountId}/invites`, undefined);
  return String(invite.url);
}

async function post(service: Service, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.adminToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
