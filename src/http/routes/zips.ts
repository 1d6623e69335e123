import { type Context, Hono } from 'hono';
import { fileName } from '../../batch/file-name.ts';
import type { Downloads } from '../../batch/report-files.ts';
import type { ResultStore } from '../../delivery/result-store.ts';
import { signDownload, verifyDownload } from '../../delivery/signed-url.ts';
import type { ZipManifest, ZipStore } from '../../delivery/zip-store.ts';
import { RequestError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { contentDisposition } from '../content-disposition.ts';
import type { HttpEnv } from '../http-env.ts';
import { preconditions } from '../preconditions.ts';
import { wireTime } from '../present-batch.ts';
import { readJson } from '../read-json.ts';
import { newZipBody, type ZipBody } from '../zip-contract.ts';
import { zipEntries } from '../zip-entries.ts';

export interface ZipsServices {
  readonly zips: Pick<ZipStore, 'create' | 'find' | 'open'>;
  readonly results: Pick<ResultStore, 'head'>;
  /** @param origin scheme and authority to which the request was sent */
  downloads(origin: string): Downloads;
  /** The signing secret, and those before it while they still count. */
  signingKeys(): readonly string[];
  /** Unix time in milliseconds. */
  now(): number;
}

/** The name of a ZIP that was given none. */
const UNNAMED = 'images';

/** POST: one address for many results of the account. */
export function zipsRoutes(services: ZipsServices): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('/', async (c) => {
    const { urls, name = UNNAMED } = await readJson(c.req.raw, newZipBody, limits.zipRequestBytes);
    const { zips, results, signingKeys, now } = services;
    const { accountId } = c.get('caller');
    const { entries, expires: gone } = await zipEntries(urls, {
      results,
      accountId,
      secrets: signingKeys(),
      now: now(),
    });
    const downloads = services.downloads(new URL(c.req.url).origin);
    const expires = Math.min(gone, Math.floor(now() / 1000) + downloads.ttlSeconds);
    const { key, size } = await zips.create(entries, expires, now());
    const downloadUrl = await signDownload({ ...downloads, key, expires, fileName: zipName(name), route: 'z' });
    return c.json({ downloadUrl, size, expiresAt: wireTime(expires * 1000) } satisfies ZipBody, 201);
  });
}

/** GET and HEAD `/z/:key/:name`: a ZIP under its signed address. Ranges are not served (RFC 9110, 14.3): the whole of it is. */
export function zipDownloadRoutes({ zips, signingKeys, now }: ZipsServices): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/z/:key/:name', async (c) => {
    const key = c.req.param('key');
    const { expires, kid, signature } = c.req.query();
    refuseUnless(
      await verifyDownload({ key, expires, kid, signature, secrets: signingKeys(), now: now(), route: 'z' }),
    );
    const manifest = await zips.find(key);
    if (manifest === undefined) throw new RequestError('not_found', 'This ZIP is no longer stored. Ask for it again.');
    return serve(c, zips, manifest, Math.floor(Number(expires) - now() / 1000));
  });
}

function refuseUnless(verdict: 'ok' | 'invalid' | 'expired'): void {
  if (verdict === 'invalid') {
    const message = 'This download link is not valid. Use the downloadUrl exactly as the service returned it.';
    throw new RequestError('invalid_signature', message);
  }
  if (verdict === 'expired')
    throw new RequestError('link_expired', 'This download link has expired. Ask for the ZIP again.');
}

function serve(c: Context<HttpEnv>, zips: ZipsServices['zips'], manifest: ZipManifest, secondsLeft: number): Response {
  const validators = { etag: manifest.etag, modified: new Date(manifest.made) };
  const headers = {
    ETag: manifest.etag,
    'Last-Modified': validators.modified.toUTCString(),
    'Accept-Ranges': 'none',
    'Cache-Control': `private, max-age=${Math.max(0, secondsLeft)}`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
  const verdict = preconditions(c.req.raw.headers, validators);
  if (verdict === 'not_modified') return new Response(null, { status: 304, headers });
  if (verdict === 'failed') {
    const message = 'The ZIP is not the one that If-Match or If-Unmodified-Since asks for. Leave the condition out.';
    throw new RequestError('precondition_failed', message);
  }
  const content = {
    'Content-Type': 'application/zip',
    'Content-Length': String(manifest.size),
    'Content-Disposition': contentDisposition(zipName(c.req.param('name') ?? UNNAMED), 'attachment'),
  };
  const body = c.req.method === 'HEAD' ? null : zips.open(manifest);
  return new Response(body, { headers: { ...headers, ...content } });
}

function zipName(name: string): string {
  return fileName(/\.zip$/i.test(name) ? name : `${name}.zip`, 'zip', new Set());
}
