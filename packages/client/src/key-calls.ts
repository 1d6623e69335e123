import type { IssuedKey, Key, Page } from './answers.ts';
import type { Caller } from './caller.ts';

export interface AuditEntry {
  readonly at: string;
  readonly admin?: string;
  readonly actor?: 'owner' | 'operator';
  readonly action: string;
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string | null;
  readonly requestId: string;
}

/** An account's own keys. With a session only: a key never makes keys. */
export class KeyCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  list(page: { limit?: number; cursor?: string } = {}): Promise<{ readonly keys: readonly Key[] } & Page> {
    return this.#caller.json({ method: 'GET', path: '/api/keys', query: page });
  }

  /** Makes a key. Its secret is in this answer and never again. */
  create(key: { label: string; kind?: 'api' | 'app'; expiresAt?: string }): Promise<IssuedKey> {
    return this.#caller.json({ method: 'POST', path: '/api/keys', json: key, once: true });
  }

  /** Makes a key in place of another one, which works on for `graceSeconds` (at most 604,800). */
  roll(id: string, graceSeconds: number): Promise<IssuedKey> {
    const path = `/api/keys/${encodeURIComponent(id)}/roll`;
    return this.#caller.json({ method: 'POST', path, json: { graceSeconds }, once: true });
  }

  revoke(id: string): Promise<void> {
    return this.#caller.json({ method: 'DELETE', path: `/api/keys/${encodeURIComponent(id)}` });
  }

  /** What was done with the account's keys and sessions, the newest first. */
  audit(page: { limit?: number; cursor?: string } = {}): Promise<{ readonly entries: readonly AuditEntry[] } & Page> {
    return this.#caller.json({ method: 'GET', path: '/api/audit', query: page });
  }
}
