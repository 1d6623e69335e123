import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiClient, newAccount } from '../../support/api-client.ts';
import { smallPng } from '../../support/small-png.ts';

const { send } = apiClient();

type Account = Awaited<ReturnType<typeof newAccount>>;

/** Sends a batch of a few files and waits for its answer, or for its id. */
async function compress(key: string, names: readonly string[], headers: Record<string, string> = {}) {
  const form = new FormData();
  for (const name of names) {
    const content = name.startsWith('broken') ? smallPng(9, 9).slice(0, 60) : smallPng(24, 16);
    form.append('file', new File([content], name), name);
  }
  return await send('POST', '/api/compress', { body: form, headers: { Authorization: `Bearer ${key}`, ...headers } });
}

const get = (key: string, path: string, headers: Record<string, string> = {}) =>
  send('GET', `/api/batches${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } });

/** The batch once it is done. */
async function ended(key: string, id: string) {
  await expect.poll(async () => (await get(key, `/${id}`)).body.state, { timeout: 10_000 }).toBe('done');
  return (await get(key, `/${id}`)).body;
}

const idOf = ({ headers }: { headers: Headers }) => headers.get('X-Request-Id')!;

let account: Account;
beforeAll(async () => {
  account = await newAccount('agency');
});

describe('Prefer: respond-async', () => {
  const async = { Prefer: 'return=minimal, Respond-Async; wait=1' };

  test('is answered with an address at once, at which the batch is found', async () => {
    const { apiKey } = account;
    const accepted = await compress(apiKey, ['a.png', 'broken.png', 'a.png'], async);
    expect(accepted).toMatchObject({ status: 202, body: { id: idOf(accepted), files: 3 } });
    expect(accepted.headers.get('Preference-Applied')).toBe('respond-async');
    expect(accepted.headers.get('Location')).toBe(`/api/batches/${accepted.body.id}`);
    const batch = await ended(apiKey, accepted.body.id);
    expect(batch).toEqual({
      id: accepted.body.id,
      state: 'done',
      files: [
        { index: 0, name: 'a.png', state: 'done' },
        { index: 1, name: 'broken.png', state: 'failed' },
        { index: 2, name: 'a.png', state: 'done' },
      ],
      data: [expect.objectContaining({ newName: 'a.webp' }), expect.objectContaining({ newName: 'a-2.webp' })],
      errors: [expect.objectContaining({ index: 1, error: 'broken_image' })],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect((await fetch_(batch.data[0].downloadUrl)).status).toBe(200);
  });

  test('of a repetition is the address of the first', async () => {
    const { apiKey } = account;
    const keyed = { ...async, 'Idempotency-Key': 'async' };
    const first = await compress(apiKey, ['a.png'], keyed);
    await ended(apiKey, first.body.id);
    const second = await compress(apiKey, ['a.png'], keyed);
    expect(second.body).toEqual(first.body);
    expect(idOf(second)).not.toBe(idOf(first));
  });

  test('that is refused is refused at once', async () => {
    const { appKey } = await newAccount('free');
    const form = new FormData();
    form.append('file', new File([smallPng(9, 9)], 'a.png'));
    form.append('autoAltText', 'true');
    const headers = { Authorization: `Bearer ${appKey}`, ...async };
    expect((await send('POST', '/api/compress', { body: form, headers })).body.error).toBe('ia_not_available');
  });
});

/** A download, which is no JSON. */
const fetch_ = (url: string) => send('GET', url.slice('https://plume.test'.length));

describe('GET /api/batches/{id}', () => {
  test('shows what the answer showed, its links signed anew', async () => {
    const { apiKey } = account;
    const answer = await compress(apiKey, ['a.png', 'b.png']);
    const { body, headers } = await get(apiKey, `/${idOf(answer)}`);
    const plain = (data: { downloadUrl: string }[]) =>
      data.map(({ downloadUrl, ...item }) => ({ ...item, path: new URL(downloadUrl).pathname }));
    expect(plain(body.data)).toEqual(plain(answer.body.data));
    expect(body).not.toHaveProperty('errors');
    expect(headers.get('X-Compressions-Limit')).toBe('50000');
  });

  test('does not know what is another account’s, nor what never was, and tells them not apart', async () => {
    const other = await newAccount('agency');
    const id = idOf(await compress(other.apiKey, ['a.png']));
    const answers = await Promise.all(
      [id, crypto.randomUUID(), 'x', '..%2f..', 'y'.repeat(3000)].map((unknown) => get(account.apiKey, `/${unknown}`)),
    );
    for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]!.body]);
    expect((await get(other.apiKey, `/${id}`)).status).toBe(200);
    const events = await get(account.apiKey, `/${id}`, { Accept: 'text/event-stream' });
    expect([events.status, events.body.error]).toEqual([404, 'not_found']);
  });

  test('of a batch that was given up delivers nothing and says so', async () => {
    const { apiKey } = account;
    const id = idOf(await compress(apiKey, ['a.png']));
    const stub = env.BATCH.get(env.BATCH.idFromName(id));
    await runInDurableObject(stub, (_instance, state) => {
      const { head } = state.storage.sql.exec<{ head: string }>('SELECT head FROM batch').one();
      state.storage.sql.exec('UPDATE batch SET head = ?', JSON.stringify({ ...JSON.parse(head), state: 'void' }));
    });
    await evictDurableObject(stub);
    expect((await get(apiKey, `/${id}`)).body).toMatchObject({
      state: 'done',
      data: [],
      files: [{ state: 'failed' }],
      errors: [{ error: 'processing_failed', message: expect.stringContaining('not charged') }],
    });
  });

  test('follows as events: the whole body at each change, and the end is always told', async () => {
    const { apiKey } = account;
    const { body } = await compress(apiKey, ['a.png', 'b.png'], { Prefer: 'respond-async' });
    const { status, headers, body: text } = await get(apiKey, `/${body.id}`, { Accept: 'text/event-stream' });
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
    const events = (text as string).split('\n\n').filter((event) => event.startsWith('event: batch\n'));
    const states = events.map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)));
    expect(states.at(-1)).toMatchObject({ id: body.id, state: 'done', data: [{}, {}] });
    expect(states.slice(0, -1).every(({ state }) => state === 'running')).toBe(true);
    const again = await get(apiKey, `/${body.id}`, { Accept: 'text/event-stream' });
    expect((again.body as string).match(/event: batch/g)).toHaveLength(1);
  });
});

describe('GET /api/batches', () => {
  test('lists the account’s batches, newest first, in pages', async () => {
    const own = await newAccount('agency');
    expect((await get(own.apiKey, '')).body).toEqual({ batches: [] });
    const ids: string[] = [];
    for (const names of [['a.png'], ['b.png', 'broken.png'], ['c.png']]) {
      ids.unshift(idOf(await compress(own.apiKey, names)));
      await scheduler.wait(2);
    }
    const all = (await get(own.apiKey, '')).body;
    expect(all.batches.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(all.batches[1]).toEqual({ id: ids[1], files: 2, state: 'done', createdAt: expect.any(String) });
    expect(all).not.toHaveProperty('nextCursor');
    const first = (await get(own.apiKey, '?limit=2')).body;
    const second = (await get(own.apiKey, `?limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.batches, ...second.batches]).toEqual(all.batches);
    expect(second).not.toHaveProperty('nextCursor');
  });

  test('does not list what was refused', async () => {
    const { appKey } = await newAccount('free');
    const form = new FormData();
    form.append('file', new File([new Uint8Array(0)], 'a.png'));
    await send('POST', '/api/compress', { body: form, headers: { Authorization: `Bearer ${appKey}` } });
    expect((await get(appKey, '')).body).toEqual({ batches: [] });
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'limit=', 'limit=1e1', 'cursor=x', 'cursor=', 'cursor=MS4uLw'])(
    'refuses ?%s',
    async (query) => {
      const { status, body } = await get(account.apiKey, `?${query}`);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect(body.message).toContain(query.split('=')[0]);
    },
  );

  test('is for those who have a key', async () => {
    expect((await send('GET', '/api/batches')).status).toBe(401);
    expect((await send('GET', `/api/batches/${crypto.randomUUID()}`)).status).toBe(401);
  });
});
