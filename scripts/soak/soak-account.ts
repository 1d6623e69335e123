import { setTimeout as delay } from 'node:timers/promises';
import type { PlanId } from '../../src/credits/plans.ts';

/** An account's way in. */
export interface Admission {
  readonly plan: PlanId;
  readonly key: string;
}

export interface Administration {
  readonly url: string;
  readonly token: string;
}

const TRIES = 20;

/** A new account with a key; asked for again while the database fails. */
export async function newAccount(service: Administration, plan: PlanId): Promise<Admission> {
  const { id } = await administer(service, 'POST', '/admin/accounts', { name: `Soak (${plan})`, plan });
  const kind = plan === 'agency' ? 'api' : 'app';
  const { key } = await administer(service, 'POST', `/admin/accounts/${id}/keys`, { label: 'soak', kind });
  return { plan, key: String(key) };
}

/** A call with the operator's token. @throws Error when it fails however often */
export async function administer(
  { url, token }: Administration,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  for (let tried = 1; ; tried++) {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.ok) return (await answer.json()) as Record<string, unknown>;
    if (tried === TRIES) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    await delay(200);
  }
}
