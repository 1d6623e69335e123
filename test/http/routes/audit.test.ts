import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { operations } from '../../../src/http/operations.ts';
import { createServices, type Env } from '../../../src/services.ts';
import { adminToken, apiClient, newAccount } from '../../support/api-client.ts';

const { admin, sendJson } = apiClient();

interface Entry {
  readonly admin: string;
  readonly action: string;
  readonly target: string;
  readonly requestId: string;
  readonly details: unknown;
}

/** The entries that tell of these targets, the newest first. */
async function entriesOf(...targets: string[]): Promise<Entry[]> {
  const { entries } = (await admin('GET', '/audit')).body as { entries: Entry[] };
  return entries.filter(({ target }) => targets.includes(target));
}

/** What the call whose answer this is was about. */
async function targetOf({ headers }: { headers: Headers }): Promise<string> {
  const { entries } = (await admin('GET', '/audit')).body as { entries: Entry[] };
  return entries.find(({ requestId }) => requestId === headers.get('X-Request-Id'))!.target;
}

describe('the audit', () => {
  test('has an entry for every call of administrators that changes something', async () => {
    const { id } = (await admin('POST', '/accounts', { name: 'Ada', plan: 'starter' })).body;
    const key = (await admin('POST', `/accounts/${id}/keys`, { label: 'Ada’s server', kind: 'app' })).body;
    const invite = await admin('POST', `/accounts/${id}/invites`);
    await admin('PATCH', `/accounts/${id}`, { name: 'Grace', suspended: true });
    await admin('POST', `/accounts/${id}/top-ups`, { aiCredits: 5, reference: 'invoice of Ada' });
    await admin('DELETE', `/keys/${key.id}`);
    const { headers } = await admin('DELETE', `/accounts/${id}`);

    const inviteId = await targetOf(invite);
    const entries = await entriesOf(id, key.id, inviteId);
    expect(entries.map(({ action, target, details }) => [action, target, details])).toEqual([
      ['account.erase', id, {}],
      ['key.revoke', key.id, {}],
      ['account.top_up', id, { aiCredits: 5 }],
      ['account.change', id, { changed: ['name', 'suspended'], suspended: true }],
      ['invite.create', inviteId, { accountId: id }],
      ['key.issue', key.id, { accountId: id, kind: 'app' }],
      ['account.create', id, { plan: 'starter' }],
    ]);
    expect(entries[0]).toMatchObject({ admin: 'admin', requestId: headers.get('X-Request-Id') });
    expect(JSON.stringify(entries)).not.toMatch(/Ada|Grace/);
    // A call that is added to the interface must be added above, too.
    const changing = operations.filter(({ access, method }) => access === 'admin' && method !== 'get');
    expect(changing.length).toBe(entries.length);
  });

  test('has nothing of calls that changed nothing', async () => {
    const id = `acc_${crypto.randomUUID()}`;
    await admin('PATCH', `/accounts/${id}`, { suspended: true });
    await admin('DELETE', `/accounts/${id}`);
    await admin('POST', `/accounts/${id}/keys`, { label: 'a', kind: 'api' });
    await admin('DELETE', `/keys/${id}`);
    expect(await entriesOf(id)).toEqual([]);
  });

  test('and the change are one transaction: without the audit nothing is changed', async () => {
    const { id } = await newAccount('free');
    await env.DB.exec('ALTER TABLE audit RENAME TO audit_away');
    try {
      expect((await admin('PATCH', `/accounts/${id}`, { plan: 'agency' })).status).toBe(503);
    } finally {
      await env.DB.exec('ALTER TABLE audit_away RENAME TO audit');
    }
    expect((await admin('GET', `/accounts/${id}`)).body.plan).toBe('free');
  });

  test('names the token and the address that the request came from', async () => {
    const bindings = { ...env, ADMIN_TOKENS: 'ada=0123456789abcdefghijklmn, grace=nmlkjihgfedcba9876543210' } as Env;
    const app = createApp(createServices(bindings));
    const call = (token: string, path = '/admin/accounts') =>
      app.request(path, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'CF-Connecting-IP': '2001:db8::7',
        },
        body: JSON.stringify({ name: 'x', plan: 'free' }),
      });
    const names: [string, string][] = [
      [adminToken, 'admin'],
      ['0123456789abcdefghijklmn', 'ada'],
      ['nmlkjihgfedcba9876543210', 'grace'],
    ];
    for (const [token, name] of names) {
      const { id } = await (await call(token)).json<{ id: string }>();
      expect(await entriesOf(id)).toMatchObject([{ admin: name, address: '2001:db8::7' }]);
    }
    expect((await call('nmlkjihgfedcba9876543211')).status).toBe(401);
    expect((await call('grace=nmlkjihgfedcba9876543210')).status).toBe(401);
  });

  test('comes in pages, the newest first, without gap or repetition', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count++) {
      made.unshift((await admin('POST', '/accounts', { name: 'n', plan: 'free' })).body.id);
    }
    const seen: string[] = [];
    let cursor = '';
    while (seen.length < 5) {
      const { body } = await admin('GET', `/audit?limit=2${cursor}`);
      expect(body.entries).toHaveLength(2);
      seen.push(...body.entries.map(({ target }: Entry) => target));
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen.slice(0, 5)).toEqual(made);
    const last = (await admin('GET', '/audit?limit=1&cursor=2')).body;
    expect(Object.keys(last)).toEqual(['entries']);
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=-1', 'cursor=1e3'])(
    'refuses %s and says why',
    async (query) => {
      const { status, body } = await admin('GET', `/audit?${query}`);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect(body.message).toContain(query.split('=')[0]);
    },
  );

  test('is for administrators', async () => {
    expect((await sendJson('GET', '/admin/audit', 'wrong')).status).toBe(401);
  });
});
