import { Buffer } from 'node:buffer';

/** Where results are in the bucket; what follows is the opaque key of the download's address. */
export const RESULT_PREFIX = 'results/';

const HOUR_DIGITS = 8;
const SECONDS_PER_HOUR = 3600;
const HASH_BYTES = 16;

/**
 * The opaque key of a result: `{hour of expiry}.{group}.{object}`. Keys sort by the hour in which they expire, so the
 * sweep reads from the front and stops early; within it the results of one session of one account stand together.
 * The same arguments give the same key, so a repeated write replaces the first. Hashes, since accounts stay private.
 */
export async function resultKey(p: {
  readonly accountId: string;
  readonly sessionId: string;
  readonly requestId: string;
  readonly index: number;
  /** Unix time in seconds. */
  readonly expires: number;
}): Promise<string> {
  const group = await hash(['session', p.accountId, p.sessionId]);
  const object = await hash(['object', p.accountId, p.requestId, String(p.index)]);
  return `${expiryHour(p.expires)}.${group}.${object}`;
}

/** The hour of a Unix time in seconds, as keys have it: sorts as text. */
export function expiryHour(seconds: number): string {
  return String(Math.floor(seconds / SECONDS_PER_HOUR)).padStart(HOUR_DIGITS, '0');
}

/** 128 bits of SHA-256 in base64url; JSON keeps the parts apart whatever is in them. */
async function hash(parts: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)));
  return Buffer.from(digest, 0, HASH_BYTES).toString('base64url');
}
