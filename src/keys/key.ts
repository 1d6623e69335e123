import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

/** What every key begins with: it tells a leaked key apart from other secrets. */
const mark = 'plume_';
const secretBytes = 32;
const checksumCharacters = 6;
/** The mark and six characters more: enough to recognise a key by, of no use to guess it. */
const prefixCharacters = 12;
/** Longer than any key or administration token; past it nothing is read. */
const longestHeader = 512;

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A key of 256 random bits with a checksum, and the part of it that may be shown later. `random` returns that many random bytes.
 */
export function newKey(random: (bytes: number) => Uint8Array): { key: string; prefix: string } {
  const body = mark + Buffer.from(random(secretBytes)).toString('base64url');
  return { key: body + checksum(body), prefix: body.slice(0, prefixCharacters) };
}

/** Whether the text can be a key, so that anything else, a mistyped key too, is refused without a look into the database. */
export function isKey(text: string): boolean {
  if (/^plume_[A-Za-z0-9_-]{43}[A-Za-z0-9]{6}$/.test(text)) {
    return checksum(text.slice(0, -checksumCharacters)) === text.slice(-checksumCharacters);
  }
  // The form of keys that were issued before there was a checksum.
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

/** CRC-32 (ISO 3309) in base 62, the most significant digit first. It finds typing errors; it proves nothing. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < checksumCharacters; place++) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
