import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { MetricsStores } from '../../src/metrics/metrics-stores.ts';
import { PlatformError } from '../../src/platform/call-platform.ts';

/** The real stores, of which one is away. */
function without(place: string): typeof env.METRICS {
  const away = { read: () => Promise.reject(Object.assign(new Error('away'), { overloaded: true })) };
  const get = (id: DurableObjectId) => (id.name === place ? away : env.METRICS.get(id));
  return { idFromName: (name: string) => env.METRICS.idFromName(name), get } as never;
}

test('what all stores have is added up', async () => {
  const series = `plume_test_${crypto.randomUUID()}`;
  for (let place = 0; place < limits.metricStores; place++) {
    const store = env.METRICS.get(env.METRICS.idFromName(`metrics-${place}`));
    await store.add({ source: series, number: 1, counts: { [series]: place } });
  }
  const sums = await new MetricsStores(env.METRICS).read();
  expect(sums[series]).toBe((limits.metricStores * (limits.metricStores - 1)) / 2);
});

test('without one of them there is no sum: it would look as if counters had been set back', async () => {
  await expect(new MetricsStores(without('metrics-3')).read()).rejects.toThrow(PlatformError);
});
