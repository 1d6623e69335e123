import { Buffer } from 'node:buffer';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const SIGNATURE_BYTES = 32;
/** The first part of the path: of results, of ZIP files. */
type DownloadRoute = 'd' | 'z';
/** Of a signing key's id. */
const ID_BYTES = 3;

/**
 * Makes the address under which a result can be fetched until it expires:
 * `{baseUrl}/{d or z}/{key}/{fileName}?expires={unix seconds}&kid={id of the signing key}&signature={base64url}`. The signature is HMAC-SHA-256 over
 * key, expiry and id. The name is for people only; it is not signed.
 */
export async function signDownload(p: {
  readonly baseUrl: string;
  readonly key: string;
  readonly fileName: string;
  /** Unix time in seconds. */
  readonly expires: number;
  readonly secret: string;
  /** `d` (also without it) for a result, `z` for a ZIP. */
  readonly route?: DownloadRoute;
}): Promise<string> {
  const expires = String(p.expires);
  const kid = await signingKeyId(p.secret);
  const { route = 'd' } = p;
  const what = signed(nameOf(route, p.key), expires, kid);
  const signature = await crypto.subtle.sign(HMAC, await importSecret(p.secret, 'sign'), what);
  const path = `/${route}/${encodeURIComponent(p.key)}/${encodeURIComponent(p.fileName.toWellFormed())}`;
  const query = `?expires=${expires}&kid=${kid}&signature=${Buffer.from(signature).toString('base64url')}`;
  return p.baseUrl.replace(/\/+$/, '') + path + query;
}

/** What tells signing keys apart in links: 24 bits that are derived from the secret and say nothing of it. */
export async function signingKeyId(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`plume signing key\n${secret}`));
  return Buffer.from(digest, 0, ID_BYTES).toString('hex');
}

/**
 * Checks an address made by `signDownload`, in constant time, against those of the secrets that have its key's id. One without an id was
 * made before links had any: it is checked against all of them. `expired` is said only of an address that was genuine. `now` is Unix
 * time in milliseconds.
 */
export async function verifyDownload(p: {
  readonly key: string;
  readonly expires: string | undefined;
  /** Absent in links from before there were ids. */
  readonly kid: string | undefined;
  readonly signature: string | undefined;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly route?: DownloadRoute;
}): Promise<'ok' | 'invalid' | 'expired'> {
  const { expires = '', kid, signature = '' } = p;
  const key = nameOf(p.route ?? 'd', p.key);
  if (!/^\d{1,12}$/.test(expires) || !/^[\w-]{43}$/.test(signature)) return 'invalid';
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== SIGNATURE_BYTES) return 'invalid';
  const checks = p.secrets.map(async (secret) => {
    if (kid !== undefined && kid !== (await signingKeyId(secret))) return false;
    return crypto.subtle.verify(HMAC, await importSecret(secret, 'verify'), given, signed(key, expires, kid));
  });
  if (!(await Promise.all(checks)).includes(true)) return 'invalid';
  return p.now < Number(expires) * 1000 ? 'ok' : 'expired';
}

/** What is signed of a key: a ZIP's signature opens no result, and the other way round. */
function nameOf(route: DownloadRoute, key: string): string {
  return route === 'd' ? key : `${route}/${key}`;
}

/** A line break cannot be in an expiry or an id, so no two addresses give the same bytes. */
function signed(key: string, expires: string, kid: string | undefined): Uint8Array {
  return new TextEncoder().encode(kid === undefined ? `${key}\n${expires}` : `${key}\n${expires}\n${kid}`);
}

function importSecret(secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), HMAC, false, [usage]);
}
