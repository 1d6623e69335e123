import { type Context, Hono } from 'hono';
import { fileName } from '../../batch/file-name.ts';
import type { ByteRange, ResultStore, StoredResult } from '../../delivery/result-store.ts';
import { verifyDownload } from '../../delivery/signed-url.ts';
import { RequestError } from '../../errors.ts';
import { byteRange } from '../byte-range.ts';
import { contentDisposition } from '../content-disposition.ts';
import type { HttpEnv } from '../http-env.ts';
import { preconditions, rangeStillMeant } from '../preconditions.ts';
import { resultExtension } from '../result-extension.ts';

/** What downloads need. */
export interface DownloadCapabilities {
  readonly results: ResultStore;
  /** The signing secret, and those before it while they still count. */
  readonly secrets: readonly string[];
  /** Unix time in milliseconds. */
  readonly now: number;
}

/** GET and HEAD `/d/:key/:name`: a result under its signed address, with ranges and conditional requests (RFC 9110). */
export function downloadRoutes(capabilities: (c: Context<HttpEnv>) => DownloadCapabilities): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/d/:key/:name', async (c) => {
    const { results, secrets, now } = capabilities(c);
    const key = c.req.param('key');
    const { expires, kid, signature } = c.req.query();
    refuseUnless(await verifyDownload({ key, expires, kid, signature, secrets, now }));
    const secondsLeft = Math.floor(Number(expires) - now / 1000);
    return await serve(c.req.raw, results, { key, name: c.req.param('name'), secondsLeft });
  });
}

function refuseUnless(verdict: 'ok' | 'invalid' | 'expired'): void {
  if (verdict === 'invalid') {
    const message = 'This download link is not valid. Use the downloadUrl exactly as the service returned it.';
    throw new RequestError('invalid_signature', message);
  }
  if (verdict === 'expired') {
    throw new RequestError('link_expired', 'This download link has expired. Compress the image again for a new one.');
  }
}

/** What the address says, once it is known to be genuine. The name is not signed. */
interface Address {
  readonly key: string;
  readonly name: string;
  readonly secondsLeft: number;
}

async function serve(request: Request, results: ResultStore, address: Address): Promise<Response> {
  const { key } = address;
  const stored = present(await results.head(key));
  const validators = { etag: stored.etag, modified: stored.uploaded };
  const headers = responseHeaders(stored, address);
  const verdict = preconditions(request.headers, validators);
  if (verdict === 'not_modified') return new Response(null, { status: 304, headers: withoutContent(headers) });
  if (verdict === 'failed') throw preconditionFailed();
  if (request.method === 'HEAD') return new Response(null, { headers });
  const asked = rangeStillMeant(request.headers.get('if-range'), validators)
    ? byteRange(request.headers.get('range'), stored.size)
    : undefined;
  if (asked === 'unsatisfiable') throw rangeNotSatisfiable(stored.size);
  if (asked !== undefined) addRange(headers, asked, stored.size);
  const { body } = present(await results.get(key, asked, stored.etag));
  return new Response(body, { status: asked === undefined ? 200 : 206, headers });
}

function present<T>(stored: T | undefined): T {
  if (stored !== undefined) return stored;
  throw new RequestError('not_found', 'This file is no longer stored. Compress the image again.');
}

function responseHeaders(stored: StoredResult, { name, secondsLeft }: Address): Headers {
  return new Headers({
    'Content-Type': stored.mediaType,
    'Content-Length': String(stored.size),
    'Content-Disposition': contentDisposition(downloadName(name, stored.mediaType)),
    ETag: stored.etag,
    'Last-Modified': stored.uploaded.toUTCString(),
    'Accept-Ranges': 'bytes',
    'Cache-Control': `private, max-age=${Math.max(0, secondsLeft)}`,
    'X-Content-Type-Options': 'nosniff',
    // Opened as a page of its own, the picture must not be able to run anything.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}

/** Whoever has the address may write another name into it; its extension is always that of what is served. */
function downloadName(name: string, mediaType: string): string {
  return fileName(name, resultExtension(mediaType), new Set());
}

function addRange(headers: Headers, { offset, length }: ByteRange, size: number): void {
  headers.set('Content-Length', String(length));
  headers.set('Content-Range', `bytes ${offset}-${offset + length - 1}/${size}`);
}

/** An answer without the representation says nothing of its content (RFC 9110, 15.4.5). */
function withoutContent(headers: Headers): Headers {
  for (const name of ['Content-Type', 'Content-Length', 'Content-Disposition']) headers.delete(name);
  return headers;
}

function preconditionFailed(): RequestError {
  const message = 'The file is not the one that If-Match or If-Unmodified-Since asks for. Leave the condition out.';
  return new RequestError('precondition_failed', message);
}

function rangeNotSatisfiable(size: number): RequestError {
  const message = `The file has ${size} bytes; the range asked for begins behind its end.`;
  return new RequestError('range_not_satisfiable', message, { contentRange: `bytes */${size}` });
}
