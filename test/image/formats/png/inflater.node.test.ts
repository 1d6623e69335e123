import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { Inflater } from '../../../../src/image/formats/png/inflater.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { piecesInArena, seededRandom } from './collect.ts';

const MOST = 100_000;

/** Adler-32 (RFC 1950, clause 9), highest byte first. */
function adler32(data: Uint8Array): number[] {
  let a = 1;
  let b = 0;
  for (const byte of data) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return [b >> 8, b & 255, a >> 8, a & 255];
}

/** What zlib makes of a raw stream and how many bytes it took; undefined where it refuses it. */
function judge(body: Uint8Array): { data: Uint8Array; taken: number } | undefined {
  try {
    const { buffer, engine } = inflateRawSync(body, { info: true, maxOutputLength: MOST } as object) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { data: buffer, taken: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** Inflates what is there; the bytes behind the last region must stay as they are. */
function inflate(stream: Uint8Array, expected: number): Uint8Array {
  const workspace = new HeapWorkspace();
  const inflater = new Inflater(piecesInArena([stream], workspace), MOST, workspace);
  const fence = workspace.arena(64).fill(0xa5);
  try {
    const at = inflater.take(expected);
    if (typeof at !== 'number') throw new TypeError('the stream ended before its time');
    expect(inflater.take(1)).toBeUndefined();
    return new Uint8Array(fence.buffer, at, expected).slice();
  } finally {
    expect(fence.every((byte) => byte === 0xa5)).toBe(true);
  }
}

test('of changed streams, those that zlib reads come out the same and the others are refused', () => {
  const random = seededRandom(4711);
  const seen = { read: 0, refused: 0 };
  for (let round = 0; round < 3000; round++) {
    const values = 1 + random(200);
    const source = Uint8Array.from({ length: 50 + random(3000) }, (_, at) =>
      random(4) ? at % values : random(values),
    );
    const body = deflateRawSync(source, { level: random(10), strategy: random(5) });
    // Most of what can go wrong is in the tables at the start.
    for (let changes = random(4); changes > 0; changes--) {
      const at = random(random(2) ? Math.min(40, body.length) : body.length);
      body[at] = body[at]! ^ (1 << random(8));
    }
    const right = judge(body);
    if (right === undefined) {
      // With bytes behind it, so that it is not only refused for its length.
      expect(() => inflate(Uint8Array.of(0x78, 0x9c, ...body, 0, 0, 0, 0), MOST)).toThrow(FileError);
      seen.refused++;
      continue;
    }
    const stream = Uint8Array.of(0x78, 0x9c, ...body.subarray(0, right.taken), ...adler32(right.data));
    expect(Buffer.compare(inflate(stream, right.data.length), right.data)).toBe(0);
    seen.read++;
  }
  expect(seen.read).toBeGreaterThan(500);
  expect(seen.refused).toBeGreaterThan(500);
}, 60_000);

test.each([
  ['another method', 0x79, 0x9c],
  ['a window beyond 32 KiB', 0x88, 0x1c],
  ['a wrong check of the header', 0x78, 0x9d],
  ['a preset dictionary', 0x78, 0xbb],
])('a header with %s is refused', (_name, first, second) => {
  const body = deflateRawSync(Uint8Array.of(1, 2, 3));
  const tail = [...body, ...adler32(Uint8Array.of(1, 2, 3))];
  expect([...inflate(Uint8Array.of(0x78, 0x9c, ...tail), 3)]).toEqual([1, 2, 3]);
  expect(() => inflate(Uint8Array.of(first, second, ...tail), 3)).toThrow(FileError);
});
