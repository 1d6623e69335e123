import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { MetricsStore } from '../../src/metrics/metrics-store.ts';

const newStore = () => env.METRICS.get(env.METRICS.idFromName(crypto.randomUUID()));

test('portions of all isolates come together, each once, and outlive the object', async () => {
  const store = newStore();
  await store.add({ source: 'x', number: 1, counts: { a: 1, b: 2 } });
  await store.add({ source: 'y', number: 1, counts: { a: 10 } });
  await store.add({ source: 'x', number: 1, counts: { a: 1, b: 2 } });
  await evictDurableObject(store);
  await store.add({ source: 'x', number: 1, counts: { a: 1, b: 2 } });
  await store.add({ source: 'x', number: 2, counts: { a: 0.5 } });
  expect(await store.read()).toEqual({ a: 11.5, b: 2 });
});

test('portions that arrive at the same moment are all added', async () => {
  const store = newStore();
  const portions = Array.from({ length: 40 }, (_, at) => ({ source: `s${at}`, number: 1, counts: { a: 1 } }));
  await Promise.all(portions.map((portion) => store.add(portion)));
  await evictDurableObject(store);
  expect(await store.read()).toEqual({ a: 40 });
});

test('isolates that are long gone are forgotten, their numbers are not', async () => {
  const stub = newStore();
  const time = { now: 1_000_000 };
  await runInDurableObject(stub, async (_instance, state) => {
    const store = new MetricsStore(state, env, () => time.now);
    for (let source = 0; source < 100; source++) await store.add({ source: `${source}`, number: 1, counts: { a: 1 } });
    time.now += 11 * 60_000;
    await store.add({ source: 'late', number: 1, counts: { a: 1 } });
    const stored = await state.storage.get<{ sources: object }>('metrics');
    expect(Object.keys(stored!.sources)).toEqual(['late']);
    expect(await store.read()).toEqual({ a: 101 });
  });
});
