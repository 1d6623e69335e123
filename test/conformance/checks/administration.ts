import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, file } from '../support/client.ts';
import { plain, red } from '../support/pictures.ts';
import { adminToken } from '../support/server.ts';

export function administration(client: () => Client): void {
  describe('administration', () => {
    let account: { id: string; key: string; keyId: string };

    beforeAll(async () => {
      account = await client().account('starter');
    });

    test.each(['', 'wrong', adminToken.slice(0, -1), `${adminToken}2`])('the token %j: 401', async (token) => {
      for (const [method, path] of [
        ['GET', '/admin/accounts'],
        ['POST', '/admin/accounts'],
        ['DELETE', '/admin/keys/x'],
      ]) {
        const answer = await client().admin(
          method!,
          path!,
          method === 'POST' ? { name: 'x', plan: 'free' } : undefined,
          token,
        );
        expect(answer).toMatchObject({ status: 401, json: { error: 'Unauthorized' } });
      }
    });

    test('a customer’s key is no admin token, the admin token is no key', async () => {
      expect((await client().admin('GET', '/admin/accounts', undefined, account.key)).status).toBe(401);
      expect((await client().usage(adminToken)).status).toBe(401);
    });

    test.each(['free', 'starter', 'agency'])('POST /admin/accounts makes an account on the %s plan', async (plan) => {
      const answer = await client().admin('POST', '/admin/accounts', { name: 'Ünïcode & Sons', plan });
      expect(answer.status).toBe(201);
      expect(answer.json).toEqual({ id: expect.stringMatching(/./), name: 'Ünïcode & Sons', plan });
    });

    test.each([
      ['an unknown plan', { name: 'x', plan: 'gold' }],
      ['no plan', { name: 'x' }],
      ['no name', { plan: 'free' }],
      ['an empty name', { name: '', plan: 'free' }],
      ['a name that is no text', { name: 5, plan: 'free' }],
      ['a list', []],
    ])('POST /admin/accounts with %s: 400', async (_, body) => {
      expect(await client().admin('POST', '/admin/accounts', body)).toMatchObject({
        status: 400,
        json: { error: 'invalid_request' },
      });
    });

    test('a body that is no JSON: 400', async () => {
      const answer = await client().call('/admin/accounts', {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: '{"name":',
      });
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    });

    test('GET /admin/accounts lists the account', async () => {
      const answer = await client().admin('GET', `/admin/accounts?search=${account.id}`);
      expect(answer.status).toBe(200);
      expect(answer.json.accounts).toMatchObject([{ id: account.id }]);
      expect(answer.text).not.toContain(account.key);
    });

    test('GET /admin/accounts/{id} shows usage and keys, never secrets', async () => {
      const answer = await client().admin('GET', `/admin/accounts/${account.id}`);
      expect(answer.json).toMatchObject({ id: account.id, plan: 'starter', suspended: false });
      expect(answer.json.usage.compressions).toEqual({ used: 0, limit: 2000, remaining: 2000 });
      expect(answer.json.keys).toMatchObject([{ id: account.keyId, label: 'conformance', kind: 'app' }]);
      expect(account.key.startsWith(answer.json.keys[0].prefix)).toBe(true);
      expect(answer.json.keys[0].prefix.length).toBeLessThan(account.key.length / 2);
      expect(answer.text).not.toContain(account.key);
      expect(answer.text).not.toMatch(/[0-9a-f]{64}/);
    });

    test('a key looks as documented and is told apart from all others', async () => {
      const issue = () => client().admin('POST', `/admin/accounts/${account.id}/keys`, { label: 'l', kind: 'api' });
      const [one, other] = [await issue(), await issue()];
      expect(one.status).toBe(201);
      expect(one.json).toMatchObject({ id: expect.any(String), prefix: expect.any(String), kind: 'api', label: 'l' });
      expect(one.json.key).toMatch(/^plume_[\w-]{49}$/);
      expect(one.json.key).not.toBe(other.json.key);
    });

    test.each([
      ['an unknown kind', { label: 'x', kind: 'root' }],
      ['no kind', { label: 'x' }],
      ['an expiry that is no date', { label: 'x', kind: 'api', expiresAt: 'tomorrow' }],
      ['an expiry in the past', { label: 'x', kind: 'api', expiresAt: '2001-01-01T00:00:00Z' }],
    ])('a key with %s: 400', async (_, body) => {
      const answer = await client().admin('POST', `/admin/accounts/${account.id}/keys`, body);
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    });

    test('an expiring key works until then', async () => {
      const body = {
        label: 'x',
        kind: 'app',
        expiresAt: `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`,
      };
      const issued = await client().admin('POST', `/admin/accounts/${account.id}/keys`, body);
      expect(new Date(issued.json.expiresAt)).toEqual(new Date(body.expiresAt));
      expect((await client().usage(issued.json.key)).status).toBe(200);
    });

    test('unknown accounts and keys are 404', async () => {
      const calls: [string, string, unknown?][] = [
        ['GET', '/admin/accounts/nobody'],
        ['PATCH', '/admin/accounts/nobody', { plan: 'free' }],
        ['POST', '/admin/accounts/nobody/keys', { label: 'x', kind: 'api' }],
        ['POST', '/admin/accounts/nobody/top-ups', { aiCredits: 5, reference: 'x' }],
        ['DELETE', '/admin/keys/nothing'],
      ];
      for (const [method, path, body] of calls) {
        expect(await client().admin(method, path, body)).toMatchObject({ status: 404, json: { error: 'not_found' } });
      }
    });

    test('PATCH changes the name and the plan and shows in the account', async () => {
      const { id } = await client().account('free');
      expect((await client().admin('PATCH', `/admin/accounts/${id}`, { name: 'New', plan: 'agency' })).status).toBe(
        200,
      );
      expect((await client().admin('GET', `/admin/accounts/${id}`)).json).toMatchObject({
        name: 'New',
        plan: 'agency',
      });
      expect((await client().admin('PATCH', `/admin/accounts/${id}`, { plan: 'gold' })).status).toBe(400);
    });

    test('a top-up adds credits, the same reference twice adds once', async () => {
      const { id, key } = await client().account('starter');
      const topUp = (reference: string, aiCredits: number) =>
        client().admin('POST', `/admin/accounts/${id}/top-ups`, { aiCredits, reference });
      expect((await topUp('invoice 1', 50)).status).toBeLessThan(300);
      expect((await topUp('invoice 1', 50)).status).toBeLessThan(300);
      expect((await topUp('invoice 2', 7)).status).toBeLessThan(300);
      expect((await client().usage(key)).json.aiCredits).toEqual({ used: 0, limit: 200, topUp: 57, remaining: 257 });
    });

    test.each([-5, 0, 1.5, 'many', null])('a top-up of %j credits: 400', async (aiCredits) => {
      const answer = await client().admin('POST', `/admin/accounts/${account.id}/top-ups`, {
        aiCredits,
        reference: 'r',
      });
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    });

    test('top-ups on the free plan do not open AI', async () => {
      const { id, key } = await client().account('free');
      await client().admin('POST', `/admin/accounts/${id}/top-ups`, { aiCredits: 5, reference: 'r' });
      const parts = [{ name: 'autoAltText', value: 'true' }, file(await plain(8, 8, red).png().toBuffer())];
      expect((await client().compress(key, parts)).json.error).toBe('ia_not_available');
    });
  });
}
