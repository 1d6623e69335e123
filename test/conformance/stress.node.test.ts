import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, fields, file } from './support/client.ts';
import { paddedJpeg, paddedPng, plain, red, scene } from './support/pictures.ts';
import { Server } from './support/server.ts';
import { begunBatches, reservedCompressions, stagedObjects } from './support/state.ts';

const MIB = 1024 * 1024;
const LARGE = Math.floor(19.9 * MIB);
/** What an upload of 400 MB may add to the resident memory of the whole runtime, engine and simulators included. */
const UPLOAD_GROWTH = 300 * MIB;

describe('under load', () => {
  const server = new Server();
  const client = new Client(server);
  let small: Buffer;

  beforeAll(async () => {
    small = await plain(16, 16, red).png().toBuffer();
    await server.start({ RATE_LIMIT_PER_MINUTE: '1000000' });
  });
  afterAll(() => server.dispose());

  test('200 concurrent small requests of ten accounts: no 5xx, and each counter equals what succeeded', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, async () => (await client.account('agency')).key));
    const broken = Buffer.from('no image');
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        client.compress(keys[n % 10]!, [file(small, `${n}.png`), ...(n % 4 === 0 ? [file(broken)] : [])]),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const succeeded = answers.reduce((sum, { data }) => sum + data.length, 0);
    expect(succeeded).toBe(200);
    for (const key of keys) {
      expect((await client.usage(key)).json.compressions).toEqual({ used: 20, limit: 50_000, remaining: 49_980 });
    }
  });

  test('of 60 requests of one account at once those past its plan get 429, and only what succeeded is charged', async () => {
    const { key } = await client.account('agency');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => client.compress(key, [file(small, `${n}.png`)])),
    );
    const done = answers.filter(({ status }) => status === 200).length;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(done).toBeGreaterThanOrEqual(32);
    for (const { status, headers, text } of answers.filter(({ status }) => status === 429)) {
      expect([status, Number(headers.get('retry-after')) > 0, text]).toEqual([
        429,
        true,
        expect.stringMatching(/32 requests at once/),
      ]);
    }
    expect((await client.usage(key)).json.compressions.used).toBe(done);
  });

  test('20 files of 19.9 MB in one request are answered file by file; 21 and one too large are refused while memory stays flat', async () => {
    const { key } = await client.account('agency');
    const jpeg = paddedJpeg(await scene(320, 240).jpeg().toBuffer(), LARGE);
    const png = paddedPng(await scene(320, 240).png().toBuffer(), LARGE);
    await client.compress(key, [file(small)]);
    const before = server.memory();
    const files = Array.from({ length: 20 }, (_, n) => file(n % 2 ? jpeg : png, `${n}.bin`));

    const answer = await client.compress(key, [...fields({ maxWidth: 100 }), ...files]);
    expect(answer).toMatchObject({ status: 200, failures: [] });
    expect(answer.data.map(({ originalName }) => originalName)).toEqual(files.map(({ fileName }) => fileName));
    for (const { originalSize } of answer.data) expect(originalSize).toBeGreaterThan(LARGE - 128 * 1024);

    const tooMany = await client.compress(key, [...files, file(small)]);
    expect(tooMany).toMatchObject({ status: 400, json: { error: 'Maximum 20 images allowed per batch' } });
    const tooLarge = await client.compress(key, [file(paddedPng(small, 20 * MIB + 1), 'x.png')]);
    expect(tooLarge).toMatchObject({ status: 400, json: { error: 'File x.png exceeds the 20MB limit' } });

    const growth = server.memory().peak - before.peak;
    expect({ growth: Math.round(growth / MIB), flat: growth < UPLOAD_GROWTH }).toMatchObject({ flat: true });
    expect((await client.usage(key)).json.compressions.used).toBe(21);
  }, 300_000);

  test('10 accounts at once with batches of their own do not mix files up', async () => {
    const batches = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const { key } = await client.account('agency');
        const width = 20 + n;
        const picture = await scene(width, 10).png().toBuffer();
        const answer = await client.compress(key, [
          ...fields({ format: 'png' }),
          file(picture, `${n}-a.png`),
          file(picture, `${n}-b.png`),
        ]);
        const widths = await Promise.all(
          answer.data.map(async ({ downloadUrl }) => Buffer.from(await client.download(downloadUrl)).readUInt32BE(16)),
        );
        return { names: answer.data.map(({ newName }) => newName), widths, expected: width };
      }),
    );
    for (const [n, { names, widths, expected }] of batches.entries()) {
      expect(names).toEqual([`${n}-a.png`, `${n}-b.png`]);
      expect(widths).toEqual([expected, expected]);
    }
  });
});

describe('killed in the middle of a batch', () => {
  const server = new Server();
  const client = new Client(server);
  afterAll(() => server.dispose());

  test('after a restart the batch goes on without its request: charged once, found in the list, and staging is empty', async () => {
    const settings = { RESERVATION_TTL_SECONDS: '15', STAGING_TTL_SECONDS: '1', RATE_LIMIT_PER_MINUTE: '1000000' };
    await server.start(settings);
    const { key } = await client.account('agency');
    const picture = await scene(1400, 1000).jpeg({ quality: 90 }).toBuffer();
    // Small ones wait in the batch's object, large ones in R2.
    const large = paddedJpeg(picture, 2.5 * MIB);
    const files = Array.from({ length: 20 }, (_, n) => file(n % 2 === 0 ? picture : large, `${n}.jpg`));
    const headers = { 'idempotency-key': 'killed' };
    const send = () => client.compress(key, [...fields({ format: 'webp' }), ...files], { headers });
    const lost = send().then(
      () => 'answered',
      () => 'lost',
    );
    // Read from outside: the service is busy with the pictures.
    // Reserved first, written down by the batch's own object a moment later: killed in between, the batch would be nobody's.
    while (begunBatches(server) === 0) await delay(20);
    server.killAll();
    expect(await lost).toBe('lost');
    expect(reservedCompressions(server)).toBe(20);
    expect(stagedObjects(server).length).toBeGreaterThan(0);

    await server.start(settings);
    const authorized = { headers: { authorization: `Bearer ${key}` } };
    const [{ id }] = (await client.call('/api/batches', authorized)).json.batches;
    const state = async () => (await client.call(`/api/batches/${id}`, authorized)).json.state;
    const deadline = Date.now() + 100_000;
    while ((await state()) === 'running' && Date.now() < deadline) await delay(500);
    const { data } = (await client.call(`/api/batches/${id}`, authorized)).json;
    expect(data).toHaveLength(20);
    expect((await client.download(data[19].downloadUrl)).length).toBe(data[19].optimizedSize);
    expect((await client.usage(key)).json.compressions).toEqual({ used: 20, limit: 50_000, remaining: 49_980 });
    expect((await send()).data.map(({ newName }) => newName)).toEqual(files.map((_, n) => `${n}.webp`));
    expect((await client.usage(key)).json.compressions.used).toBe(20);

    await client.call('/cdn-cgi/handler/scheduled');
    expect(stagedObjects(server)).toEqual([]);
    expect((await client.compress(key, [file(picture)])).data).toHaveLength(1);
  }, 300_000);
});
