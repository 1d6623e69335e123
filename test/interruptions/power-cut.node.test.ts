import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, type CompressAnswer, fields, file } from '../conformance/support/client.ts';
import { scene } from '../conformance/support/pictures.ts';
import { Server } from '../conformance/support/server.ts';

const FILES = 20;
/** Within so many seconds of its end a request's Idempotency-Key is free or answered (INTERFACE.md). */
const FREE_WITHIN_SECONDS = 90;

const server = new Server();
const client = new Client(server);
let photo: Buffer;
let key = '';

beforeAll(async () => {
  photo = await scene(2000, 1500).jpeg({ quality: 90 }).toBuffer();
  await server.start();
  key = (await client.account('starter')).key;
}, 300_000);
afterAll(() => server.dispose());

test('a server that is killed in the middle of a batch and started again answers under its Idempotency-Key, and charges what it did', async () => {
  const parts = [
    ...fields({ format: 'avif', maxWidth: 900 }),
    ...Array.from({ length: FILES }, (_, n) => file(photo, `${n}.jpg`)),
  ];
  const headers = { 'idempotency-key': 'power cut' };
  const first = client.compress(key, parts, { headers }).catch(() => 'lost');
  await until(async () => (await filesDone()) >= 2);
  server.killAll();
  expect(await first).toBe('lost');
  await server.start();
  const from = performance.now();
  let answer: CompressAnswer;
  for (;;) {
    answer = await client.compress(key, parts, { headers });
    if (![409, 429, 503].includes(answer.status)) break;
    expect((performance.now() - from) / 1000).toBeLessThan(FREE_WITHIN_SECONDS);
    await delay(1000);
  }
  expect([answer.status, answer.data.length, answer.failures]).toEqual([200, FILES, []]);
  expect((await client.usage(key)).json.compressions.used).toBe(FILES);
  expect((await client.download(answer.data[0]!.downloadUrl)).length).toBe(answer.data[0]!.optimizedSize);
}, 300_000);

/** How many files of the newest batch are done. */
async function filesDone(): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const [newest] = (await client.call('/api/batches?limit=1', { headers })).json.batches;
  return newest === undefined ? 0 : (await client.call(`/api/batches/${newest.id}`, { headers })).json.data.length;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it never came to it: ${condition}`);
    await delay(100);
  }
}
