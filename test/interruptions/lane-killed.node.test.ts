import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, fields, file } from '../conformance/support/client.ts';
import { scene } from '../conformance/support/pictures.ts';
import { Server } from '../conformance/support/server.ts';

/** Longer than this nobody waits for a job that is dead. */
const ANSWERED_MS = 20_000;

const server = new Server(undefined, [
  process.execPath,
  join(import.meta.dirname, '../../scripts/soak/start-shell.ts'),
]);
const client = new Client(server);
let photo: Buffer;
let small: Buffer;

beforeAll(async () => {
  photo = await scene(4000, 3000).jpeg({ quality: 90 }).toBuffer();
  small = await scene(200, 150).png().toBuffer();
  await server.start();
}, 300_000);
afterAll(() => server.dispose());

/** The isolate's queue once waited for the dead job: every later request hung for ten minutes. */
test('a lane that is killed in the middle of a job costs one file, and the next request of anybody is answered', async () => {
  const [victim, other] = [await client.account('starter'), await client.account('free')];
  await client.compress(other.key, [file(small)]);
  const parts = [
    ...fields({ format: 'avif', maxWidth: 2000 }),
    file(photo, '1.jpg'),
    file(photo, '2.jpg'),
    file(photo, '3.jpg'),
  ];
  const batch = client.compress(victim.key, parts);
  await inTheMiddle();
  await client.admin('POST', '/shell/kill', { object: 'LANE' });
  const started = performance.now();
  const next = await client.compress(other.key, [file(small)]);
  const waited = performance.now() - started;
  const { status, data, failures } = await batch;
  console.log(JSON.stringify({ waited: Math.round(waited) }));
  expect([next.status, next.data.length]).toEqual([200, 1]);
  expect(waited).toBeLessThan(ANSWERED_MS);
  expect([status, data.length, failures.map(({ error }) => error)]).toEqual([200, 2, ['processing_failed']]);
  expect((await client.usage(victim.key)).json.compressions.used).toBe(2);
}, 300_000);

/** Waits until every file is in a lane and one of them has been computed for a while, of many seconds that it takes. */
async function inTheMiddle(): Promise<void> {
  const lanes = async () => (await client.admin('GET', '/shell/counters')).json.calls['LANE.process'] ?? 0;
  const deadline = Date.now() + 60_000;
  while ((await lanes()) < 4) {
    if (Date.now() > deadline) throw new Error('the files never came to their lanes');
    await delay(50);
  }
  await delay(1500);
}
