import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, fields, file, watermark, withoutSignatures } from '../support/client.ts';
import { plain, red } from '../support/pictures.ts';

const allowances: [plan: string, compressions: number, aiCredits: number][] = [
  ['free', 100, 0],
  ['starter', 2000, 200],
  ['agency', 50_000, 5000],
];

export function usage(client: () => Client): void {
  describe('usage and counters', () => {
    let small: Buffer;
    const broken = Buffer.from('no image');

    beforeAll(async () => {
      small = await plain(8, 8, red).png().toBuffer();
    });

    test.each(allowances)(
      'GET /api/usage on the %s plan has exactly the documented shape',
      async (plan, compressions, aiCredits) => {
        const { key } = await client().account(plan);
        const now = new Date();
        const month = (offset: number) =>
          `${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString().slice(0, 19)}Z`;
        expect((await client().usage(key)).json).toEqual({
          plan,
          period: { start: month(0), end: month(1) },
          compressions: { used: 0, limit: compressions, remaining: compressions },
          aiCredits: { used: 0, limit: aiCredits, topUp: 0, remaining: aiCredits },
        });
      },
    );

    test('each kind of outcome charges what succeeded and nothing else', async () => {
      const { key } = await client().account('free');
      const used = async () => (await client().usage(key)).json.compressions.used;
      await client().compress(key, [file(small), file(small), file(small)]);
      expect(await used()).toBe(3);
      await client().compress(key, [file(small), file(broken)]);
      expect(await used()).toBe(4);
      await client().compress(key, [file(broken), file(broken)]);
      await client().compress(key, [...fields({ quality: 1 }), file(small)]);
      await client().compress(key, [watermark(small), file(small)]);
      await client().compress(key, [...fields({ autoAltText: 'true' }), file(small)]);
      await client().compress(
        key,
        Array.from({ length: 21 }, () => file(small)),
      );
      await client().compress(key, []);
      expect((await client().usage(key)).json.compressions).toEqual({ used: 4, limit: 100, remaining: 96 });
    });

    test('every answer to an authenticated call carries the counters', async () => {
      const { key } = await client().account('free');
      const answers = [
        await client().compress(key, [file(small), file(small)]),
        await client().usage(key),
        await client().compress(key, [...fields({ quality: 1 }), file(small)]),
        await client().compress(key, [watermark(small), file(small)]),
      ];
      for (const { status, headers } of answers) {
        expect([status, headers.get('x-compressions-used'), headers.get('x-compressions-limit')]).toEqual([
          status,
          '2',
          '100',
        ]);
        expect(headers.get('x-ai-credits-remaining')).toBe('0');
      }
    });

    test('accounts do not share counters, keys of one account do', async () => {
      const one = await client().account('agency');
      const other = await client().account('agency');
      const second = await client().admin('POST', `/admin/accounts/${one.id}/keys`, { label: 'second', kind: 'api' });
      await client().compress(one.key, [file(small)]);
      await client().compress(second.json.key, [file(small)]);
      expect((await client().usage(one.key)).json.compressions.used).toBe(2);
      expect((await client().usage(other.key)).json.compressions.used).toBe(0);
    });
  });

  describe('Idempotency-Key', () => {
    let small: Buffer;
    const idempotent = (key: string, name: string, parts = [file(small)]) =>
      client().compress(key, parts, { headers: { 'idempotency-key': name } });

    beforeAll(async () => {
      small = await plain(8, 8, red).png().toBuffer();
    });

    test('the same request again gets the first answer, its links signed anew, without new work or charge', async () => {
      const { key } = await client().account('agency');
      const first = await idempotent(key, 'again', [file(small, 'a.png'), file(Buffer.from('x'), 'b.png')]);
      const second = await idempotent(key, 'again', [file(small, 'a.png'), file(Buffer.from('x'), 'b.png')]);
      expect(second.status).toBe(200);
      expect(withoutSignatures(second)).toEqual(withoutSignatures(first));
      expect(second.failures).toEqual(first.failures);
      expect((await client().usage(key)).json.compressions.used).toBe(1);
      expect((await client().download(second.data[0]!.downloadUrl)).length).toBe(first.data[0]!.optimizedSize);
    });

    test.each([
      ['other options', () => [...fields({ quality: 50 }), file(small)]],
      ['another file name', () => [file(small, 'other.png')]],
      ['other bytes', () => [file(paddedOne(small))]],
      ['one file more', () => [file(small), file(small)]],
    ])('with %s: 422 idempotency_mismatch, nothing charged', async (_, parts) => {
      const { key } = await client().account('agency');
      await idempotent(key, 'mismatch');
      const answer = await idempotent(key, 'mismatch', parts());
      expect(answer).toMatchObject({ status: 422, json: { error: 'idempotency_mismatch' } });
      expect((await client().usage(key)).json.compressions.used).toBe(1);
    });

    test('while the first still runs: 409 idempotency_conflict, and one charge', async () => {
      const { key } = await client().account('agency');
      const files = Array.from({ length: 10 }, (_, n) => file(small, `${n}.png`));
      const answers = await Promise.all(Array.from({ length: 6 }, () => idempotent(key, 'same time', files)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
      expect(statuses).toContain(200);
      for (const { status, json } of answers) if (status === 409) expect(json.error).toBe('idempotency_conflict');
      expect((await client().usage(key)).json.compressions.used).toBe(10);
    });

    test('200 characters are accepted, 201 and none are refused', async () => {
      const { key } = await client().account('agency');
      expect((await idempotent(key, 'k'.repeat(200))).status).toBe(200);
      expect(await idempotent(key, 'k'.repeat(201))).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    });

    test('two accounts may use the same key', async () => {
      const [one, other] = [await client().account('agency'), await client().account('agency')];
      expect((await idempotent(one.key, 'shared')).status).toBe(200);
      const answer = await idempotent(other.key, 'shared', [file(small, 'different.png')]);
      expect(answer.data[0]?.originalName).toBe('different.png');
    });

    test('a refused request does not use its key up', async () => {
      const { key } = await client().account('agency');
      expect((await idempotent(key, 'retry', [...fields({ quality: 1 }), file(small)])).status).toBe(400);
      expect((await idempotent(key, 'retry')).status).toBe(200);
    });
  });
}

/** The same picture in other bytes: one byte follows its end. */
function paddedOne(picture: Uint8Array): Uint8Array {
  return Buffer.concat([picture, Buffer.from([0])]);
}
