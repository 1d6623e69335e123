import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { beforeAll, describe, expect, test } from 'vitest';
import { ResultStore } from '../../../src/delivery/result-store.ts';
import { signDownload } from '../../../src/delivery/signed-url.ts';
import { handleError } from '../../../src/http/handle-error.ts';
import type { HttpEnv } from '../../../src/http/http-env.ts';
import { downloadRoutes } from '../../../src/http/routes/download.ts';

const results = new ResultStore(env.BUCKET);
const NOW = 1_800_000_000_000;
const EXPIRES = NOW / 1000 + 600;
const CONTENT = new Uint8Array(1000).map((_, i) => i % 253);
const key = 'download.test';
let etag = '';
let modified = '';

const app = new Hono<HttpEnv>()
  .route(
    '/',
    downloadRoutes(() => ({ results, secrets: ['new', 'old'], now: NOW })),
  )
  .onError(handleError(() => {}));

async function* content(): AsyncGenerator<Uint8Array> {
  yield CONTENT;
}

async function fetchSigned(
  init: RequestInit = {},
  p: { key?: string; expires?: number; secret?: string; fileName?: string } = {},
) {
  const { pathname, search } = new URL(
    await signDownload({ baseUrl: 'http://x', key, fileName: 'naïve "a".webp', expires: EXPIRES, secret: 'new', ...p }),
  );
  return await app.request(pathname + search, init);
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

beforeAll(async () => {
  await results.write(key, content(), { mediaType: 'image/webp', expires: EXPIRES });
  const stored = (await results.head(key))!;
  etag = stored.etag;
  modified = stored.uploaded.toUTCString();
});

test('a signed address serves the picture with everything that a client needs to know', async () => {
  const response = await fetchSigned();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toEqual({
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=600',
    'content-disposition': `inline; filename="naive _a_.webp"; filename*=UTF-8''na%C3%AFve%20%22a%22.webp`,
    'content-length': '1000',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': 'image/webp',
    'cross-origin-resource-policy': 'cross-origin',
    etag,
    'last-modified': modified,
    'x-content-type-options': 'nosniff',
  });
  expect(await bytesOf(response)).toEqual(CONTENT);
});

test.each([
  ['夏の海.webp', '%E5%A4%8F%E3%81%AE%E6%B5%B7.webp'],
  ['नीला-आसमान.webp', '%E0%A4%A8%E0%A5%80%E0%A4%B2%E0%A4%BE-%E0%A4%86%E0%A4%B8%E0%A4%AE%E0%A4%BE%E0%A4%A8.webp'],
  ['100% sûr?.webp', '100%25%20s%C3%BBr%3F.webp'],
  // A name is not signed: whatever is written in its place, it ends as the picture's type says and holds no path.
  ['setup.exe', 'setup.webp'],
  ['../../a\u202egnp.exe', 'agnp.webp'],
])('the name %s of the address is given in filename*', async (fileName, encoded) => {
  const response = await fetchSigned({}, { fileName });
  expect(response.headers.get('Content-Disposition')).toMatch(new RegExp(`filename\\*=UTF-8''${encoded}$`));
  await response.body?.cancel();
});

test('a name that is no valid percent-encoding is served all the same', async () => {
  const { pathname, search } = new URL(
    await signDownload({ baseUrl: 'http://x', key, fileName: 'NAME', expires: EXPIRES, secret: 'new' }),
  );
  const response = await app.request(pathname.replace('NAME', '%E5%A.webp') + search);
  expect([response.status, (await bytesOf(response)).length]).toEqual([200, CONTENT.length]);
});

test('HEAD answers like GET without the content', async () => {
  const [head, get] = await Promise.all([fetchSigned({ method: 'HEAD' }), fetchSigned()]);
  expect([head.status, Object.fromEntries(head.headers)]).toEqual([200, Object.fromEntries(get.headers)]);
  expect((await bytesOf(head)).length).toBe(0);
  await get.body?.cancel();
});

describe('refusals', () => {
  const codeOf = async (response: Response) => [response.status, (await response.json<{ error: string }>()).error];

  test('a wrong signature is 403, before anything else', async () => {
    expect(await codeOf(await fetchSigned({}, { secret: 'forgotten' }))).toEqual([403, 'invalid_signature']);
    expect(await codeOf(await fetchSigned({}, { secret: 'forgotten', expires: 5 }))).toEqual([
      403,
      'invalid_signature',
    ]);
    expect(await codeOf(await app.request(`/d/${key}/a.webp`))).toEqual([403, 'invalid_signature']);
  });

  test('an address signed with the previous secret is served', async () => {
    const response = await fetchSigned({}, { secret: 'old' });
    expect((await bytesOf(response)).length).toBe(1000);
  });

  test('an expired address is 410, a swept result 404', async () => {
    expect(await codeOf(await fetchSigned({}, { expires: NOW / 1000 }))).toEqual([410, 'link_expired']);
    expect(await codeOf(await fetchSigned({}, { key: 'swept' }))).toEqual([404, 'not_found']);
  });

  test('staged files cannot be reached', async () => {
    await env.BUCKET.put('staging/r/0', 'x');
    expect((await fetchSigned({}, { key: '../staging/r/0' })).status).toBe(404);
  });
});

describe('ranges', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=990-', 990, 999],
    ['bytes=-5', 995, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=500-99999', 500, 999],
    ['Bytes = 1 - 2', 1, 2],
  ])('%s is answered with 206 and just these bytes', async (range, first, last) => {
    const response = await fetchSigned({ headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/1000`);
    expect(response.headers.get('content-length')).toBe(String(last - first + 1));
    expect(await bytesOf(response)).toEqual(CONTENT.slice(first, last + 1));
  });

  test.each(['bytes=1000-', 'bytes=99999-100000', 'bytes=-0'])('%s cannot be satisfied: 416', async (range) => {
    const response = await fetchSigned({ headers: { range } });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    expect(await response.json()).toMatchObject({ error: 'range_not_satisfiable' });
  });

  test.each(['bytes=5-2', 'bytes=0-1,3-4', 'lines=0-5', 'bytes=-', 'bytes=a-b', ''])(
    '%j is ignored: the whole picture comes',
    async (range) => {
      const response = await fetchSigned({ headers: { range } });
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, 1000]);
    },
  );

  test('HEAD ignores Range', async () => {
    const response = await fetchSigned({ method: 'HEAD', headers: { range: 'bytes=0-9' } });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '1000']);
  });

  test('If-Range lets the range count only while the picture is the same', async () => {
    const status = async (ifRange: string) => {
      const response = await fetchSigned({ headers: { range: 'bytes=0-9', 'if-range': ifRange } });
      return [response.status, (await bytesOf(response)).length];
    };
    expect(await status(etag)).toEqual([206, 10]);
    expect(await status(modified)).toEqual([206, 10]);
    expect(await status('"other"')).toEqual([200, 1000]);
    expect(await status(`W/${etag}`)).toEqual([200, 1000]);
    expect(await status('Thu, 01 Jan 1970 00:00:00 GMT')).toEqual([200, 1000]);
  });
});

describe('conditions', () => {
  const PAST = 'Thu, 01 Jan 1970 00:00:00 GMT';
  const FUTURE = 'Fri, 01 Jan 2100 00:00:00 GMT';
  const tag = () => etag;
  test.each<[string, () => Record<string, string>, number]>([
    ['If-None-Match with the tag', () => ({ 'if-none-match': tag() }), 304],
    ['If-None-Match with a weak form of it', () => ({ 'if-none-match': `W/${tag()}` }), 304],
    ['If-None-Match with a list', () => ({ 'if-none-match': `"a", ${tag()}` }), 304],
    ['If-None-Match with a star', () => ({ 'if-none-match': '*' }), 304],
    ['If-None-Match with another tag', () => ({ 'if-none-match': '"a"' }), 200],
    ['If-None-Match before If-Modified-Since', () => ({ 'if-none-match': '"a"', 'if-modified-since': FUTURE }), 200],
    ['If-Modified-Since later', () => ({ 'if-modified-since': FUTURE }), 304],
    ['If-Modified-Since the same second', () => ({ 'if-modified-since': modified }), 304],
    ['If-Modified-Since earlier', () => ({ 'if-modified-since': PAST }), 200],
    ['If-Modified-Since with no date', () => ({ 'if-modified-since': 'soon' }), 200],
    ['If-Match with the tag', () => ({ 'if-match': tag() }), 200],
    ['If-Match with a star', () => ({ 'if-match': '*' }), 200],
    ['If-Match with another tag', () => ({ 'if-match': '"a"' }), 412],
    ['If-Match with a weak form', () => ({ 'if-match': `W/${tag()}` }), 412],
    ['If-Unmodified-Since earlier', () => ({ 'if-unmodified-since': PAST }), 412],
    ['If-Unmodified-Since later', () => ({ 'if-unmodified-since': FUTURE }), 200],
    ['If-Match before If-Unmodified-Since', () => ({ 'if-match': tag(), 'if-unmodified-since': PAST }), 200],
    ['a failed condition before a range', () => ({ 'if-match': '"a"', range: 'bytes=0-1' }), 412],
  ])('%s', async (_, headers, status) => {
    const response = await fetchSigned({ headers: headers() });
    expect(response.status).toBe(status);
    if (status === 412) {
      expect(await response.json()).toMatchObject({ error: 'precondition_failed' });
    } else {
      expect(response.headers.get('etag')).toBe(etag);
      expect((await bytesOf(response)).length).toBe(status === 200 ? 1000 : 0);
    }
  });
});
