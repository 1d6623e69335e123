import { constants, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { Inflater, inflaterBytes } from '../../../../src/image/formats/png/inflater.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { piecesInArena, seededRandom } from './collect.ts';

/** More than any of these streams inflates to. */
const ROOM = 256 * 1024;

/** Inflates all of a stream given in pieces, `most` bytes at once, then one by one; the arena must be no more than was planned. */
function inflate(pieces: readonly Uint8Array[], most: number): Uint8Array {
  const workspace = new HeapWorkspace();
  const all = workspace.arena(0).buffer;
  const inflater = new Inflater(piecesInArena(pieces, workspace), most, workspace);
  expect(workspace.arenaBytes).toBeLessThanOrEqual(inflaterBytes(most));
  const whole = new Uint8Array(ROOM);
  let size = 0;
  const take = (bytes: number): boolean => {
    const at = inflater.take(bytes);
    if (typeof at !== 'number') return false;
    whole.set(new Uint8Array(all, at, bytes), size);
    size += bytes;
    return true;
  };
  while (take(most));
  while (take(1));
  return whole.subarray(0, size);
}

function cut(data: Uint8Array, random: (limit: number) => number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < data.length; ) {
    const end = Math.min(data.length, at + random(random(3) === 0 ? 5 : 4000));
    pieces.push(data.subarray(at, end));
    at = end;
  }
  return pieces;
}

/** Data of every sort that deflate treats differently. */
function material(kind: string, size: number, random: (limit: number) => number): Uint8Array {
  const data = new Uint8Array(size);
  for (let at = 0; at < size; at++) {
    if (kind === 'noise') data[at] = random(256);
    else if (kind === 'few values') data[at] = random(3);
    else if (kind === 'steep') data[at] = Math.floor(2 ** (random(800) / 100)) - 1;
    else if (kind === 'periods')
      data[at] = at % (1 + ((at >> 9) % 40)) === 0 ? random(256) : data[Math.max(0, at - 1 - ((at >> 9) % 40))]!;
    else if (kind === 'far copies') data[at] = at < 32_700 ? random(256) : data[at - 32_700 - ((at >> 10) % 68)]!;
    else data[at] = 7;
  }
  return data;
}

const kinds = ['noise', 'few values', 'steep', 'periods', 'far copies', 'one value'];
const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED } = constants;
const strategies = [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED];

describe.each(kinds)('%s', (kind) => {
  test.each([0, 1, 6, 9])('deflated at level %i with any strategy comes back, however it is cut', (level) => {
    const random = seededRandom(level * 31 + kind.length);
    for (const strategy of strategies) {
      const data = material(kind, 60_000 + random(120_000), random);
      const stream = deflateSync(data, { level, strategy, memLevel: 1 + random(9) });
      const whole = inflate([stream], 1 + random(5000));
      expect(whole.length).toBe(data.length);
      expect(Buffer.compare(whole, data)).toBe(0);
      expect(Buffer.compare(inflate(cut(stream, random), 1 + random(100_000)), data)).toBe(0);
    }
  });
});

describe('a short stream', () => {
  const random = seededRandom(77);
  const data = material('periods', 700, random);
  const streams = [0, 1, 9]
    .map((level) => deflateSync(data, { level }))
    .concat(
      deflateSync(data, { strategy: Z_FIXED }),
      deflateSync(material('steep', 3000, random)),
      deflateSync(new Uint8Array(0)),
    );

  test('may be cut in two anywhere, and into single bytes', () => {
    for (const stream of streams) {
      const whole = inflate([stream], 50);
      for (let at = 0; at <= stream.length; at++) {
        expect(Buffer.compare(inflate([stream.subarray(0, at), stream.subarray(at)], 50), whole)).toBe(0);
      }
      expect(
        Buffer.compare(
          inflate(
            Array.from(stream, (byte) => Uint8Array.of(byte)),
            7,
          ),
          whole,
        ),
      ).toBe(0);
    }
  });

  test('that ends early is refused wherever it ends', () => {
    for (const stream of streams) {
      for (let length = 0; length < stream.length; length++) {
        expect(() => inflate([stream.subarray(0, length)], 50)).toThrow(FileError);
      }
    }
  });

  test('may be followed by anything', () => {
    for (const stream of streams) {
      const whole = inflate([stream], 50);
      expect(inflate([stream, Uint8Array.of(1, 2, 3)], 50)).toEqual(whole);
    }
  });

  test('with a wrong checksum is refused at its end', () => {
    for (const stream of streams) {
      const wrong = stream.slice();
      wrong[wrong.length - 1]! ^= 1;
      expect(() => inflate([wrong], 50)).toThrow(FileError);
    }
  });
});
