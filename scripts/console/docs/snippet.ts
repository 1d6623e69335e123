import type { Call, MediaType } from './document.ts';

/** A call as a line for a shell. */
export function curlSnippet({ method, path, operation }: Call): string {
  const query = (operation.parameters ?? []).filter(({ in: place, required }) => place === 'query' && required);
  const names = query.map(({ name }) => `${name}=…`).join('&');
  const parts = [`curl "$PLUME_URL${path}${names && `?${names}`}"`];
  if (method !== 'get' && !(method === 'post' && operation.requestBody)) parts.push(`-X ${method.toUpperCase()}`);
  const access = accessOf(operation.security);
  if (access === 'key') parts.push('-H "Authorization: Bearer $PLUME_API_KEY"');
  if (access === 'admin') parts.push('-H "Authorization: Bearer $ADMIN_TOKEN"');
  if (access === 'session') parts.push('-b "__Host-plume_session=$SESSION"', '-H "Sec-Fetch-Site: same-origin"');
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type === 'multipart/form-data') {
    parts.push('-F file=@photo.jpg', ...(path === '/api/compress' ? ['-F format=avif'] : []));
  } else if (body) {
    parts.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(exampleOf(body) ?? {})}'`);
  }
  return parts.join(' \\\n  ');
}

/** Who may call, as the security schemes are named. */
export function accessOf(security: Call['operation']['security']): 'key' | 'admin' | 'session' | 'open' {
  const names = (security ?? []).flatMap((choice) => Object.keys(choice));
  if (names.length === 0) return 'open';
  if (names.includes('key')) return 'key';
  return names.includes('admin') ? 'admin' : 'session';
}

/** The first example that the document has of a body. */
export function exampleOf({ example, examples, schema }: MediaType): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value ?? schema?.examples?.[0];
}

/** The client's method for a call, where it has one. */
const methods: Readonly<Record<string, string>> = {
  compress: "await plume.compress([photo], { format: 'avif' })",
  listBatches: 'await plume.batches({ limit: 20 })',
  showBatch: 'await plume.batch(id)',
  usage: 'await plume.usage()',
  usageDays: "await plume.usageDays('2026-11-01', '2026-11-30')",
  createZip: 'await plume.zip(results.map(({ item }) => item))',
  listKeys: 'await plume.keys.list()',
  createAccount: "await admin.admin.createAccount({ name: 'Ada', plan: 'starter' })",
  listAccounts: "await admin.admin.accounts({ search: 'ada' })",
  showAccount: 'await admin.admin.account(id)',
  changeAccount: "await admin.admin.changeAccount(id, { plan: 'agency' })",
  issueKey: "await admin.admin.issueKey(id, { label: 'Website', kind: 'api' })",
  createInvite: 'await admin.admin.invite(id)',
  revokeKey: 'await admin.admin.revokeKey(keyId)',
  topUp: "await admin.admin.topUp(id, 500, 'invoice 1043')",
};

export function scriptSnippet({ operation }: Call): string | undefined {
  return methods[operation.operationId];
}
