import { expect } from 'vitest';
import { demoImage } from '../../../scripts/demo-image.ts';
import type { ExampleRecorder } from './example-recorder.ts';

/** What the story made, for whoever goes on with it. */
export interface Story {
  readonly accountId: string;
  readonly key: string;
  readonly keyId: string;
  readonly downloadUrl: string;
}

const photo = demoImage();

/** The form of a batch, and what the document shows of it. */
export function batchForm(fields: Readonly<Record<string, string | number | boolean>>, ...names: readonly string[]) {
  const form = new FormData();
  for (const name of names) {
    const content = name.startsWith('broken') ? photo.slice(0, 900) : photo;
    form.append('file', new File([Uint8Array.from(content)], name));
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  return { form, shown: { file: names, ...fields } };
}

/** Makes every call of the interface once, as a customer and an operator would, and records the answers. */
export async function recordOperations(recorder: ExampleRecorder): Promise<Story> {
  const { id } = await recorder.record('createAccount', 201, '/admin/accounts', {
    as: 'admin',
    json: { name: 'Ada’s Pictures', plan: 'agency' },
  });
  const issued = await recorder.record('issueKey', 201, `/admin/accounts/${id}/keys`, {
    as: 'admin',
    json: { label: 'Web shop', kind: 'api' },
  });
  const account = { key: issued.key as string };
  const downloadUrl = await recordBatches(recorder, account);
  await recordSession(recorder, account.key);
  await recorder.record('usage', 200, '/api/usage', { as: account });
  await recorder.record('usageDays', 200, '/api/usage/days', { as: account });
  await recordAdministration(recorder, id);
  await recorder.record('health', 200, '/health');
  await recorder.record('ready', 200, '/health/ready');
  return { accountId: id, key: account.key, keyId: issued.id, downloadUrl };
}

async function recordBatches(recorder: ExampleRecorder, as: { readonly key: string }): Promise<string> {
  const options = { format: 'webp', quality: 82, maxWidth: 800, autoAltText: true };
  const batch = batchForm(options, 'photo.png');
  const { data } = await recorder.record('compress', 200, '/api/compress', { as, ...batch });
  expect(data[0].altText).toEqual(expect.any(String));
  const two = batchForm(options, 'photo.png', 'broken.png');
  const headers = { Accept: 'text/event-stream' };
  await recorder.record('compress', 200, '/api/compress?include=details', { as, ...two, headers });
  const async = { Prefer: 'respond-async' };
  const accepted = await recorder.record('compress', 202, '/api/compress', { as, ...batch, headers: async });
  const path = `/api/batches/${accepted.id}`;
  // The end of the events is the end of the batch.
  await (await recorder.send('GET', path, { as, headers })).text();
  await recorder.record('showBatch', 200, path, { as });
  await recorder.record('showBatch', 200, path, { as, headers });
  await recorder.record('listBatches', 200, '/api/batches?limit=2', { as });
  const json = { urls: [data[0].downloadUrl], name: 'holiday' };
  await recorder.record('createZip', 201, '/api/zips', { as, json });
  return data[0].downloadUrl;
}

async function recordSession(recorder: ExampleRecorder, key: string): Promise<void> {
  const as = 'browser';
  await recorder.record('openSession', 201, '/session', { as, json: { key } });
  await recorder.record('showSession', 200, '/session', { as });
  const made = await recorder.record('createKey', 201, '/api/keys', { as, json: { label: 'Build server' } });
  const roll = { as, json: { graceSeconds: 86_400 } } as const;
  const rolled = await recorder.record('rollKey', 201, `/api/keys/${made.id}/roll`, roll);
  await recorder.record('listKeys', 200, '/api/keys?limit=2', { as });
  await recorder.record('revokeOwnKey', 204, `/api/keys/${rolled.id}`, { as });
  await recorder.record('accountAudit', 200, '/api/audit?limit=2', { as });
}

async function recordAdministration(recorder: ExampleRecorder, id: string): Promise<void> {
  const as = 'admin';
  await recorder.record('listAccounts', 200, `/admin/accounts?search=${id}`, { as });
  await recorder.record('showAccount', 200, `/admin/accounts/${id}`, { as });
  await recorder.record('changeAccount', 200, `/admin/accounts/${id}`, {
    as,
    json: { plan: 'agency', suspended: false },
  });
  const topUp = { aiCredits: 100, reference: 'invoice 2026-117' };
  await recorder.record('topUp', 200, `/admin/accounts/${id}/top-ups`, { as, json: topUp });
  await recorder.record('createInvite', 201, `/admin/accounts/${id}/invites`, { as });
  await recorder.record('audit', 200, '/admin/audit?limit=2', { as });
}
