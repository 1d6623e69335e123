import type { Target } from './smoke-test.ts';

/** Makes an account for smoke tests and returns its key: 100 images a month, as the free plan has them. @throws Error when it is refused */
export async function makeSmokeKey({ address, fetch }: Target, adminToken: string): Promise<string> {
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const answer = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
  const { id } = await post('/admin/accounts', { name: 'Smoke test', plan: 'free' });
  const { key } = await post(`/admin/accounts/${id}/keys`, { label: 'npm run deploy', kind: 'app' });
  if (key === undefined) throw new Error('The service issued no key for the smoke test.');
  return key;
}
