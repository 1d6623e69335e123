import { Buffer } from 'node:buffer';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const SIGNATURE_BYTES = 32;

/**
 * Makes the address under which a result can be fetched until it expires:
 * `{baseUrl}/d/{key}/{fileName}?expires={unix seconds}&signature={base64url of HMAC-SHA-256 over key and expiry}`.
 * The name is for people only; it is not signed.
 */
export async function signDownload(p: {
  readonly baseUrl: string;
  readonly key: string;
  readonly fileName: string;
  /** Unix time in seconds. */
  readonly expires: number;
  readonly secret: string;
}): Promise<string> {
  const expires = String(p.expires);
  const signature = await crypto.subtle.sign(HMAC, await importSecret(p.secret, 'sign'), signed(p.key, expires));
  const path = `/d/${encodeURIComponent(p.key)}/${encodeURIComponent(p.fileName.toWellFormed())}`;
  const query = `?expires=${expires}&signature=${Buffer.from(signature).toString('base64url')}`;
  return p.baseUrl.replace(/\/+$/, '') + path + query;
}

/**
 * Checks an address made by `signDownload`, in constant time, against each of the secrets (two while one is being
 * replaced). `expired` is said only of an address that was genuine. `now` is Unix time in milliseconds.
 */
export async function verifyDownload(p: {
  readonly key: string;
  readonly expires: string | undefined;
  readonly signature: string | undefined;
  readonly secrets: readonly string[];
  readonly now: number;
}): Promise<'ok' | 'invalid' | 'expired'> {
  const { expires = '', signature = '' } = p;
  if (!/^\d{1,12}$/.test(expires) || !/^[\w-]{43}$/.test(signature)) return 'invalid';
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== SIGNATURE_BYTES) return 'invalid';
  const checks = p.secrets.map(async (secret) => {
    return crypto.subtle.verify(HMAC, await importSecret(secret, 'verify'), given, signed(p.key, expires));
  });
  if (!(await Promise.all(checks)).includes(true)) return 'invalid';
  return p.now < Number(expires) * 1000 ? 'ok' : 'expired';
}

/** A line break cannot be in an expiry, so no two pairs give the same bytes. */
function signed(key: string, expires: string): Uint8Array {
  return new TextEncoder().encode(`${key}\n${expires}`);
}

function importSecret(secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), HMAC, false, [usage]);
}
