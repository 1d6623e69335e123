import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { beforeAll, expect, test } from 'vitest';
import { ResultStore } from '../../src/delivery/result-store.ts';
import { signDownload } from '../../src/delivery/signed-url.ts';
import { handleError } from '../../src/http/handle-error.ts';
import type { HttpEnv } from '../../src/http/http-env.ts';
import { downloadRoutes } from '../../src/http/routes/download.ts';
import { FaultSchedule, type FaultSettings } from '../shell/fault-schedule.ts';
import { faultyBucket } from '../shell/faulty-bucket.ts';
import { hurriedCall } from '../shell/hurried-call.ts';

const NOW = 1_800_000_000_000;
const EXPIRES = NOW / 1000 + 600;
const key = 'faults.test';
const CONTENT = new Uint8Array(1000).map((_, at) => at % 253);

async function* content(): AsyncGenerator<Uint8Array> {
  yield CONTENT;
}

function shell(settings: Omit<FaultSettings, 'seed'>) {
  const schedule = new FaultSchedule({ seed: 1, delayMs: 20, ...settings });
  return { schedule, results: new ResultStore(faultyBucket(env.BUCKET, schedule), hurriedCall(schedule)) };
}

async function download(results: ResultStore): Promise<Response> {
  const app = new Hono<HttpEnv>()
    .route(
      '/',
      downloadRoutes(() => ({ results, secrets: ['secret'], now: NOW })),
    )
    .onError(handleError(() => {}));
  const address = { baseUrl: 'http://x', key, fileName: 'a.webp', expires: EXPIRES, secret: 'secret' };
  const { pathname, search } = new URL(await signDownload(address));
  return await app.request(pathname + search);
}

beforeAll(() => new ResultStore(env.BUCKET).write(key, content(), { mediaType: 'image/webp', expires: EXPIRES }));

test.each(['fail', 'hang', 'delay', 'lost'] as const)('a download whose calls %s once is served', async (fault) => {
  const once = ['r2.head', 'r2.get'].map((kind) => ({ kind, call: 1, fault }));
  const { schedule, results } = shell({ calls: once });
  const response = await download(results);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(CONTENT);
  expect(Object.fromEntries(schedule.faults)).toEqual({ [`r2.head ${fault}`]: 1, [`r2.get ${fault}`]: 1 });
});

test.each(['r2.head', 'r2.get'])('a download whose %s fails however often is 503 with Retry-After', async (kind) => {
  const { results } = shell({ rates: { [kind]: { fail: 1 } } });
  const response = await download(results);
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ error: 'service_busy' });
});

test('a download whose storage hangs is 503, too', async () => {
  const { results } = shell({ rates: { r2: { hang: 1 } } });
  expect((await download(results)).status).toBe(503);
});

test('what a call finds that was given up is let go', async () => {
  const schedule = new FaultSchedule({ seed: 1 });
  const late = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  let tries = 0;
  const get = async (name: string) => {
    if (++tries > 1) return await env.BUCKET.get(name);
    schedule.note('get hang');
    await late.promise;
    return { body: { cancel: async () => cancelled.resolve() } };
  };
  const results = new ResultStore({ get } as unknown as R2Bucket, hurriedCall(schedule));
  const found = await results.get(key);
  expect(new Uint8Array(await new Response(found?.body).arrayBuffer())).toEqual(CONTENT);
  late.resolve();
  await cancelled.promise;
});

test('results are removed although the call fails at first', async () => {
  const { results } = shell({ calls: [{ kind: 'r2.delete', call: 1, fault: 'fail' }] });
  await results.write('faults.gone', content(), { mediaType: 'image/webp', expires: EXPIRES });
  await results.remove(['faults.gone']);
  expect(await results.head('faults.gone')).toBeUndefined();
});
