import { type Answer, adminToken, apiClient, newAccount } from './api-client.ts';

const origin = 'https://plume.test';
const json = { 'Content-Type': 'application/json' };

/** A browser on a page of the service: it keeps the cookie that it is given, and says where its requests come from. */
export class BrowserClient {
  cookie: string | undefined;
  readonly client: ReturnType<typeof apiClient>;

  constructor(client = apiClient()) {
    this.client = client;
  }

  /** Sends a request as `fetch` of a page of the same origin does, unless `headers` say otherwise; null leaves a header out. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | null> = {},
  ): Promise<Answer> {
    const all: Record<string, string | null> = {
      Origin: method === 'GET' ? null : origin,
      'Sec-Fetch-Site': 'same-origin',
      Cookie: this.cookie === undefined ? null : `__Host-plume_session=${this.cookie}`,
      ...(body !== undefined && !(body instanceof FormData) && json),
      ...headers,
    };
    const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
    const init = body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) };
    const answer = await this.client.send(method, path, { headers: sent, ...init });
    const [, value] = /^__Host-plume_session=([^;]*)/.exec(answer.headers.get('Set-Cookie') ?? '') ?? [];
    if (value !== undefined) this.cookie = value || undefined;
    return answer;
  }

  signIn(proof: { key: string } | { invite: string }): Promise<Answer> {
    return this.send('POST', '/session', proof);
  }
}

/** A browser that is signed in with the account's first-party key. */
export async function signedIn(plan: 'free' | 'starter' | 'agency' = 'agency') {
  const account = await newAccount(plan);
  const browser = new BrowserClient();
  await browser.signIn({ key: account.appKey });
  return { account, browser };
}

/** A browser that is signed in with the operator's token. */
export async function signedInOperator(): Promise<BrowserClient> {
  const browser = new BrowserClient();
  await browser.signIn({ key: adminToken });
  return browser;
}

/** The secret of a new invite to the account. */
export async function newInvite(accountId: string): Promise<string> {
  const { body } = await apiClient().admin('POST', `/accounts/${accountId}/invites`);
  return new URLSearchParams(new URL(body.url).hash.slice(1)).get('invite')!;
}
