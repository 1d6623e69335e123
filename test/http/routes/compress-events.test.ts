import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiClient, eventsOf, newAccount, type ServerEvent } from '../../support/api-client.ts';
import { smallPng } from '../../support/small-png.ts';

const { send } = apiClient();

type Account = Awaited<ReturnType<typeof newAccount>>;
type Sent = {
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly fields?: Record<string, string>;
};

async function compress(key: string, names: readonly string[], { headers, query = '', fields = {} }: Sent = {}) {
  const form = new FormData();
  for (const [place, name] of names.entries()) {
    const content = name.startsWith('broken') ? smallPng(9, 9).slice(0, 60) : smallPng(24, 16, place);
    form.append('file', new File([content], name), name);
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return await send('POST', `/api/compress${query}`, {
    body: form,
    headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream', ...headers },
  });
}

const named = (events: readonly ServerEvent[], name: string) =>
  events.filter(({ event }) => event === name).map(({ data }) => data);

/** The last that was told of each file, by its place. */
function outcomes(events: readonly ServerEvent[]): unknown[] {
  const last: unknown[] = [];
  for (const { event, data } of events) {
    if (event === 'result') last[data.index] = withoutLink(data.item);
    if (event === 'failure') last[data.index] = data;
  }
  return last;
}

function withoutLink({ downloadUrl, ...item }: { downloadUrl: string }) {
  return { ...item, path: new URL(downloadUrl).pathname };
}

let account: Account;
beforeAll(async () => {
  account = await newAccount('agency');
});

describe('POST /api/compress with Accept: text/event-stream', () => {
  test('tells of every file, then of the usage, and then that it is done', async () => {
    const own = await newAccount('agency');
    const { status, headers, body } = await compress(own.apiKey, ['a.png', 'broken.png', 'a.png']);
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const events = eventsOf(body);
    expect(events[0]).toEqual({ event: 'accepted', data: { requestId: headers.get('X-Request-Id'), files: 3 } });
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['usage', 'done']);
    expect(events.at(-1)!.data).toEqual({});
    expect(named(events, 'usage')).toMatchObject([{ plan: 'agency', compressions: { used: 2 } }]);
    // What is done before the stream begins is told as done.
    for (const { index } of named(events, 'file')) expect([0, 1, 2]).toContain(index);
    expect(outcomes(events)).toMatchObject([
      { originalName: 'a.png', newName: 'a.webp' },
      { index: 1, name: 'broken.png', error: 'broken_image' },
      { originalName: 'a.png', newName: 'a-2.webp' },
    ]);
    for (const { item } of named(events, 'result')) {
      expect((await send('GET', item.downloadUrl.slice('https://plume.test'.length))).status).toBe(200);
    }
  });

  test('comes to what the JSON answer says', async () => {
    const names = ['a.png', 'broken.png', 'b.png', 'a.png'];
    const events = eventsOf((await compress(account.apiKey, names)).body);
    const { body } = await compress(account.apiKey, names, { headers: { Accept: '*/*' }, query: '?include=errors' });
    const told = outcomes(events) as { path?: string; index?: number }[];
    const plain = ({ path: _, ...item }: { path?: string }) => item;
    expect(told.filter(({ path }) => path).map(plain)).toEqual(body.data.map(withoutLink).map(plain));
    expect(told.filter(({ path }) => !path)).toEqual(body.errors);
  });

  test('shows details where they are asked for', async () => {
    const events = eventsOf((await compress(account.apiKey, ['a.png'], { query: '?include=details' })).body);
    expect(named(events, 'result')).toMatchObject([{ item: { width: 24, height: 16, warnings: [] } }]);
  });

  test('repeated under its Idempotency-Key tells the same again and costs nothing', async () => {
    const own = await newAccount('agency');
    const headers = { 'Idempotency-Key': 'events' };
    const first = eventsOf((await compress(own.apiKey, ['a.png', 'broken.png'], { headers })).body);
    const second = eventsOf((await compress(own.apiKey, ['a.png', 'broken.png'], { headers })).body);
    expect(second[0]).toEqual(first[0]);
    expect(outcomes(second)).toEqual(outcomes(first));
    expect(named(second, 'usage')).toMatchObject([{ compressions: { used: 1 } }]);
    expect(second.at(-1)!.event).toBe('done');
  });

  test('repeated as JSON gets the answer of the same batch', async () => {
    const headers = { 'Idempotency-Key': 'events then json' };
    const events = eventsOf((await compress(account.apiKey, ['a.png'], { headers })).body);
    const { body } = await compress(account.apiKey, ['a.png'], { headers: { ...headers, Accept: '*/*' } });
    expect(body.data.map(withoutLink)).toEqual(outcomes(events));
  });

  test('under the key of a request that still runs follows that one', async () => {
    const own = await newAccount('agency');
    const headers = { 'Idempotency-Key': 'running' };
    const names = Array.from({ length: 12 }, (_, place) => `${place}.png`);
    const [first, second] = await Promise.all([
      compress(own.apiKey, names, { headers }),
      compress(own.apiKey, names, { headers }),
    ]);
    const [one, other] = [eventsOf(first.body), eventsOf(second.body)];
    expect(other[0]).toEqual(one[0]);
    expect(outcomes(other)).toEqual(outcomes(one));
    expect(named(one, 'usage')).toMatchObject([{ compressions: { used: 12 } }]);
  });

  test('of a client that left goes on: the batch is found, and a repetition is told all of it', async () => {
    const own = await newAccount('agency');
    const form = () => {
      const form = new FormData();
      for (let place = 0; place < 6; place++) form.append('file', new File([smallPng(30, 30, place)], `${place}.png`));
      return form;
    };
    const headers = { Authorization: `Bearer ${own.apiKey}`, Accept: 'text/event-stream', 'Idempotency-Key': 'left' };
    const init = { method: 'POST', body: form(), headers };
    const response = await exports.default.fetch(new Request('https://plume.test/api/compress', init));
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    const events = eventsOf((await send('POST', '/api/compress', { body: form(), headers })).body);
    expect(named(events, 'accepted')).toEqual([{ requestId: response.headers.get('X-Request-Id'), files: 6 }]);
    expect(outcomes(events)).toHaveLength(6);
    expect(named(events, 'usage')).toMatchObject([{ compressions: { used: 6 } }]);
  });

  test('goes on where the object of the batch is reset in the middle', { timeout: 20_000 }, async () => {
    const own = await newAccount('agency');
    const form = new FormData();
    for (let place = 0; place < 16; place++) form.append('file', new File([smallPng(200, 200, place)], `${place}.png`));
    const headers = { Authorization: `Bearer ${own.apiKey}`, Accept: 'text/event-stream' };
    const init = { method: 'POST', body: form, headers };
    const response = await exports.default.fetch(new Request('https://plume.test/api/compress', init));
    let text = '';
    let resets = 0;
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (resets === 0 && text.includes('event: result')) {
        resets++;
        const stub = env.BATCH.get(env.BATCH.idFromName(response.headers.get('X-Request-Id')!));
        await runInDurableObject(stub, (_instance, state) => state.abort('a reset')).catch(() => {});
      }
    }
    const events = eventsOf(text);
    expect([resets, events.at(-1)!.event]).toEqual([1, 'done']);
    expect(outcomes(events)).toHaveLength(16);
    expect(named(events, 'usage')).toMatchObject([{ compressions: { used: 16 } }]);
  });

  test('is refused with a status and a JSON body before the first event', async () => {
    const { appKey } = await newAccount('free');
    const refused = await compress(appKey, ['a.png'], { fields: { autoAltText: 'true' } });
    expect([refused.status, refused.body.error]).toEqual([403, 'ia_not_available']);
    const wrong = await compress(account.apiKey, ['a.png'], { fields: { quality: '7' } });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_request']);
    expect((await compress('plume_no', ['a.png'])).status).toBe(401);
  });

  test('of a batch that was given up delivers nothing', async () => {
    const headers = { 'Idempotency-Key': 'given up' };
    const first = eventsOf((await compress(account.apiKey, ['a.png'], { headers })).body);
    const id = first[0]!.data.requestId;
    const stub = env.BATCH.get(env.BATCH.idFromName(id));
    await runInDurableObject(stub, (_instance, state) => {
      const { head } = state.storage.sql.exec<{ head: string }>('SELECT head FROM batch').one();
      state.storage.sql.exec('UPDATE batch SET head = ?', JSON.stringify({ ...JSON.parse(head), state: 'void' }));
    });
    await abortAllDurableObjects();
    const body = (await send('GET', `/api/batches/${id}`, { headers: { Authorization: `Bearer ${account.apiKey}` } }))
      .body;
    expect(body).toMatchObject({ data: [], errors: [{ error: 'processing_failed' }] });
  });
});

describe('?include=details', () => {
  const json = { headers: { Accept: '*/*' } };

  test('tells sides, format and savings of each result, and nothing where it is not asked for', async () => {
    const fields = { maxWidth: '12', quality: '70' };
    const { body } = await compress(account.apiKey, ['a.png'], { ...json, fields, query: '?include=details' });
    const [item] = body.data;
    expect(item).toMatchObject({
      width: 12,
      height: 8,
      originalWidth: 24,
      originalHeight: 16,
      format: 'webp',
      savedBytes: item.originalSize - item.optimizedSize,
      quality: 70,
      unchanged: false,
      warnings: [],
    });
    expect(item.savedPercent).toBeCloseTo((100 * item.savedBytes) / item.originalSize, 1);
    const plain = (await compress(account.apiKey, ['a.png'], { ...json, fields })).body.data[0];
    expect(Object.keys(plain)).toEqual(['originalName', 'newName', 'originalSize', 'optimizedSize', 'downloadUrl']);
  });

  test('has no quality for png, and can be joined with errors', async () => {
    const sent = { ...json, fields: { format: 'png' }, query: '?include=details,errors' };
    const { body } = await compress(account.apiKey, ['a.png', 'broken.png'], sent);
    expect(body.data).toMatchObject([{ format: 'png', quality: null }]);
    expect(body.errors).toMatchObject([{ index: 1 }]);
  });

  test('warns of AI texts that failed', async () => {
    const id = (await compress(account.apiKey, ['a.png'], json)).headers.get('X-Request-Id')!;
    const stub = env.BATCH.get(env.BATCH.idFromName(id));
    await runInDurableObject(stub, (_instance, state) => {
      const { record } = state.storage.sql.exec<{ record: string }>('SELECT record FROM files').one();
      const file = JSON.parse(record);
      const outcome = { ...file.outcome, description: { calls: 2, failure: 'timeout' } };
      state.storage.sql.exec('UPDATE files SET record = ?', JSON.stringify({ ...file, outcome }));
    });
    await abortAllDurableObjects();
    const headers = { Authorization: `Bearer ${account.apiKey}` };
    const { body } = await send('GET', `/api/batches/${id}?include=details`, { headers });
    expect(body.data).toMatchObject([{ warnings: [{ code: 'ai_failed' }], width: 24 }]);
    expect((await send('GET', `/api/batches/${id}`, { headers })).body.data[0]).not.toHaveProperty('width');
  });
});
