import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, fields, file, formBody, withoutSignatures } from '../conformance/support/client.ts';
import { scene } from '../conformance/support/pictures.ts';
import { adminToken, Server } from '../conformance/support/server.ts';
import { Front } from '../shell/front.ts';

/** As on the platform with `PLUME_CUT_SECONDS=30`; here it is shorter, so that the suite is. */
const CUT_SECONDS = Number(process.env.PLUME_CUT_SECONDS ?? 2);
const FILES = 20;
/** So wide that the work takes several times as long as a request may go on without its client. */
const MAX_WIDTH = CUT_SECONDS > 10 ? 2000 : 900;

const server = new Server(undefined, [
  process.execPath,
  join(import.meta.dirname, '../../scripts/soak/start-shell.ts'),
]);
const client = new Client(server);
let front: Front;
let photo: Buffer;
let key = '';

beforeAll(async () => {
  await server.start({ FAULTS: JSON.stringify({ seed: 1, cutAfterMs: CUT_SECONDS * 1000 }) });
  front = new Front(server.url, adminToken);
  photo = await scene(2000, 1500).jpeg({ quality: 90 }).toBuffer();
  key = (await client.account('starter')).key;
}, 300_000);
afterAll(async () => {
  front?.close();
  await server.dispose();
});

/** The platform once ended the work with the request: nothing was settled, and its Idempotency-Key answered 409 for half an hour. */
test('a batch whose client leaves is finished, found under its Idempotency-Key and in the list, and charged once', async () => {
  const parts = [
    ...fields({ format: 'avif', maxWidth: MAX_WIDTH }),
    ...Array.from({ length: FILES }, (_, n) => file(photo, `${n}.jpg`)),
  ];
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'multipart/form-data; boundary=plume-conformance',
    'idempotency-key': 'left',
  };
  const leaving = new AbortController();
  const url = `${await front.open()}/api/compress`;
  const sent = fetch(url, { method: 'POST', headers, body: formBody(parts), signal: leaving.signal });
  const left = sent.catch(() => 'left');
  await delay(2000);
  leaving.abort();
  expect(await left).toBe('left');
  await until(async () => (await client.admin('GET', '/shell/counters')).json.faults['request cut'] === 1);
  const [listed] = (await client.call('/api/batches?limit=1', { headers: { authorization: `Bearer ${key}` } })).json
    .batches;
  expect(listed.files).toBe(FILES);
  let batch = { state: '', data: [] };
  await until(async () => {
    batch = (await client.call(`/api/batches/${listed.id}`, { headers: { authorization: `Bearer ${key}` } })).json;
    return batch.state === 'done';
  });
  expect(batch.data).toHaveLength(FILES);
  const again = await client.compress(key, parts, { headers: { 'idempotency-key': 'left' } });
  expect([again.status, again.data.length]).toEqual([200, FILES]);
  expect(withoutSignatures(again)).toEqual(withoutSignatures({ ...again, data: batch.data }));
  expect((await client.download(again.data[FILES - 1]!.downloadUrl)).length).toBe(again.data[FILES - 1]!.optimizedSize);
  expect((await client.usage(key)).json.compressions.used).toBe(FILES);
}, 300_000);

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 240_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it never came to it: ${condition}`);
    await delay(250);
  }
}
