import type { Context } from 'hono';
import { RequestError } from '../errors.ts';
import type { HttpEnv } from './http-env.ts';

const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses an unsafe method that did not come from a page of our own, whatever cookie came with it: browsers say where a request comes from in
 * Sec-Fetch-Site (W3C Fetch Metadata, 2.3), older ones in Origin (RFC 6454, 7.3), and let no page choose either.
 * @param baseUrl the service's public address, where it is not the request's
 * @throws RequestError cross_origin
 */
export function requireSameOrigin(c: Context<HttpEnv>, baseUrl: string | undefined): void {
  if (SAFE.includes(c.req.method)) return;
  const site = c.req.header('Sec-Fetch-Site');
  if (site !== undefined ? site === 'same-origin' : isOurs(c.req.header('Origin'), c.req.url, baseUrl)) return;
  const message =
    'This call changes something with the cookie of a session, so it has to come from a page of this service. Programs send a key in the header "Authorization: Bearer <API_KEY>" and no cookie.';
  throw new RequestError('cross_origin', message);
}

function isOurs(origin: string | undefined, url: string, baseUrl: string | undefined): boolean {
  if (origin === undefined) return false;
  const ours = [url, ...(baseUrl === undefined ? [] : [baseUrl])];
  return ours.some((address) => new URL(address).origin === origin);
}
