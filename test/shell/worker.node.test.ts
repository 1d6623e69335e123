import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, fields, file } from '../conformance/support/client.ts';
import { scene } from '../conformance/support/pictures.ts';
import { adminToken, Server } from '../conformance/support/server.ts';
import { Front } from './front.ts';

const script = join(import.meta.dirname, '../../scripts/soak/start-shell.ts');
const server = new Server(undefined, [process.execPath, script]);
const client = new Client(server);
let front: Front;
let picture: Buffer;
let key = '';

const shell = async (method: string, path: string, body?: unknown) => {
  const { status, json } = await client.admin(method, `/shell/${path}`, body);
  expect(status).toBeLessThan(300);
  return json;
};
/** How many faults were done whose name fits. */
async function faults(name: RegExp): Promise<number> {
  const { faults } = await shell('GET', 'counters');
  return Object.keys(faults)
    .filter((done) => name.test(done))
    .reduce((sum, done) => sum + faults[done], 0);
}

/** Calls of lanes so far. */
async function lanesCalled(): Promise<number> {
  return (await shell('GET', 'counters')).objects.LANE?.calls ?? 0;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it never came to it: ${condition}`);
    await delay(100);
  }
}

/** A request whose client hangs up. */
async function leave(url: string, sessionId: string): Promise<void> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(picture)]), 'a.png');
  body.append('sessionId', sessionId);
  const headers = { authorization: `Bearer ${key}` };
  const before = await lanesCalled();
  const client = new AbortController();
  const request = fetch(`${url}/api/compress`, { method: 'POST', headers, body, signal: client.signal });
  const ended = request.catch(() => 'left');
  await until(async () => (await lanesCalled()) > before);
  client.abort();
  expect(await ended).toBe('left');
}

beforeAll(async () => {
  await server.start();
  picture = await scene(64, 64).png().toBuffer();
  key = (await client.account('starter')).key;
  front = new Front(server.url, adminToken);
}, 300_000);
afterAll(async () => {
  front?.close();
  await server.dispose();
});

test('nothing goes wrong by itself, and every call is counted', async () => {
  expect((await client.compress(key, [...fields({ maxWidth: 20 }), file(picture)])).data).toHaveLength(1);
  const { calls, faults, r2, d1, objects } = await shell('GET', 'counters');
  expect(faults).toEqual({});
  expect(r2.classA).toBe((calls['r2.put'] ?? 0) + (calls['r2.list'] ?? 0));
  expect(d1).toBeGreaterThan(0);
  expect(objects.LANE.calls).toBeGreaterThan(0);
});

test('strangers find no control routes', async () => {
  expect((await client.call('/shell/counters')).status).toBe(404);
});

test('a request is cut: its client has left, and no line of it is logged', async () => {
  await shell('PUT', 'faults', { seed: 1, cutAfterMs: 500, rates: { LANE: { hang: 1 } } });
  const lines = () =>
    readFileSync(join(server.stateFolder, 'server.log'), 'utf8').split('"route":"/api/compress"').length;
  const before = lines();
  await leave(await front.open(), 'cut');
  await until(async () => (await faults(/^request cut$/)) === 1);
  expect(await faults(/^LANE\.\w+ hang$/)).toBeGreaterThan(0);
  expect(lines()).toBe(before);
});

test('a lane is aborted in the middle of a job', async () => {
  await shell('PUT', 'faults', { seed: 1 });
  await shell('POST', 'kill', { object: 'LANE', withinCalls: 1 });
  const sent = client.compress(key, [file(picture)]).catch(() => undefined);
  await until(async () => (await faults(/^LANE aborted at r2/)) === 1);
  // Whether that request is answered is the service's business: the soak asks.
  server.killAll();
  await sent;
});
