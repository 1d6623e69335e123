import type { Caller } from './caller.ts';

/** Who is signed in on this page. */
export interface Session {
  readonly kind: 'owner' | 'operator';
  readonly account?: { readonly id: string; readonly name: string; readonly plan: 'free' | 'starter' | 'agency' };
  /** The name of the operator's token. */
  readonly operator?: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A page's sign-in: a key or an invite is exchanged for a cookie that no script can read. Browsers only. */
export class SessionCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @throws AuthenticationError when the key or invite counts no more; RateLimitError after too many attempts */
  open(proof: { readonly key: string } | { readonly invite: string }): Promise<Session> {
    return this.#caller.json({ method: 'POST', path: '/session', json: proof, once: true });
  }

  /** @throws AuthenticationError when nobody is signed in */
  current(): Promise<Session> {
    return this.#caller.json({ method: 'GET', path: '/session' });
  }

  /** Signs this browser out. */
  close(): Promise<void> {
    return this.#caller.json({ method: 'DELETE', path: '/session' });
  }

  /** Signs every browser of this account out. */
  closeAll(): Promise<void> {
    return this.#caller.json({ method: 'DELETE', path: '/session/all' });
  }
}
