import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SegmentWriter } from '../../src/batch/segment-writer.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';

const SEGMENT = 10;
const endless = () => Number.POSITIVE_INFINITY;

/** A store that keeps what it is given, and how many segments were under way at once. */
class Store {
  readonly segments: number[][] = [];
  under = 0;
  most = 0;
  failsAt = -1;
  readonly put = async (number: number, bytes: Uint8Array): Promise<void> => {
    this.most = Math.max(this.most, ++this.under);
    await Promise.resolve();
    this.under--;
    if (number === this.failsAt) throw new Error('the store failed');
    this.segments[number] = [...bytes];
  };
}

function count(from: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => from + at);
}

async function write(writer: SegmentWriter, lengths: readonly number[]): Promise<void> {
  await writer.begin(endless());
  let at = 0;
  for (const length of lengths) {
    await writer.add(count(at, length), endless);
    at += length;
  }
  await writer.end();
}

test('however a file arrives, its segments are full, in order, one under way at a time, and the gate is free at the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(35), { maxLength: 12 }), async (lengths) => {
      const store = new Store();
      const gate = new UploadGate(2 * SEGMENT);
      const writer = new SegmentWriter(SEGMENT, gate, store.put);
      await write(writer, lengths);
      const size = lengths.reduce((sum, length) => sum + length, 0);
      expect(store.segments.flat()).toEqual([...count(0, size)]);
      expect(store.segments.slice(0, -1).every(({ length }) => length === SEGMENT)).toBe(true);
      expect([writer.count, store.most]).toEqual([Math.ceil(size / SEGMENT), Math.min(1, size)]);
      (await gate.acquire(2 * SEGMENT))();
    }),
  );
});

test('files that share a gate with room for one segment all end: none waits for another while it holds what that one needs', async () => {
  const gate = new UploadGate(SEGMENT);
  const stores = Array.from({ length: 4 }, () => new Store());
  await Promise.all(stores.map((store) => write(new SegmentWriter(SEGMENT, gate, store.put), [7, 7, 7, 7, 7])));
  for (const { segments } of stores) expect(segments.flat()).toEqual([...count(0, 35)]);
});

test.each([0, 1, 3])(
  'a store that fails at segment %i ends the file, and everything is given back',
  async (failsAt) => {
    const store = new Store();
    store.failsAt = failsAt;
    const gate = new UploadGate(2 * SEGMENT);
    const writer = new SegmentWriter(SEGMENT, gate, store.put);
    await expect(write(writer, [8, 8, 8, 8, 6])).rejects.toThrow('the store failed');
    await writer.abort();
    expect(store.under).toBe(0);
    (await gate.acquire(2 * SEGMENT))();
  },
);
