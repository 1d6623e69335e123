import { Buffer } from 'node:buffer';

/** What every key begins with: it tells a leaked key apart from other secrets. */
const mark = 'pk_live_';
const secretBytes = 32;
/** The mark and four characters more: enough to recognise a key by, of no use to guess it. */
const prefixCharacters = mark.length + 4;
/** Longer than any key or administration token; past it nothing is read. */
const longestHeader = 512;

/** A key of 256 random bits, and the part of it that may be shown later. `random` returns that many random bytes. */
export function newKey(random: (bytes: number) => Uint8Array): { key: string; prefix: string } {
  const key = mark + Buffer.from(random(secretBytes)).toString('base64url');
  return { key, prefix: key.slice(0, prefixCharacters) };
}

/** Whether the text has the form of a key, so that anything else is refused without a look into the database. */
export function isKey(text: string): boolean {
  return /^pk_live_[A-Za-z0-9_-]{43}$/.test(text);
}

/**
 * The token of an `Authorization` header (RFC 6750, section 2.1); the scheme's case does not matter (RFC 9110, section 11.1).
 * Undefined for another scheme, no token, more than one word, characters outside visible ASCII, and more than 512 characters.
 */
export function parseBearer(header: string | null | undefined): string | undefined {
  if (!header || header.length > longestHeader) return undefined;
  return /^[ \t]*bearer[ \t]+([\x21-\x7e]+)[ \t]*$/i.exec(header)?.[1];
}

/** The lower-case hexadecimal SHA-256 of a key: what is stored in its place. */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return Buffer.from(digest).toString('hex');
}
