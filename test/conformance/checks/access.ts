import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, fields, file, watermark } from '../support/client.ts';
import { plain, red } from '../support/pictures.ts';

export function access(client: () => Client): void {
  describe('keys, plans and the order of the checks', () => {
    let small: Buffer;
    let agency: { id: string; key: string; keyId: string };
    let free: { id: string; key: string; keyId: string };
    const tooMany = () => Array.from({ length: 21 }, () => file(small));

    beforeAll(async () => {
      small = await plain(8, 8, red).png().toBuffer();
      agency = await client().account('agency', 'api');
      free = await client().account('free');
    });

    test.each([
      ['no header', undefined],
      ['an unknown key', 'Bearer plume_unknown'],
      ['another scheme', 'Basic cGs6cGs='],
      ['no key after the scheme', 'Bearer '],
      ['a key of the wrong shape', 'Bearer x'],
    ])('%s: 401 Unauthorized with WWW-Authenticate', async (_, authorization) => {
      for (const [path, method] of [
        ['/api/usage', 'GET'],
        ['/api/compress', 'POST'],
      ]) {
        const answer = await client().call(path!, { method: method!, headers: authorization ? { authorization } : {} });
        expect(answer).toMatchObject({ status: 401, json: { error: 'Unauthorized' } });
        expect(answer.json.message).toEqual(expect.any(String));
        expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      }
    });

    test('the scheme is read in any case', async () => {
      const answer = await client().call('/api/usage', { headers: { authorization: `bearer ${agency.key}` } });
      expect(answer.status).toBe(200);
    });

    test.each(['free', 'starter'])('an API key on the %s plan: 403 api_not_available', async (plan) => {
      const { key } = await client().account(plan, 'api');
      expect(await client().usage(key)).toMatchObject({ status: 403, json: { error: 'api_not_available' } });
      const answer = await client().compress(key, [file(small)]);
      expect(answer).toMatchObject({ status: 403, json: { error: 'api_not_available' } });
    });

    test.each(['free', 'starter', 'agency'])('a key of a first-party front end works on the %s plan', async (plan) => {
      const { key } = await client().account(plan, 'app');
      expect((await client().compress(key, [file(small)])).data).toHaveLength(1);
    });

    test('a wrong key is answered before a wrong form', async () => {
      expect((await client().compress('plume_wrong', tooMany())).status).toBe(401);
    });

    test('API access is answered before a wrong form', async () => {
      const { key } = await client().account('starter', 'api');
      const answer = await client().compress(key, tooMany());
      expect(answer.json.error).toBe('api_not_available');
    });

    test('a wrong form is answered before plan features', async () => {
      const answer = await client().compress(free.key, [
        watermark(small),
        ...fields({ autoAltText: 'true' }),
        ...tooMany(),
      ]);
      expect(answer.json.error).toBe('Maximum 20 images allowed per batch');
      const field = await client().compress(free.key, [watermark(small), ...fields({ quality: 1 }), file(small)]);
      expect(field.json.error).toBe('invalid_request');
    });

    test('a watermark on the free plan: 403 watermark_not_available', async () => {
      const answer = await client().compress(free.key, [watermark(small), file(small)]);
      expect(answer).toMatchObject({ status: 403, json: { error: 'watermark_not_available' } });
      expect(answer.json.message).toEqual(expect.any(String));
    });

    test.each(['autoAltText', 'autoRenameSEO'])('%s on the free plan: 403 ia_not_available', async (name) => {
      const answer = await client().compress(free.key, [...fields({ [name]: 'true' }), file(small)]);
      expect(answer).toMatchObject({ status: 403, json: { error: 'ia_not_available' } });
      expect(Object.keys(answer.json).sort()).toEqual(['error', 'message']);
    });

    test('AI options that are off need no plan', async () => {
      const parts = [...fields({ autoAltText: 'false', autoRenameSEO: 'false', language: 'Deutsch' }), file(small)];
      expect((await client().compress(free.key, parts)).status).toBe(200);
    });

    test('watermark options without a watermark need no plan', async () => {
      const parts = [...fields({ watermarkScale: 30, watermarkOpacity: 50, watermarkPosition: 'TL' }), file(small)];
      expect((await client().compress(free.key, parts)).status).toBe(200);
    });

    test('starter and agency may use watermarks', async () => {
      const { key } = await client().account('starter');
      for (const paid of [key, agency.key]) {
        expect((await client().compress(paid, [watermark(small), file(small)])).data).toHaveLength(1);
      }
    });

    test('the monthly limit: 403 plan_limit_reached with used, limit and reset date; nothing is processed', async () => {
      const { key } = await client().account('free');
      const batch = (count: number) =>
        client().compress(
          key,
          Array.from({ length: count }, () => file(small)),
        );
      for (let round = 0; round < 5; round++) expect((await batch(round === 4 ? 19 : 20)).status).toBe(200);
      const answer = await batch(2);
      expect(answer).toMatchObject({ status: 403, json: { error: 'plan_limit_reached' } });
      const { period } = (await client().usage(key)).json;
      for (const named of ['99', '100', period.end.slice(0, 10)]) expect(answer.json.message).toContain(named);
      expect((await batch(1)).status).toBe(200);
      expect((await batch(1)).status).toBe(403);
      expect((await client().usage(key)).json.compressions).toEqual({ used: 100, limit: 100, remaining: 0 });
    });

    test('a revoked key: 401 at once', async () => {
      const account = await client().account('agency', 'api');
      expect((await client().usage(account.key)).status).toBe(200);
      expect((await client().admin('DELETE', `/admin/keys/${account.keyId}`)).status).toBeLessThan(300);
      expect((await client().usage(account.key)).status).toBe(401);
    });

    test('a suspended account is refused at once and served again when it is no longer suspended', async () => {
      const account = await client().account('agency', 'api');
      expect((await client().usage(account.key)).status).toBe(200);
      await client().admin('PATCH', `/admin/accounts/${account.id}`, { suspended: true });
      expect((await client().usage(account.key)).status).toBe(403);
      await client().admin('PATCH', `/admin/accounts/${account.id}`, { suspended: false });
      expect((await client().usage(account.key)).status).toBe(200);
    });

    test('a changed plan counts at once', async () => {
      const account = await client().account('free');
      expect((await client().compress(account.key, [watermark(small), file(small)])).status).toBe(403);
      await client().admin('PATCH', `/admin/accounts/${account.id}`, { plan: 'starter' });
      expect((await client().compress(account.key, [watermark(small), file(small)])).status).toBe(200);
      expect((await client().usage(account.key)).json).toMatchObject({
        plan: 'starter',
        compressions: { limit: 2000 },
      });
    });
  });
}
