import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  ConnectionError,
  type FileEvent,
  InvalidRequestError,
  PermissionError,
  Plume,
  TimeoutError,
} from '../../../packages/client/src/plume.ts';
import { scene } from '../../conformance/support/pictures.ts';
import { Server } from '../../conformance/support/server.ts';
import { account, adminCall } from '../console/support/console-page.ts';

const server = new Server();
let apiKey: string;
let freeKey: string;
let picture: { name: string; content: Blob };

beforeAll(async () => {
  await server.start();
  const issue = async (id: string, kind: string) =>
    String((await adminCall(server, `/admin/accounts/${id}/keys`, { label: 'Client', kind })).key);
  apiKey = await issue(await account(server, 'agency'), 'api');
  freeKey = await issue(await account(server, 'free'), 'app');
  const bytes = await scene(320, 240).jpeg({ quality: 95 }).toBuffer();
  picture = { name: 'scene.jpg', content: new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }) };
});
afterAll(() => server.dispose());

const client = (more: ConstructorParameters<typeof Plume>[0] = {}) =>
  new Plume({ apiKey, baseUrl: server.url, retry: { sleep: async () => {} }, ...more });
const broken = { name: 'broken.jpg', content: new Blob(['no picture']) };

describe('compress', () => {
  test('tells of each file while it goes on, and of all of them at the end', async () => {
    const events: FileEvent[] = [];
    const outcome = await client().compress([picture, broken, picture], {
      format: 'avif',
      maxWidth: 100,
      onFile: (event) => events.push(event),
    });
    expect(outcome.results.map(({ index }) => index)).toEqual([0, 2]);
    expect(outcome.results[0]!.item).toMatchObject({
      originalName: 'scene.jpg',
      newName: 'scene.avif',
      width: 100,
      height: 75,
    });
    expect(outcome.failures).toMatchObject([{ index: 1, name: 'broken.jpg', error: 'unsupported_image' }]);
    expect(outcome.usage?.compressions.limit).toBe(50_000);
    expect(events.filter(({ state }) => state === 'done').map(({ index }) => index)).toEqual([0, 2]);
    expect(events.find(({ index }) => index === 0)).toMatchObject({ state: expect.stringMatching(/queued|running/) });
  });

  test('an answer that broke off is asked for again under the same key: nothing is done or charged twice', async () => {
    const keys: (string | null)[] = [];
    const cutting: typeof fetch = async (address, init) => {
      const response = await fetch(address, init);
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      if (keys.length > 1) return response;
      // The first event arrives, and then the line is dead.
      const first = new TextDecoder().decode((await response.body!.getReader().read()).value);
      const dying = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(first.slice(0, 20)));
          controller.error(new TypeError('network error'));
        },
      });
      return new Response(dying, { headers: response.headers });
    };
    const before = (await client().usage()).compressions.used;
    const { results } = await client({ fetch: cutting }).compress([picture, picture]);
    expect(results).toHaveLength(2);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect((await client().usage()).compressions.used).toBe(before + 2);
  });

  test('a caller’s signal ends it', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(client().compress([picture], { signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('errors', () => {
  test('have a class, a code, the server’s sentence and the request’s id', async () => {
    const wrong = client().compress([picture], { quality: 7 });
    await expect(wrong).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(wrong).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: expect.stringContaining('quality'),
      requestId: expect.any(String),
    });
    await expect(client({ apiKey: 'plume_wrong' }).usage()).rejects.toBeInstanceOf(AuthenticationError);
    await expect(client({ apiKey: freeKey }).compress([picture], { altText: true })).rejects.toMatchObject({
      code: 'ia_not_available',
    });
    await expect(client().keys.list()).rejects.toBeInstanceOf(PermissionError);
    await expect(client({ baseUrl: 'http://127.0.0.1:9', retry: { tries: 1 } }).usage()).rejects.toBeInstanceOf(
      ConnectionError,
    );
  });

  test('silence is one', async () => {
    const silent: typeof fetch = (_, init) =>
      new Promise((__, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal!.reason));
      });
    await expect(client({ fetch: silent, silenceMs: 1, retry: { tries: 1 } }).usage()).rejects.toBeInstanceOf(
      TimeoutError,
    );
  });
});

describe('the other calls', () => {
  test('batches, days and ZIP', async () => {
    const plume = client();
    const { results } = await plume.compress([picture, picture]);
    const { batches } = await plume.batches({ limit: 1 });
    expect(batches).toHaveLength(1);
    expect((await plume.batch(batches[0]!.id)).data).toHaveLength(2);
    const today = new Date().toISOString().slice(0, 10);
    const { days } = await plume.usageDays(today, today);
    expect(days.reduce((sum, { compressions }) => sum + compressions, 0)).toBeGreaterThan(1);
    const zip = await plume.zip(
      results.map(({ item }) => item),
      'all',
    );
    const answer = await fetch(zip.downloadUrl);
    expect((await answer.arrayBuffer()).byteLength).toBe(zip.size);
  });
});
