import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { ImageData, imageDataBytes } from '../../../../src/image/formats/png/image-data.ts';
import { heldFile } from '../../../../src/image/source-file.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { StoredFile } from '../../../support/stored-file.ts';
import { chunk, concat, damage } from './make-png.ts';

/** What is in front of the data in these files. */
const START = 5;

const fileOf = (...chunks: readonly Uint8Array[]): Uint8Array => concat(new Uint8Array(START), ...chunks);
const bytesTo = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251);

/** All pieces in one. */
async function readAll(data: ImageData): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const piece of data.pieces()) {
    if (piece instanceof Promise) await piece;
    else parts.push(piece.slice());
  }
  return concat(...parts);
}

/** Gets the first piece, then reads the rest of its chunk for its checksum alone. */
async function verifyFirst(data: ImageData): Promise<void> {
  for (const piece of data.pieces()) {
    if (!(piece instanceof Promise)) break;
    await piece;
  }
  for (const loading of data.verify()) await loading;
}

test('is what the chunks hold, however they and the windows are cut, and every byte is read once', async () => {
  const data = fc.uint8Array({ maxLength: 90 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(data, { minLength: 1, maxLength: 12 }),
      data,
      fc.integer({ min: 8, max: 400 }),
      async (datas, behind, most) => {
        const bytes = fileOf(...datas.map((each) => chunk('IDAT', each)), chunk('tEXt', behind), behind);
        const file = new StoredFile(bytes);
        const workspace = new HeapWorkspace();
        const read = await readAll(await ImageData.open(file, START, most, workspace));
        expect(read).toEqual(concat(...datas));
        expect(workspace.arenaBytes).toBe(imageDataBytes(bytes.length, START, most));
        let next = START;
        for (const [start, end] of file.reads) {
          expect(start).toBe(next);
          expect(end).toBeGreaterThan(start);
          expect(end - start).toBeLessThanOrEqual(most);
          next = end;
        }
        expect(next).toBeLessThanOrEqual(bytes.length);
      },
    ),
  );
});

test('of a file in the arena takes nothing and is there chunk by chunk', async () => {
  const bytes = fileOf(chunk('IDAT', bytesTo(5000)), chunk('IDAT', bytesTo(1)), chunk('IEND'));
  const workspace = new HeapWorkspace();
  const region = workspace.arena(bytes.length);
  region.set(bytes);
  const before = workspace.arenaBytes;
  const pieces = [...(await ImageData.open(heldFile(region), START, bytes.length, workspace)).pieces()];
  expect(pieces).toEqual([bytesTo(5000), bytesTo(1)]);
  expect(workspace.arenaBytes).toBe(before);
});

describe.each([8, 9, 100, 5000])('in windows of %i bytes', (most) => {
  const open = (...chunks: readonly Uint8Array[]) =>
    ImageData.open(new StoredFile(fileOf(...chunks)), START, most, new HeapWorkspace());

  test('a chunk that fails its checksum is refused at its end, be the rest of its data wanted or not', async () => {
    const bad = damage(chunk('IDAT', bytesTo(300)));
    const message = /picture data fails its checksum/;
    await expect(readAll(await open(bad, chunk('IEND')))).rejects.toThrow(message);
    await expect(verifyFirst(await open(bad, chunk('IEND')))).rejects.toThrow(message);
    const wrongCrc = chunk('IDAT', bytesTo(300));
    wrongCrc[wrongCrc.length - 1]! ^= 1;
    await expect(verifyFirst(await open(wrongCrc))).rejects.toThrow(message);
  });

  test('only the chunk that was begun is verified', async () => {
    await verifyFirst(await open(chunk('IDAT', bytesTo(300)), damage(chunk('IDAT', bytesTo(300)))));
  });

  test('a chunk that is not all there is refused before its data is read', async () => {
    const whole = chunk('IDAT', bytesTo(300));
    for (const [length, message] of [
      [311, /IDAT chunk runs past the end/],
      [12, /IDAT chunk runs past the end/],
      [11, /ends before the picture does/],
      [8, /ends before the picture does/],
    ] as const) {
      const data = await open(whole.subarray(0, length));
      expect(() => [...data.pieces()]).toThrow(FileError);
      const again = await open(whole.subarray(0, length));
      expect(() => [...again.pieces()]).toThrow(message);
    }
  });

  test('what follows the last chunk is not minded, whatever it is', async () => {
    const data = bytesTo(20);
    for (const behind of [
      Uint8Array.of(),
      Uint8Array.of(0, 0, 0),
      Uint8Array.of(0, 0, 0, 9, 73, 68, 65),
      bytesTo(30),
    ]) {
      expect(await readAll(await open(chunk('IDAT', data), behind))).toEqual(data);
    }
  });
});

test('a window without room for the head of a chunk is a defect of the plan', async () => {
  const file = new StoredFile(fileOf(chunk('IDAT', bytesTo(300))));
  await expect(ImageData.open(file, START, 7, new HeapWorkspace())).rejects.toThrow(TypeError);
});

test('what the store throws comes through as it is', async () => {
  const bytes = fileOf(chunk('IDAT', bytesTo(300)));
  const gone = new Error('gone');
  const file = {
    size: bytes.length,
    read: async (offset: number, into: Uint8Array) => {
      if (offset > 100) throw gone;
      await heldFile(bytes).read(offset, into);
    },
  };
  await expect(readAll(await ImageData.open(file, START, 64, new HeapWorkspace()))).rejects.toBe(gone);
});
