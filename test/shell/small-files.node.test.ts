import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, file } from '../conformance/support/client.ts';
import { paddedPng, scene } from '../conformance/support/pictures.ts';
import { Server } from '../conformance/support/server.ts';

const script = join(import.meta.dirname, '../../scripts/soak/start-shell.ts');
const server = new Server(undefined, [process.execPath, script]);
const client = new Client(server);
let picture: Buffer;
let key = '';

async function shell(method: string, path: string, body?: unknown) {
  const { status, json } = await client.admin(method, `/shell/${path}`, body);
  expect(status).toBeLessThan(300);
  return json;
}

/** What calls were made of R2 meanwhile, by kind, and how many objects' calls of a kind. */
async function callsDuring(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = (await shell('GET', 'counters')).calls;
  await work();
  const after = (await shell('GET', 'counters')).calls as Record<string, number>;
  const made = Object.entries(after).map(([kind, count]) => [kind, count - (before[kind] ?? 0)] as const);
  return Object.fromEntries(made.filter(([kind, count]) => count > 0 && /^r2|^BATCH\.(hold|heldFile)/.test(kind)));
}

const compress =
  (files: number, content: Buffer = picture) =>
  async () => {
    const { status, data } = await client.compress(
      key,
      Array.from({ length: files }, () => file(content)),
    );
    expect([status, data.length]).toEqual([200, files]);
  };

beforeAll(async () => {
  await server.start();
  picture = await scene(64, 64).png().toBuffer();
  key = (await client.account('agency')).key;
}, 300_000);
afterAll(() => server.dispose());

test('a small file costs one class A operation, the result, and no other call of R2', async () => {
  expect(await callsDuring(compress(1))).toEqual({ 'r2.put': 1, 'BATCH.hold': 1, 'BATCH.heldFile': 1 });
  expect(await callsDuring(compress(5))).toEqual({ 'r2.put': 5, 'BATCH.hold': 5, 'BATCH.heldFile': 5 });
});

test('twenty files of 2 MiB are more than one call could carry, and go one by one', async () => {
  const largest = paddedPng(picture, 2 * 1024 * 1024);
  const calls = await callsDuring(compress(20, largest));
  expect(calls).toEqual({ 'r2.put': 20, 'BATCH.hold': 20, 'BATCH.heldFile': 20 });
  const { 'r2.put': puts } = await callsDuring(compress(1, paddedPng(picture, 2 * 1024 * 1024 + 1)));
  // Two segments, and the result.
  expect(puts).toBe(3);
}, 60_000);

test('a file that its object cannot take goes by R2, and one whose read breaks off is read again', async () => {
  await shell('PUT', 'faults', { seed: 1, rates: { 'BATCH.hold': { fail: 1 } } });
  const calls = await callsDuring(compress(1));
  expect(calls['r2.put']).toBe(2);
  const reads = (await shell('GET', 'counters')).calls['BATCH.heldFile'];
  const faults = ['fail', 'lost', 'overloaded', 'reset'].map((fault, at) => {
    return { kind: 'BATCH.heldFile', call: reads + 1 + 2 * at, fault };
  });
  await shell('PUT', 'faults', { seed: 1, calls: faults });
  await compress(5)();
  await shell('PUT', 'faults', { seed: 1, rates: { 'BATCH.hold': { lost: 0.5 } } });
  await compress(5)();
}, 60_000);
