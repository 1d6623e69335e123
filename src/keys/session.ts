import { Buffer } from 'node:buffer';
import type { PlanId } from '../credits/plans.ts';

/** Who is signed in. Times are ms since the epoch; `expiresAt` is the end if nothing is asked until then. */
export type Session = OwnerSession | OperatorSession;

interface SessionTimes {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface OwnerSession extends SessionTimes {
  readonly kind: 'owner';
  readonly account: { readonly id: string; readonly name: string; readonly plan: PlanId };
}

export interface OperatorSession extends SessionTimes {
  readonly kind: 'operator';
  /** The name of the operator's token. */
  readonly admin: string;
}

const secretBytes = 32;

/** The value of a session's cookie, or the secret of an invite: 256 random bits. `random` returns that many random bytes. */
export function newSessionSecret(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(secretBytes)).toString('base64url');
}

/** Whether the text can be the value of a session's cookie. */
export function isSessionSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * What an operator's session keeps of the token that opened it: HMAC-SHA-256 under the cookie's value, in hexadecimal. The database never has
 * that value, so what it holds cannot be used to try tokens out.
 */
export async function tokenProof(secret: string, token: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), HMAC, false, ['sign']);
  return Buffer.from(await crypto.subtle.sign(HMAC, key, encoder.encode(token))).toString('hex');
}
