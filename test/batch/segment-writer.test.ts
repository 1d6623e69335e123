import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SegmentWriter } from '../../src/batch/segment-writer.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';

const SEGMENT = 12;
const BLOCK = 4;
const ROOM = 2 * SEGMENT;

function gateOf(bytes: number) {
  return new UploadGate(bytes, { floorBytes: BLOCK, clock: new ManualClock() });
}

/** A store that keeps what it is given, and how many segments were under way at once. */
class Store {
  readonly segments: number[][] = [];
  under = 0;
  most = 0;
  failsAt = -1;
  readonly put = async (number: number, pieces: readonly Uint8Array[]): Promise<void> => {
    const bytes = pieces.flatMap((piece) => [...piece]);
    this.most = Math.max(this.most, ++this.under);
    await Promise.resolve();
    this.under--;
    if (number === this.failsAt) throw new Error('the store failed');
    this.segments[number] = bytes;
  };
}

function count(from: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => from + at);
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

/** Writes chunks as they come, then the end. */
async function write(gate: UploadGate, store: Store, lengths: readonly number[]): Promise<readonly number[]> {
  const share = await gate.enter();
  const writer = new SegmentWriter(share, store.put, { segment: SEGMENT, block: BLOCK });
  try {
    let at = 0;
    for (const length of lengths) {
      await writer.whileWaiting(Promise.resolve());
      await writer.add(count(at, length));
      at += length;
    }
    await writer.end();
    return writer.sizes;
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    share.leave();
  }
}

test('beside nobody, however a file arrives, its segments are full, in order, one under way at a time, and the gate is free at the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(35), { maxLength: 12 }), async (lengths) => {
      const store = new Store();
      const gate = gateOf(ROOM);
      const sizes = await write(gate, store, lengths);
      const size = sum(lengths);
      expect(store.segments.flat()).toEqual([...count(0, size)]);
      expect(sizes).toEqual(store.segments.map(({ length }) => length));
      expect(sizes.slice(0, -1).every((length) => length === SEGMENT)).toBe(true);
      expect([sizes.length, store.most]).toEqual([Math.ceil(size / SEGMENT), Math.min(1, size)]);
      expect(gate.free).toBe(ROOM);
    }),
  );
});

test('files that share a gate with next to no room all end whole: none waits for another while it holds what that one needs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: BLOCK, max: 3 * SEGMENT }),
      fc.array(fc.nat(20), { maxLength: 8 }),
      async (room, lengths) => {
        const gate = gateOf(room);
        const stores = Array.from({ length: 4 }, () => new Store());
        const sizes = await Promise.all(stores.map((store) => write(gate, store, lengths)));
        for (const [at, { segments }] of stores.entries()) {
          expect(segments.flat()).toEqual([...count(0, sum(lengths))]);
          expect(sizes[at]).toEqual(segments.map(({ length }) => length));
        }
        expect(gate.free).toBe(room);
      },
    ),
  );
});

test('a file whose client pauses stores what it has when others need the memory', async () => {
  const gate = gateOf(SEGMENT);
  const [share, store] = [await gate.enter(), new Store()];
  const writer = new SegmentWriter(share, store.put, { segment: SEGMENT, block: BLOCK });
  await writer.add(count(0, 11));
  const pause = Promise.withResolvers<void>();
  const waiting = writer.whileWaiting(pause.promise);
  await settle();
  expect(store.segments).toEqual([]);
  const other = new Store();
  expect(await write(gate, other, [12, 12])).toHaveLength(2);
  expect(store.segments).toEqual([[...count(0, 11)]]);
  pause.resolve();
  await waiting;
  await writer.add(count(11, 3));
  await writer.end();
  expect(writer.sizes).toEqual([11, 3]);
  expect(store.segments.flat()).toEqual([...count(0, 14)]);
});

test.each([0, 1, 3])(
  'a store that fails at segment %i ends the file, and everything is given back',
  async (failsAt) => {
    const store = new Store();
    store.failsAt = failsAt;
    const gate = gateOf(ROOM);
    await expect(write(gate, store, [8, 8, 8, 8, 8, 8])).rejects.toThrow('the store failed');
    expect(store.under).toBe(0);
    expect(gate.free).toBe(ROOM);
  },
);
