import type { Account, AccountDetail, IssuedKey, Page, Plan, Usage } from './answers.ts';
import type { Caller } from './caller.ts';
import type { AuditEntry } from './key-calls.ts';

/** Who runs the service. */
export class AdminCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  accounts(
    query: { search?: string | undefined; limit?: number; cursor?: string | undefined } = {},
  ): Promise<{ readonly accounts: readonly Account[] } & Page> {
    return this.#caller.json({ method: 'GET', path: '/admin/accounts', query });
  }

  account(id: string): Promise<AccountDetail> {
    return this.#caller.json({ method: 'GET', path: accountPath(id) });
  }

  createAccount(account: { name: string; plan: Plan }): Promise<Pick<Account, 'id' | 'name' | 'plan'>> {
    return this.#caller.json({ method: 'POST', path: '/admin/accounts', json: account, once: true });
  }

  changeAccount(id: string, change: { plan?: Plan; name?: string; suspended?: boolean }): Promise<Account> {
    return this.#caller.json({ method: 'PATCH', path: accountPath(id), json: change });
  }

  issueKey(id: string, key: { label: string; kind: 'api' | 'app'; expiresAt?: string }): Promise<IssuedKey> {
    return this.#caller.json({ method: 'POST', path: `${accountPath(id)}/keys`, json: key, once: true });
  }

  revokeKey(id: string): Promise<void> {
    return this.#caller.json({ method: 'DELETE', path: `/admin/keys/${encodeURIComponent(id)}` });
  }

  /** Adds AI credits; the same reference twice adds once. */
  topUp(id: string, aiCredits: number, reference: string): Promise<{ readonly added: boolean; readonly usage: Usage }> {
    return this.#caller.json({ method: 'POST', path: `${accountPath(id)}/top-ups`, json: { aiCredits, reference } });
  }

  /** A link that signs the account's owner in once, within 24 hours. */
  invite(id: string): Promise<{ readonly url: string; readonly expiresAt: string }> {
    return this.#caller.json({ method: 'POST', path: `${accountPath(id)}/invites`, once: true });
  }

  audit(query: { limit?: number; cursor?: string } = {}): Promise<{ readonly entries: readonly AuditEntry[] } & Page> {
    return this.#caller.json({ method: 'GET', path: '/admin/audit', query });
  }
}

function accountPath(id: string): string {
  return `/admin/accounts/${encodeURIComponent(id)}`;
}
