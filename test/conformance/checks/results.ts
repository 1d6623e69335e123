import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, fields, file } from '../support/client.ts';
import { plain, red, scene } from '../support/pictures.ts';

/** Sent name → name of the result. */
const names: [sent: string, result: string][] = [
  ['photo.jpeg', 'photo.webp'],
  ['photo', 'photo.webp'],
  ['archive.tar.png', 'archive.tar.webp'],
  ['dir/sub/photo.png', 'photo.webp'],
  ['C:\\pictures\\photo.png', 'photo.webp'],
  ['../../etc/passwd.png', 'passwd.webp'],
  ['UPPER Case.PNG', 'UPPER Case.webp'],
  ['日本語のファイル.png', '日本語のファイル.webp'],
  ['tab\tname.png', 'tabname.webp'],
];

export function results(client: () => Client): void {
  describe('results', () => {
    let key: string;
    let small: Buffer;
    const broken = Buffer.from('this is no image at all, whatever its name says');

    beforeAll(async () => {
      key = (await client().account('agency', 'api')).key;
      small = await scene(64, 48).png().toBuffer();
    });

    test('the body has the one property data, and an item has exactly its five properties', async () => {
      const answer = await client().compress(key, [file(small, 'a.png')]);
      expect(Object.keys(answer.json)).toEqual(['data']);
      expect(Object.keys(answer.data[0]!).sort()).toEqual(
        ['downloadUrl', 'newName', 'optimizedSize', 'originalName', 'originalSize'].sort(),
      );
      expect(answer.headers.get('content-type')).toContain('application/json');
    });

    test('originalSize and optimizedSize are the bytes sent and the bytes delivered', async () => {
      const { item, bytes } = await client().picture(key, small);
      expect(item.originalSize).toBe(small.length);
      expect(item.optimizedSize).toBe(bytes.length);
    });

    test('items come in the order sent', async () => {
      const large = await scene(900, 700).png().toBuffer();
      const sent = ['z.png', 'a.png', 'm.png', 'b.png'];
      const answer = await client().compress(
        key,
        sent.map((name, index) => file(index === 0 ? large : small, name)),
      );
      expect(answer.data.map((item) => item.originalName)).toEqual(sent);
    });

    test.each(names)('a file named %j gets the name %j', async (sent, result) => {
      const answer = await client().compress(key, [file(small, sent)]);
      expect(answer.data[0]).toMatchObject({ originalName: sent, newName: result });
    });

    test('a name of path parts alone, or with a slash at its end, still gives a usable name', async () => {
      const answer = await client().compress(key, [file(small, '..'), file(small, 'folder/')]);
      expect(answer.data).toHaveLength(2);
      for (const { newName } of answer.data) expect(newName).toMatch(/^[^/\\]+\.webp$/);
    });

    test('names taken twice get numbers', async () => {
      const answer = await client().compress(
        key,
        ['a.png', 'a.jpg', 'b/a.gif'].map((name) => file(small, name)),
      );
      expect(answer.data.map((item) => item.newName)).toEqual(['a.webp', 'a-2.webp', 'a-3.webp']);
    });

    test('a number that is already taken by another file is not given twice', async () => {
      const answer = await client().compress(
        key,
        ['a.png', 'a-2.png', 'a.jpg'].map((name) => file(small, name)),
      );
      const newNames = answer.data.map((item) => item.newName);
      expect(new Set(newNames).size).toBe(3);
      expect(newNames.slice(0, 2)).toEqual(['a.webp', 'a-2.webp']);
    });

    test.each([['webp'], ['avif'], ['jpg'], ['png']])('the new extension is the format: %s', async (format) => {
      const answer = await client().compress(key, [...fields({ format }), file(small, 'a.png')]);
      expect(answer.data[0]?.newName).toBe(`a.${format}`);
    });

    test('no X-Failed-Files when nothing failed', async () => {
      const answer = await client().compress(key, [file(small)]);
      expect(answer.headers.has('x-failed-files')).toBe(false);
    });

    test('a failed file is left out of data and named in X-Failed-Files', async () => {
      const answer = await client().compress(key, [
        file(small, 'a.png'),
        file(broken, 'brökén.png'),
        file(small, 'c.png'),
      ]);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.json)).toEqual(['data']);
      expect(answer.data.map((item) => item.originalName)).toEqual(['a.png', 'c.png']);
      expect(answer.failures).toEqual([
        { index: 1, name: 'brökén.png', error: 'unsupported_image', message: expect.stringMatching(/\w/) },
      ]);
      expect(answer.headers.get('x-failed-files')).toMatch(/^[\x21-\x7e]+$/);
    });

    test('include=errors returns the failures in the body as well', async () => {
      const answer = await client().compress(key, [file(broken, 'x.png'), file(small)], { query: '?include=errors' });
      expect(answer.json.errors).toEqual(answer.failures);
      expect(answer.json.errors).toHaveLength(1);
    });

    test('all files failed: 200 with empty data', async () => {
      const answer = await client().compress(key, [file(broken, 'x.png'), file(broken, 'y.png')]);
      expect(answer).toMatchObject({ status: 200, json: { data: [] } });
      expect(answer.failures.map(({ index }) => index)).toEqual([0, 1]);
    });

    test('a file after a failed one of the same name gets a usable name', async () => {
      const answer = await client().compress(key, [file(broken, 'a.png'), file(small, 'a.png')]);
      expect(answer.data).toMatchObject([{ originalName: 'a.png', newName: expect.stringMatching(/^a(-2)?\.webp$/) }]);
    });

    test('20 failures with long names fit in the header', async () => {
      const parts = Array.from({ length: 20 }, (_, n) => file(broken, `${n}-${'ü'.repeat(150)}.png`));
      const answer = await client().compress(key, parts);
      expect(answer.status).toBe(200);
      expect(answer.failures).toHaveLength(20);
    });

    test('AI options on a plan with AI answer 200; without an AI result there is no altText and no credit used', async () => {
      const account = await client().account('starter');
      const answer = await client().compress(account.key, [
        ...fields({ autoAltText: 'true' }),
        file(await plain(9, 9, red).png().toBuffer()),
      ]);
      expect(answer.status).toBe(200);
      const withText = answer.data.filter((item) => item.altText !== undefined).length;
      expect((await client().usage(account.key)).json.aiCredits.used).toBe(withText);
    });
  });
}
