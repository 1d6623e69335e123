import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { signDownload } from '../../../src/delivery/signed-url.ts';
import { type Client, fields, file, type ResultItem } from '../support/client.ts';
import { scene } from '../support/pictures.ts';
import { previousSigningKey, signingKey } from '../support/server.ts';

const mediaTypes: [format: string, type: string][] = [
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
];

export function downloads(client: () => Client): void {
  describe('downloads', () => {
    let key: string;
    let sent: Buffer;
    let item: ResultItem;
    let bytes: Uint8Array;
    const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(item.downloadUrl, { headers, method });

    beforeAll(async () => {
      key = (await client().account('agency', 'api')).key;
      sent = await scene(320, 240).png().toBuffer();
      const answer = await client().compress(key, [file(sent, 'Über größe "x".png')]);
      item = answer.data[0]!;
      bytes = await client().download(item.downloadUrl);
    });

    test('the link is absolute, at /d/<key>/<newName>, with expiry, the id of its key and a signature', () => {
      const url = new URL(item.downloadUrl);
      expect(url.origin).toBe(client().server.url);
      const [, d, opaque, name, ...rest] = url.pathname.split('/');
      expect([d, rest]).toEqual(['d', []]);
      expect(opaque).toMatch(/^[\w.~%-]{16,}$/);
      expect(decodeURIComponent(name!)).toBe(item.newName);
      expect([...url.searchParams.keys()].sort()).toEqual(['expires', 'kid', 'signature']);
    });

    test('it expires after DOWNLOAD_TTL_SECONDS', () => {
      const left = Number(new URL(item.downloadUrl).searchParams.get('expires')) - Date.now() / 1000;
      expect(left).toBeGreaterThan(3600 - 120);
      expect(left).toBeLessThanOrEqual(3601);
    });

    test('it carries no account and needs no key', async () => {
      const response = await get();
      expect(response.status).toBe(200);
      expect(response.headers.has('x-compressions-used')).toBe(false);
      await response.arrayBuffer();
    });

    test.each(mediaTypes)('%s is served as %s with length, ETag, nosniff and a name', async (format, type) => {
      const answer = await client().compress(key, [...fields({ format }), file(sent, 'naïve.png')]);
      const response = await fetch(answer.data[0]!.downloadUrl);
      const body = new Uint8Array(await response.arrayBuffer());
      expect(response.headers.get('content-type')).toBe(type);
      expect(Number(response.headers.get('content-length'))).toBe(body.length);
      expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-disposition')).toContain(`filename*=UTF-8''na%C3%AFve.${format}`);
      expect(response.headers.get('accept-ranges')).toBe('bytes');
    });

    test('HEAD answers as GET would, without a body', async () => {
      const response = await get({}, 'HEAD');
      expect(response.status).toBe(200);
      expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
      expect(response.headers.get('etag')).toBe((await get()).headers.get('etag'));
      expect((await response.arrayBuffer()).byteLength).toBe(0);
    });

    test.each([
      ['bytes=0-9', 0, 10],
      ['bytes=10-19', 10, 20],
      ['bytes=10-', 10, undefined],
      ['bytes=-5', -5, undefined],
      ['bytes=0-99999999', 0, undefined],
    ])('Range: %s is 206 with those bytes', async (range, start, end) => {
      const response = await get({ range });
      const part = bytes.slice(start, end);
      expect(response.status).toBe(206);
      const from = start < 0 ? bytes.length + start : start;
      expect(response.headers.get('content-range')).toBe(`bytes ${from}-${from + part.length - 1}/${bytes.length}`);
      expect(Number(response.headers.get('content-length'))).toBe(part.length);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(part);
    });

    test('a range past the end is 416 with the length', async () => {
      const response = await get({ range: `bytes=${bytes.length}-` });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    });

    test('an unknown range unit is ignored', async () => {
      expect((await get({ range: 'pages=1-2' })).status).toBe(200);
    });

    test('If-None-Match with the ETag is 304 without a body; with another it is 200', async () => {
      const etag = (await get()).headers.get('etag')!;
      const same = await get({ 'if-none-match': etag });
      expect(same.status).toBe(304);
      expect((await same.arrayBuffer()).byteLength).toBe(0);
      expect((await get({ 'if-none-match': '"another"' })).status).toBe(200);
      expect((await get({ 'if-none-match': `"another", ${etag}` })).status).toBe(304);
    });

    test.each([
      [
        'a changed signature',
        (url: URL) => url.searchParams.set('signature', `A${url.searchParams.get('signature')!.slice(1, -1)}Q`),
      ],
      ['another id of the key', (url: URL) => url.searchParams.set('kid', '000000')],
      ['no id of the key', (url: URL) => url.searchParams.delete('kid')],
      ['no signature', (url: URL) => url.searchParams.delete('signature')],
      [
        'a later expiry',
        (url: URL) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 60)),
      ],
      ['no expiry', (url: URL) => url.searchParams.delete('expires')],
      ['an expiry that is no number', (url: URL) => url.searchParams.set('expires', 'never')],
      ['another key', (url: URL) => (url.pathname = url.pathname.replace(/^(\/d\/.)./, '$1_'))],
    ])('%s is 403', async (_, change) => {
      const url = new URL(item.downloadUrl);
      change(url);
      const answer = await client().call(url.href);
      expect(answer.status).toBe(403);
      expect(answer.json).toEqual({ error: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) });
    });

    const signed = (
      secret: string,
      expires: number,
      opaque = decodeURIComponent(new URL(item.downloadUrl).pathname.split('/')[2]!),
    ) => signDownload({ baseUrl: client().server.url, key: opaque, fileName: 'x.webp', expires, secret });
    const later = () => Math.floor(Date.now() / 1000) + 600;

    test('an expired link is 410', async () => {
      const answer = await client().call(await signed(signingKey, Math.floor(Date.now() / 1000) - 1));
      expect(answer).toMatchObject({ status: 410, json: { error: expect.stringMatching(/^[a-z_]+$/) } });
    });

    test('an expired link with a bad signature is 403', async () => {
      expect((await client().call(await signed('unknown', 1))).status).toBe(403);
    });

    test('an object that is gone is 404', async () => {
      const { pathname } = new URL(item.downloadUrl);
      const opaque = decodeURIComponent(pathname.split('/')[2]!);
      const other = `${opaque.slice(0, -2)}${opaque.endsWith('00') ? '11' : '00'}`;
      expect(await client().call(await signed(signingKey, later(), other))).toMatchObject({
        status: 404,
        json: { error: 'not_found' },
      });
    });

    test('the previous signing secret is accepted, any other is not', async () => {
      expect((await fetch(await signed(previousSigningKey, later()))).status).toBe(200);
      expect((await client().call(await signed('some other secret', later()))).status).toBe(403);
    });

    test('the file name in the link does not matter', async () => {
      const url = new URL(item.downloadUrl);
      url.pathname = url.pathname.replace(/[^/]+$/, 'renamed.webp');
      expect((await fetch(url)).status).toBe(200);
    });

    test('POST to a link is 405', async () => {
      const response = await get({}, 'POST');
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toContain('GET');
    });

    test('a result over 5 MB arrives whole', async () => {
      const noise = await sharp({
        create: {
          width: 1600,
          height: 1300,
          channels: 3,
          background: '#888',
          noise: { type: 'gaussian', mean: 128, sigma: 60 },
        },
      })
        .png()
        .toBuffer();
      const large = await client().picture(key, noise, { format: 'png' });
      expect(large.item.optimizedSize).toBeGreaterThan(5 * 1024 * 1024);
      expect(large.bytes.length).toBe(large.item.optimizedSize);
    });
  });
}
