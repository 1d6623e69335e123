import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { Client, fields, file } from './support/client.ts';
import { scene } from './support/pictures.ts';
import { Server } from './support/server.ts';

const BATCHES = 5;
const FILES = 4;

const server = new Server();
const client = new Client(server);
afterAll(() => server.dispose());

test('a deployment under running jobs loses none, and charges none twice', { timeout: 240_000 }, async () => {
  await server.start();
  const { key } = await client.account('agency');
  const authorized = { headers: { authorization: `Bearer ${key}` } };
  const picture = await scene(1400, 1000).jpeg({ quality: 90 }).toBuffer();
  const parts = [...fields({ format: 'webp' }), ...Array.from({ length: FILES }, (_, n) => file(picture, `${n}.jpg`))];
  const submit = async (batch: number) => {
    const headers = { prefer: 'respond-async', 'idempotency-key': `deployment ${batch}` };
    const { status, json } = await client.compress(key, parts, { headers });
    expect(status).toBe(202);
    return String(json.id);
  };
  const ids = await Promise.all(Array.from({ length: BATCHES }, (_, batch) => submit(batch)));
  const show = async (id: string) => (await client.call(`/api/batches/${id}`, authorized)).json;
  const done = async () => {
    const batches = await Promise.all(ids.map(show));
    return batches.reduce((sum, { data }) => sum + data.length, 0) as number;
  };
  // In the middle: something is done, and most is not.
  while ((await done()) === 0) await delay(50);
  expect(await done()).toBeLessThan(BATCHES * FILES);
  await server.stop();

  await server.start();
  for (const id of ids) {
    let batch = await show(id);
    for (; batch.state === 'running'; batch = await show(id)) await delay(200);
    expect(batch.data.map(({ originalName }: { originalName: string }) => originalName)).toEqual(
      Array.from({ length: FILES }, (_, n) => `${n}.jpg`),
    );
    expect((await client.download(batch.data[0].downloadUrl)).length).toBe(batch.data[0].optimizedSize);
  }
  expect((await client.usage(key)).json.compressions.used).toBe(BATCHES * FILES);
  expect(await submit(0)).toBe(ids[0]);
  expect((await client.usage(key)).json.compressions.used).toBe(BATCHES * FILES);
});
