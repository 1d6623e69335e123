import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { sendBytes } from '../../src/delivery/send-bytes.ts';

test.each([0, 1, 64 * 1024, 64 * 1024 + 1, 300_000])(
  '%i bytes arrive as they are, with their length',
  async (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) ^ (at >> 8));
    const stored = await sendBytes(bytes, (body) => env.BUCKET.put('sent', body));
    expect(stored?.size).toBe(length);
    const back = new Uint8Array(await (await env.BUCKET.get('sent'))!.arrayBuffer());
    expect(back.length === length && back.every((byte, at) => byte === bytes[at])).toBe(true);
    expect(bytes.length).toBe(length);
  },
);

test('a receiver that fails tells why, whether it has read or not', async () => {
  const bytes = new Uint8Array(300_000);
  const unread = sendBytes(bytes, async (body) => {
    await body.cancel();
    throw new Error('the store is away');
  });
  await expect(unread).rejects.toThrow('the store is away');
  const untouched = sendBytes(bytes, () => Promise.reject(new Error('the store was never there')));
  await expect(untouched).rejects.toThrow('the store was never there');
  const begun = sendBytes(bytes, async (body) => {
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    throw new Error('the store broke off');
  });
  await expect(begun).rejects.toThrow('the store broke off');
});

test('a refusal of the bucket is what is thrown', async () => {
  const key = 'k'.repeat(2000);
  await expect(sendBytes(new Uint8Array(100_000), (body) => env.BUCKET.put(key, body))).rejects.toThrow(
    /key|10020|long/i,
  );
});
