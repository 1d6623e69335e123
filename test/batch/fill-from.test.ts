import { expect, test } from 'vitest';
import { fillFrom } from '../../src/batch/fill-from.ts';

const bytes = Uint8Array.from({ length: 600_000 }, (_, at) => at % 251);

function bodyOf(data: Uint8Array<ArrayBuffer>): ReadableStream {
  return new Response(data).body!;
}

test('fills what it is given from a body of any length that has enough', async () => {
  for (const length of [0, 1, 262_144, 262_145, 600_000]) {
    const into = new Uint8Array(length);
    expect(await fillFrom(bodyOf(bytes), into)).toBe(true);
    expect(into.every((byte, at) => byte === bytes[at])).toBe(true);
  }
});

test('says so when a body is too short', async () => {
  expect(await fillFrom(bodyOf(bytes), new Uint8Array(600_001))).toBe(false);
  expect(await fillFrom(bodyOf(bytes.slice(0, 10)), new Uint8Array(600_001))).toBe(false);
});

/** A body whose reader passes on the buffer that it is given, as a native one does, and keeps an eye on it. */
function watchedBody(data: Uint8Array): { readonly body: ReadableStream; readonly buffers: ArrayBuffer[] } {
  const buffers: ArrayBuffer[] = [];
  let at = 0;
  const readAtLeast = async (least: number, view: Uint8Array<ArrayBuffer>) => {
    const buffer = view.buffer.transfer();
    buffers.push(buffer);
    const value = new Uint8Array(buffer, 0, Math.min(least, data.length - at));
    value.set(data.subarray(at, at + value.length));
    at += value.length;
    return { value, done: false };
  };
  return { body: { getReader: () => ({ readAtLeast }) } as unknown as ReadableStream, buffers };
}

test.each([600_000, 300_000])(
  'leaves no buffer to the collector, of a body of %i bytes: hundreds of reads would stand until it comes by',
  async (length) => {
    const { body, buffers } = watchedBody(bytes.subarray(0, length));
    expect(await fillFrom(body, new Uint8Array(600_000))).toBe(length === 600_000);
    expect(buffers.length).toBeGreaterThan(1);
    expect(buffers.every(({ detached }) => detached)).toBe(true);
  },
);
