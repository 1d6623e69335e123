import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, fields, file, withoutSignatures } from '../support/client.ts';
import { plain, red } from '../support/pictures.ts';

/** The languages of the interface, each with the script of its answers. */
const languages: readonly (readonly [name: string, script: RegExp])[] = [
  ['English', /\p{Script=Latin}/u],
  ['Español', /\p{Script=Latin}/u],
  ['Català', /\p{Script=Latin}/u],
  ['Français', /\p{Script=Latin}/u],
  ['Deutsch', /\p{Script=Latin}/u],
  ['Italiano', /\p{Script=Latin}/u],
  ['Português', /\p{Script=Latin}/u],
  ['Nederlands', /\p{Script=Latin}/u],
  ['Polski', /\p{Script=Latin}/u],
  ['Русский', /\p{Script=Cyrillic}/u],
  ['中文', /\p{Script=Han}/u],
  ['日本語', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['한국어', /\p{Script=Hangul}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hindi', /\p{Script=Devanagari}/u],
];
const seoFileName = /^[\p{L}\p{M}\p{N}\u200c\u200d]+(-[\p{L}\p{M}\p{N}\u200c\u200d]+){2,7}\.webp$/u;
const bothOptions = { autoAltText: 'true', autoRenameSEO: 'true' };

/** AI texts as they come without network: with the describer that is part of the service. */
export function ai(client: () => Client): void {
  describe('AI texts', () => {
    let small: Buffer;
    let key: string;

    beforeAll(async () => {
      small = await plain(60, 40, red).png().toBuffer();
      ({ key } = await client().account('agency', 'api'));
    });

    const describeIn = (language: string, more: Record<string, string> = {}) =>
      client().compress(key, [...fields({ ...bothOptions, language, ...more }), file(small, 'IMG_1234.png')]);

    test.each(languages)(
      'come in %s: alt text of at most 80 characters, a name of 3 to 8 words',
      async (name, script) => {
        const answer = await describeIn(name);
        const { altText = '', newName } = answer.data[0]!;
        expect(altText).toMatch(script);
        expect([...new Intl.Segmenter().segment(altText)].length).toBeLessThanOrEqual(80);
        expect(newName).toMatch(seoFileName);
        expect(newName).toMatch(script);
        expect([...newName].length).toBeLessThanOrEqual(60 + '.webp'.length);
        expect(newName).not.toContain('img');
        expect(answer.headers.get('x-ai-failed')).toBeNull();
      },
    );

    test('differ between languages and are the same each time', async () => {
      const texts = await Promise.all(languages.map(async ([name]) => (await describeIn(name)).data[0]!.altText));
      expect(new Set(texts).size).toBe(languages.length);
      expect((await describeIn('Français')).data[0]!.altText).toBe(texts[3]);
    });

    test('are French for a French caller', async () => {
      const { altText } = (await describeIn('Français')).data[0]!;
      expect(altText).toMatch(/\b(rouge|image|teintes?|tons?|format|paysage|claire?|sombre)\b/i);
    });

    test('without either option are not there', async () => {
      const answer = await client().compress(key, [...fields({ language: 'Deutsch' }), file(small, 'a.png')]);
      expect(answer.data[0]).not.toHaveProperty('altText');
      expect(answer.data[0]!.newName).toBe('a.webp');
    });

    test('name the download, whatever the script, and two alike are told apart', async () => {
      const parts = [
        ...fields({ autoRenameSEO: 'true', language: 'Hindi' }),
        file(small, 'a.png'),
        file(small, 'a.png'),
      ];
      const { data } = await client().compress(key, parts);
      const names = data.map(({ newName }) => newName);
      expect(new Set(names).size).toBe(2);
      expect(names[1]).toMatch(/-2\.webp$/);
      for (const { newName, downloadUrl } of data) {
        const response = await fetch(downloadUrl);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-disposition')).toContain(
          `filename*=UTF-8''${encodeURIComponent(newName)}`,
        );
        await response.body?.cancel();
      }
    });

    test.each([
      ['autoAltText alone', { autoAltText: 'true' }],
      ['autoRenameSEO alone', { autoRenameSEO: 'true' }],
      ['both', bothOptions],
    ])('cost one credit an image: %s', async (_, options) => {
      const account = await client().account('starter');
      const answer = await client().compress(account.key, [...fields(options), file(small), file(small)]);
      expect(answer.headers.get('x-ai-credits-remaining')).toBe('198');
      const usage = (await client().usage(account.key)).json;
      expect(usage.aiCredits).toEqual({ used: 2, limit: 200, topUp: 0, remaining: 198 });
      expect(usage.compressions.used).toBe(2);
    });

    test('are charged for no file that fails', async () => {
      const account = await client().account('starter');
      const parts = [...fields(bothOptions), file(small), file(Buffer.from('no image'))];
      const answer = await client().compress(account.key, parts);
      expect([answer.data.length, answer.failures.length, answer.headers.get('x-ai-failed')]).toEqual([1, 1, null]);
      expect((await client().usage(account.key)).json.aiCredits.used).toBe(1);
    });

    test('repeated under an Idempotency-Key are the same, at no cost', async () => {
      const account = await client().account('starter');
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const ask = () => client().compress(account.key, [...fields(bothOptions), file(small)], { headers });
      const [first, second] = [await ask(), await ask()];
      expect(withoutSignatures(second)).toEqual(withoutSignatures(first));
      expect((await client().usage(account.key)).json.aiCredits.used).toBe(1);
    });

    test('without enough credits for the batch: 403 no_credits, nothing processed; a top-up helps', async () => {
      const account = await client().account('starter');
      const batch = (count: number) =>
        client().compress(account.key, [...fields(bothOptions), ...Array.from({ length: count }, () => file(small))]);
      for (let round = 0; round < 10; round++) expect((await batch(round === 9 ? 19 : 20)).status).toBe(200);
      const refused = await batch(2);
      expect(refused).toMatchObject({ status: 403, json: { error: 'no_credits' } });
      expect(Object.keys(refused.json).sort()).toEqual(['error', 'message']);
      const { compressions, aiCredits } = (await client().usage(account.key)).json;
      expect([compressions.used, aiCredits.used, aiCredits.remaining]).toEqual([199, 199, 1]);
      expect((await client().compress(account.key, [file(small), file(small)])).status).toBe(200);
      const topUp = { aiCredits: 3, reference: 'bought' };
      await client().admin('POST', `/admin/accounts/${account.id}/top-ups`, topUp);
      expect((await batch(2)).status).toBe(200);
      expect((await client().usage(account.key)).json.aiCredits).toMatchObject({ used: 200, topUp: 2, remaining: 2 });
    });

    test('are answered in the order of the checks: form, watermark, AI, credits', async () => {
      const free = await client().account('free');
      const ask = async (options: Record<string, string | number>) =>
        (await client().compress(free.key, [...fields({ autoAltText: 'true', ...options }), file(small)])).json.error;
      expect(await ask({ language: 'Klingon' })).toBe('invalid_request');
      expect(await ask({})).toBe('ia_not_available');
      expect((await client().usage(free.key)).json.compressions.used).toBe(0);
    });
  });
}
