import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { sweepExpired } from '../../../src/delivery/sweep.ts';
import { createServices, type Env } from '../../../src/services.ts';
import { apiClient, newAccount } from '../../support/api-client.ts';
import { signedIn } from '../../support/browser-client.ts';
import { smallPng } from '../../support/small-png.ts';
import { readZip } from '../../support/zip-file.ts';

const { send } = apiClient();
const services = createServices(env as Env);
const app = createApp({ ...services, log: () => {} });

type Account = Awaited<ReturnType<typeof newAccount>>;
interface Item {
  readonly newName: string;
  readonly optimizedSize: number;
  readonly downloadUrl: string;
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

async function results(key: string, ...names: readonly string[]): Promise<Item[]> {
  const form = new FormData();
  for (const [place, name] of names.entries()) form.append('file', new File([smallPng(30, 20, place)], name), name);
  return (await send('POST', '/api/compress', { body: form, headers: bearer(key) })).body.data;
}

const zip = (key: string, body: unknown) => apiClient().sendJson('POST', '/api/zips', key, body);
const urlsOf = (items: readonly Item[]) => items.map(({ downloadUrl }) => downloadUrl);

/** A download as bytes: `send` reads text. */
async function fetchBytes(url: string, init: RequestInit = {}): Promise<{ response: Response; bytes: Uint8Array }> {
  const response = await app.fetch(new Request(url, init), env);
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

let account: Account;
let items: Item[];
beforeAll(async () => {
  account = await newAccount('agency');
  items = [...(await results(account.apiKey, 'a.png', 'été.png')), ...(await results(account.apiKey, 'a.png'))];
});

describe('POST /api/zips', () => {
  test('gives an address under which all results are one file, byte for byte what they are', async () => {
    const { status, body } = await zip(account.apiKey, { urls: urlsOf(items), name: 'Summer / 2026' });
    expect(status).toBe(201);
    expect(body.downloadUrl).toMatch(
      /^https:\/\/plume\.test\/z\/[\w.-]+\/2026\.zip\?expires=\d+&kid=[0-9a-f]{6}&signature=/,
    );
    const { response, bytes } = await fetchBytes(body.downloadUrl);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'none',
      'content-disposition': `attachment; filename="2026.zip"; filename*=UTF-8''2026.zip`,
      'content-length': String(body.size),
      'content-type': 'application/zip',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      'x-content-type-options': 'nosniff',
    });
    expect(bytes.length).toBe(body.size);
    const files = readZip(bytes);
    expect([...files.keys()]).toEqual(['a.webp', 'été.webp', 'a-2.webp']);
    for (const [place, content] of [...files.values()].entries()) {
      expect(content).toEqual((await fetchBytes(items[place]!.downloadUrl)).bytes);
    }
    const seconds = (Date.parse(body.expiresAt) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(3500);
    expect(seconds).toBeLessThanOrEqual(3600);
  });

  test('has a result once that is given twice, and a name of its own without one', async () => {
    const { body } = await zip(account.apiKey, { urls: [items[0]!.downloadUrl, items[0]!.downloadUrl] });
    expect(new URL(body.downloadUrl).pathname).toMatch(/\/images\.zip$/);
    expect([...readZip((await fetchBytes(body.downloadUrl)).bytes).keys()]).toEqual(['a.webp']);
  });

  test('takes names from addresses that were changed, and lets none of them out of its folder', async () => {
    const evil = items[0]!.downloadUrl.replace('/a.webp?', `/${encodeURIComponent('../../etc/passwd\u202e')}?`);
    const { body } = await zip(account.apiKey, { urls: [evil] });
    expect([...readZip((await fetchBytes(body.downloadUrl)).bytes).keys()]).toEqual(['passwd.webp']);
  });

  test('works for a signed-in browser', async () => {
    const { account: own, browser } = await signedIn();
    const urls = urlsOf(await results(own.appKey, 'b.png'));
    expect((await browser.send('POST', '/api/zips', { urls })).status).toBe(201);
  });

  test('is for the account’s own results only, however genuine an address is', async () => {
    const other = await newAccount('agency');
    const { status, body } = await zip(other.apiKey, { urls: urlsOf(items) });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.message).toContain('urls[0] is not a result of this account');
  });

  test('names the address that does not count', async () => {
    const [first] = urlsOf(items) as [string];
    const changed = {
      'another signature': first.replace(/signature=.{4}/, 'signature=AAAA'),
      'another expiry': first.replace(/expires=\d+/, 'expires=9999999999'),
      'no signature': first.replace(/&signature=.*/, ''),
      'another path': first.replace('/d/', '/z/'),
      'no address': 'a.webp',
      'an address elsewhere': 'https://evil.test/',
      'a broken escape': first.replace('/a.webp', '/%ff'),
    };
    for (const [how, url] of Object.entries(changed)) {
      const { status, body } = await zip(account.apiKey, { urls: [first, url] });
      expect([status, body.error], how).toEqual([400, 'invalid_request']);
      expect(body.message).toContain('urls[1]');
    }
  });

  test('refuses results that have expired or are gone', async () => {
    const late = createApp({ ...services, log: () => {}, now: () => Date.now() + 3_700_000 });
    const client = apiClient(async (request) => await late.fetch(request, env));
    const expired = await client.sendJson('POST', '/api/zips', account.apiKey, { urls: urlsOf(items) });
    expect([expired.status, expired.body.message]).toEqual([400, expect.stringContaining('urls[0] has expired')]);
    const [gone] = await results(account.apiKey, 'gone.png');
    const key = decodeURIComponent(new URL(gone!.downloadUrl).pathname.split('/')[2]!);
    await env.BUCKET.delete(`results/${key}`);
    const { status, body } = await zip(account.apiKey, { urls: [gone!.downloadUrl] });
    expect([status, body.message]).toEqual([400, expect.stringContaining('no longer stored')]);
  });

  test.each([
    ['no addresses', { urls: [] }],
    ['none', {}],
    ['a text', { urls: 'x' }],
    ['numbers', { urls: [1] }],
    ['a name that is too long', { urls: ['x'], name: 'n'.repeat(201) }],
    ['too many', { urls: Array(1001).fill('x') }],
    ['more', { urls: ['x'], password: 'x' }],
  ])('refuses %s', async (_, body) => {
    expect((await zip(account.apiKey, body)).status).toBe(400);
  });

  test('refuses a body that is far too large', async () => {
    const { status, body } = await zip(account.apiKey, { urls: Array(1000).fill('x'.repeat(3999)) });
    expect([status, body.error]).toEqual([413, 'payload_too_large']);
  });
});

describe('GET /z/…', () => {
  const made = async () => (await zip(account.apiKey, { urls: urlsOf(items) })).body.downloadUrl as string;

  test('gives the same bytes each time, and nothing where the client has them', async () => {
    const url = await made();
    const [first, second] = [await fetchBytes(url), await fetchBytes(url)];
    expect(second.bytes).toEqual(first.bytes);
    const etag = first.response.headers.get('ETag')!;
    const cached = await fetchBytes(url, { headers: { 'If-None-Match': etag } });
    expect([cached.response.status, cached.bytes.length, cached.response.headers.get('ETag')]).toEqual([304, 0, etag]);
    expect((await fetchBytes(url, { headers: { 'If-Match': '"other"' } })).response.status).toBe(412);
  });

  test('ignores ranges, and says so', async () => {
    const url = await made();
    const { response, bytes } = await fetchBytes(url, { headers: { Range: 'bytes=10-19' } });
    expect([response.status, response.headers.get('Accept-Ranges')]).toEqual([200, 'none']);
    expect(bytes.length).toBe(Number(response.headers.get('Content-Length')));
  });

  test('tells a HEAD how large it is', async () => {
    const url = await made();
    const { response, bytes } = await fetchBytes(url, { method: 'HEAD' });
    expect([response.status, bytes.length]).toEqual([200, 0]);
    expect(Number(response.headers.get('Content-Length'))).toBe((await fetchBytes(url)).bytes.length);
  });

  test('needs the signature of a ZIP: that of a result opens none, and the other way round', async () => {
    const url = await made();
    expect((await fetchBytes(url.replace(/signature=.{4}/, 'signature=AAAA'))).response.status).toBe(403);
    expect((await fetchBytes(url.replace('/z/', '/d/'))).response.status).toBe(403);
    expect((await fetchBytes(items[0]!.downloadUrl.replace('/d/', '/z/'))).response.status).toBe(403);
    const nested = url.replace('/z/', '/d/z%2F');
    expect((await fetchBytes(nested)).response.status).toBe(404);
  });

  test('ends with its address, and is swept', async () => {
    const url = await made();
    const later = Date.now() + 3_700_000;
    const late = createApp({ ...services, log: () => {}, now: () => later });
    expect((await late.fetch(new Request(url), env)).status).toBe(410);
    const key = decodeURIComponent(new URL(url).pathname.split('/')[2]!);
    expect(await env.BUCKET.head(`zips/${key}`)).not.toBeNull();
    expect(await sweepExpired(env.BUCKET, 'zips/', later)).toBeGreaterThan(0);
    expect(await env.BUCKET.head(`zips/${key}`)).toBeNull();
    expect((await fetchBytes(url)).response.status).toBe(404);
  });

  test('breaks off where a result is gone, so that nobody takes a part for the whole', async () => {
    const own = await results(account.apiKey, 'one.png', 'two.png');
    const { body } = await zip(account.apiKey, { urls: urlsOf(own) });
    const key = decodeURIComponent(new URL(own[1]!.downloadUrl).pathname.split('/')[2]!);
    await env.BUCKET.delete(`results/${key}`);
    const response = await app.fetch(new Request(body.downloadUrl), env);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});
