import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, fields, file, formBody, type Part } from './support/client.ts';
import { plain, red } from './support/pictures.ts';
import { Server } from './support/server.ts';

const MIB = 1024 * 1024;
const MOST = 20 * MIB;
const FILES = 20;
/** What the platform's edge takes on most plans. */
const MAX_REQUEST_BYTES = 100_000_000;
const WIDTH = 2600;
const HEIGHT = 2680;

/*
 * The largest batch there is, 20 files of 20 MB, on a service that takes 100 MB in a request: each file goes ahead by itself, then one
 * request names them all. The files are pictures of 7 megapixels, deflated without compression, so that they are large and quickly read.
 */
const server = new Server();
const client = new Client(server);
let key = '';
beforeAll(async () => {
  await server.start({ MAX_REQUEST_BYTES: String(MAX_REQUEST_BYTES) });
  key = (await client.account('free')).key;
}, 300_000);
afterAll(() => server.dispose());

/** A gradient with a colour of its own. */
function largePng(seed: number): Buffer<ArrayBuffer> {
  const stride = 1 + WIDTH * 3;
  const row = Buffer.alloc(stride);
  for (let x = 0; x < WIDTH; x++) row.set([x & 255, (x >> 4) & 255, seed * 12], 1 + x * 3);
  const rows = Buffer.alloc(stride * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) row.copy(rows, y * stride);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const data = deflateSync(rows, { level: 0 });
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function upload(name: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { authorization: `Bearer ${key}` };
  return client.call(`/api/uploads?name=${name}`, { method: 'POST', headers, body });
}

test('20 files of 20 MB go through on any plan: uploads first, then one request that names them', async () => {
  const small = await plain(16, 16, red).png().toBuffer();
  const before = await client.compress(key, [file(small)]);
  expect(before.status).toBe(200);
  const start = server.memory().now;
  const ids: string[] = [];
  const started = performance.now();
  for (let n = 0; n < FILES; n++) {
    const png = largePng(n);
    expect(png.length).toBeGreaterThan(20_000_000);
    expect(png.length).toBeLessThanOrEqual(MOST);
    const { status, json } = await upload(`large-${n}.png`, png);
    expect([status, json.size]).toEqual([201, png.length]);
    ids.push(json.uploadId);
  }
  const uploaded = performance.now();
  const parts: Part[] = ids.map((value) => ({ name: 'uploadId', value }));
  const { status, data, failures } = await client.compress(key, [...fields({ format: 'jpg', maxWidth: 64 }), ...parts]);
  const done = performance.now();
  const growth = Math.round((server.memory().peak - start) / MIB);
  console.log(
    JSON.stringify({
      uploadMs: Math.round(uploaded - started),
      batchMs: Math.round(done - uploaded),
      growthMiB: growth,
    }),
  );
  expect([status, failures]).toEqual([200, []]);
  expect(data.map(({ originalName }) => originalName)).toEqual(ids.map((_, n) => `large-${n}.png`));
  expect(data.reduce((sum, { originalSize }) => sum + originalSize, 0)).toBeGreaterThan(400_000_000);
  // The plan keeps one such batch at a time.
  const further = await upload('further.png', largePng(0));
  expect([further.status, further.json.error]).toEqual([429, 'rate_limited']);
  expect((await client.usage(key)).json.compressions.used).toBe(FILES + 1);
}, 240_000);

test('more than that in one request is refused with the way round it, announced or not', async () => {
  const png = largePng(0);
  const body = formBody(Array.from({ length: 5 }, (_, n) => file(png, `${n}.png`)));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=plume-conformance' };
  const send = (init: RequestInit) => client.call('/api/compress', { method: 'POST', headers, ...init });
  const chunked: RequestInit & { duplex: 'half' } = { body: new Blob([body]).stream(), duplex: 'half' };
  for (const refused of [await send({ body }), await send(chunked)]) {
    expect([refused.status, refused.json?.error]).toEqual([413, 'payload_too_large']);
    expect(refused.json.message).toMatch(/more than 100 MB.*Split.*POST \/api\/uploads/);
  }
  expect((await client.usage(key)).json.compressions.used).toBe(FILES + 1);
}, 120_000);
