import { readFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DEFLATE_WORK_BYTES,
  type DeflateEffort,
  Deflater,
  deflateEfforts,
} from '../../../../src/image/formats/png/deflater.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { seededRandom } from './collect.ts';

interface Way {
  /** Bytes given at once; all at once where absent. */
  readonly give?: number;
  readonly pieceBytes?: number;
  readonly dry?: boolean;
}

/** Deflates; the bytes behind the last region must stay as they are. */
function deflate(data: Uint8Array, effort: DeflateEffort, { give, pieceBytes = 65_536, dry = false }: Way = {}) {
  const workspace = new HeapWorkspace();
  const input = workspace.arena(data.length);
  input.set(data);
  const deflater = new Deflater(pieceBytes, workspace);
  const fence = workspace.arena(64).fill(0xa5);
  deflater.begin(effort, dry);
  const pieces: Uint8Array[] = [];
  const step = give ?? Math.max(1, data.length);
  for (let at = 0; at < data.length; at += step) {
    for (const piece of deflater.deflate(input.byteOffset + at, Math.min(step, data.length - at)))
      pieces.push(piece.slice());
  }
  for (const piece of deflater.end()) pieces.push(piece.slice());
  expect(fence.every((byte) => byte === 0xa5)).toBe(true);
  return { stream: Buffer.concat(pieces), size: deflater.size };
}

const random = seededRandom(2024);

/** Repeats of earlier bytes, near and far, between new ones. */
function repetitive(bytes: number, farthest: number): Uint8Array {
  const data = new Uint8Array(bytes);
  for (let at = 0; at < bytes; ) {
    const length = Math.min(bytes - at, 1 + random(random(8) ? 20 : 700));
    const back = 1 + random(Math.min(Math.max(1, at), farthest));
    const fresh = at === 0 || random(3) === 0;
    for (let i = 0; i < length; i++, at++) data[at] = fresh ? random(40) : data[at - back]!;
  }
  return data;
}

const inputs: readonly (readonly [string, Uint8Array])[] = [
  ['nothing', new Uint8Array(0)],
  ['one byte', Uint8Array.of(7)],
  ['two bytes', Uint8Array.of(7, 7)],
  ['zeros', new Uint8Array(500_000)],
  ['noise', Uint8Array.from({ length: 300_000 }, () => random(256))],
  ['noise of one bit', Uint8Array.from({ length: 100_000 }, () => random(2))],
  ['noise, zeros, noise', Uint8Array.from({ length: 300_000 }, (_, at) => (at % 100_000 < 50_000 ? random(256) : 0))],
  ['noise again behind exactly 32 KiB', repeatedNoise(32_768)],
  ['noise again behind one byte less', repeatedNoise(32_767)],
  ['noise again behind one byte more', repeatedNoise(32_769)],
  ['text', readFileSync(import.meta.filename)],
  ['repeats', repetitive(400_000, 65_536)],
  ['near repeats', repetitive(200_000, 12)],
  ['few symbols, very uneven', Uint8Array.from({ length: 200_000 }, () => Math.clz32(random(0x7fffffff)))],
  ...[65_535, 65_536, 65_537, 65_802, 196_608, 196_609].map(
    (bytes) => [`${bytes} bytes`, repetitive(bytes, 300)] as const,
  ),
];

function repeatedNoise(period: number): Uint8Array {
  const noise = Uint8Array.from({ length: period }, () => random(256));
  return Uint8Array.from({ length: 3 * period }, (_, at) => noise[at % period]!);
}

describe.each(Object.entries(deflateEfforts))('%s', (name, effort) => {
  test.each(inputs)('%s comes out as it went in, and is as long as counted', (_name, data) => {
    const { stream, size } = deflate(data, effort);
    expect(Buffer.compare(inflateSync(stream), data)).toBe(0);
    expect(stream.length).toBe(size);
    expect(deflate(data, effort, { dry: true })).toEqual({ stream: Buffer.alloc(0), size });
    // What cannot be compressed grows by the heads of stored blocks alone (RFC 1951, 3.2.4).
    expect(size).toBeLessThanOrEqual(data.length + 5 * Math.ceil(data.length / 16_000) + 16);
  });

  test('the stream does not depend on how the input is cut, nor on the room for output', () => {
    const data = repetitive(150_000, 40_000);
    const { stream } = deflate(data, effort);
    for (const way of [{ give: 1 }, { give: 999 }, { give: 70_001 }, { pieceBytes: 1024 }, { pieceBytes: 5000 }]) {
      expect(Buffer.compare(deflate(data, effort, way).stream, stream)).toBe(0);
    }
  });

  test('any bytes come out as they went in', () => {
    const runs = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.tuple(fc.nat(255), fc.nat(5000)).map(([value, length]) => new Uint8Array(length).fill(value)),
        fc
          .tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(100))
          .map(([part, times]) => Buffer.concat(Array(times).fill(part))),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(
        runs,
        fc.integer({ min: 1, max: 9000 }),
        fc.integer({ min: 1024, max: 3000 }),
        (parts, give, pieceBytes) => {
          const data = Buffer.concat(parts);
          const { stream } = deflate(data, effort, { give, pieceBytes });
          expect(Buffer.compare(inflateSync(stream), data)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('text is not much longer than zlib makes it', () => {
    const text = readFileSync('package-lock.json');
    const most = { fastest: 1.1, lazy: 1.03, quick: 1.05, fair: 1.04, good: 1.02, high: 1.01, better: 1, best: 0.99 }[
      name as keyof typeof deflateEfforts
    ];
    const zlib = deflateSync(text, { level: 9, memLevel: 9 }).length;
    expect(deflate(text, effort).size).toBeLessThan(zlib * most);
  });
});

test('the work region is as large as the kernel says', async () => {
  const module = (await import('../../../../build/deflate.wasm')).default as unknown as WebAssembly.Module;
  const { workBytes } = new HeapWorkspace().kernel<{ workBytes(): number }>(module);
  expect(workBytes()).toBe(DEFLATE_WORK_BYTES);
});
