import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { hashKey } from '../../../src/keys/key.ts';
import { apiClient, newAccount } from '../../support/api-client.ts';

const { admin, sendJson } = apiClient();

async function named(name: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    ids.push((await admin('POST', '/accounts', { name, plan: 'free' })).body.id);
  }
  return ids;
}

const idsOf = (body: { accounts: { id: string }[] }) => body.accounts.map(({ id }) => id);

describe('the list of accounts', () => {
  test('comes in pages without gap or repetition, also when one is erased meanwhile', async () => {
    const name = crypto.randomUUID();
    // Two of them were made in the same millisecond.
    const ids = await named(name, 5);
    await env.DB.prepare('UPDATE accounts SET created_at = 5 WHERE name = ?').bind(name).run();
    ids.sort();
    const first = (await admin('GET', `/accounts?limit=2&search=${name}`)).body;
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    await admin('DELETE', `/accounts/${ids[1]}`);
    const second = (await admin('GET', `/accounts?limit=2&search=${name}&cursor=${first.nextCursor}`)).body;
    expect(idsOf(second)).toEqual(ids.slice(2, 4));
    const third = (await admin('GET', `/accounts?limit=2&search=${name}&cursor=${second.nextCursor}`)).body;
    expect(idsOf(third)).toEqual(ids.slice(4));
    expect(third.nextCursor).toBeUndefined();
  });

  test('a page that ends with the last account has no next one', async () => {
    const name = crypto.randomUUID();
    await named(name, 2);
    const { body } = await admin('GET', `/accounts?limit=2&search=${name}`);
    expect([idsOf(body).length, body.nextCursor]).toEqual([2, undefined]);
  });

  test('is searched by parts of name and id; what has a meaning in SQL has none here', async () => {
    const mark = crypto.randomUUID();
    const [id] = await named(`50% of _${mark} O'Brien`, 1);
    const search = async (text: string) =>
      idsOf((await admin('GET', `/accounts?search=${encodeURIComponent(text)}`)).body);
    for (const text of [`50% OF _${mark.toUpperCase()}`, `${mark} o'`, id!, id!.slice(4, 30)]) {
      expect(await search(text), text).toEqual([id]);
    }
    expect(await search(`%${mark}`)).toEqual([]);
    // D1 takes patterns of LIKE up to 50 bytes only.
    expect(await search('ü'.repeat(200))).toEqual([]);
  });

  test.each(['limit=0', 'limit=101', 'limit=1.5', 'limit=', 'cursor=x', 'cursor=5-acc_x', `search=${'a'.repeat(201)}`])(
    'refuses %s and says why',
    async (query) => {
      const { status, body } = await admin('GET', `/accounts?${query}`);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect(body.message).toContain(query.split('=')[0]);
    },
  );
});

describe('an erased account', () => {
  test('is gone from every call, its keys with it, and erasing it again changes nothing', async () => {
    const { id, apiKey, appKey } = await newAccount('agency');
    expect((await sendJson('GET', '/api/usage', appKey)).status).toBe(200);
    for (let call = 0; call < 2; call++)
      expect(await admin('DELETE', `/accounts/${id}`)).toMatchObject({ status: 204 });

    for (const key of [apiKey, appKey]) expect((await sendJson('GET', '/api/usage', key)).status).toBe(401);
    expect((await admin('GET', `/accounts/${id}`)).status).toBe(404);
    expect((await admin('PATCH', `/accounts/${id}`, { name: 'back' })).status).toBe(404);
    expect((await admin('POST', `/accounts/${id}/keys`, { label: 'a', kind: 'app' })).status).toBe(404);
    expect((await admin('POST', `/accounts/${id}/top-ups`, { aiCredits: 1, reference: 'a' })).status).toBe(404);
    expect((await admin('GET', `/accounts?search=${id}`)).body.accounts).toEqual([]);
  });

  test('leaves no personal data in the database and the ledger', async () => {
    const { id, appKey } = await newAccount('agency');
    await admin('PATCH', `/accounts/${id}`, { name: 'Ada Lovelace' });
    await admin('POST', `/accounts/${id}/top-ups`, { aiCredits: 7, reference: 'Ada’s invoice' });
    await admin('DELETE', `/accounts/${id}`);

    const row = await env.DB.prepare('SELECT * FROM accounts WHERE id = ?').bind(id).first();
    expect(row).toMatchObject({ id, name: '', suspended: 1, erased_at: expect.any(Number) });
    const keys = env.DB.prepare('SELECT * FROM keys WHERE account_id = ? OR hash = ?').bind(id, await hashKey(appKey));
    expect((await keys.all()).results).toEqual([]);
    const ledger = env.LEDGER.get(env.LEDGER.idFromName(id));
    expect((await ledger.usage('agency')).aiCredits.topUp).toBe(0);
    // The reference is forgotten, so it would count as a new one.
    expect(await ledger.topUp('Ada’s invoice', 1)).toEqual({ added: true });
  });
});
