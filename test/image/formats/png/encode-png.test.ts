import { describe, expect, test } from 'vitest';
import { encodePng, planPngEncode } from '../../../../src/image/formats/png/encode-png.ts';
import type { Band, Frame } from '../../../../src/image/frame.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { bandsOf, decodeWhole, joined, pictureKinds, randomPicture, seededRandom, within } from './collect.ts';

/** Bands that may be read several times, as the engine's may. */
function rereadableBands(pixels: Uint8Array, width: number, perBand: number): AsyncIterable<Band> {
  return { [Symbol.asyncIterator]: () => bandsOf(pixels, width, perBand)[Symbol.asyncIterator]() };
}

async function encode(pixels: Uint8Array, frame: Frame, perBand = 7): Promise<Uint8Array> {
  return within(planPngEncode(frame).cost, (workspace) =>
    joined(encodePng(rereadableBands(pixels, frame.width, perBand), frame, workspace)),
  );
}

describe('what is written is read again as it was', () => {
  test.each(pictureKinds)('%s, in every size from 1 × 1 to 20 × 20', async (kind) => {
    const random = seededRandom(kind.length);
    for (let size = 1; size <= 20; size++) {
      const { pixels, frame } = randomPicture(kind, size, 1 + random(20), random);
      const { pixels: read } = await decodeWhole(await encode(pixels, frame));
      expect(read).toEqual(pixels);
    }
  });
});

describe('the smallest layout that holds the pixels is found', () => {
  test.each([
    ['black and white', 0, 1],
    ['four greys', 0, 2],
    ['sixteen greys', 0, 4],
    ['greys', 0, 8],
    ['greys with alpha', 4, 8],
    ['two colours', 3, 1],
    ['few colours', 3, 4],
    ['few colours with alpha', 3, 4],
    ['many colours', 2, 8],
    ['many colours with alpha', 6, 8],
    ['opaque though declared transparent', 2, 8],
  ] as const)('%s', async (kind, colourType, bitDepth) => {
    const { pixels, frame } = randomPicture(kind, 200, 150, seededRandom(3));
    const { header } = await decodeWhole(await encode(pixels, frame));
    expect(header.detail.layout).toEqual({ colourType, bitDepth });
  });

  test.each([
    ['few colours', 3, 4],
    ['greys', 0, 8],
  ] as const)('%s in a frame too large to be tried whole', async (kind, colourType, bitDepth) => {
    const { pixels, frame } = randomPicture(kind, 1500, 800, seededRandom(4));
    const { header, pixels: read } = await decodeWhole(await encode(pixels, frame, 43));
    expect(header.detail.layout).toEqual({ colourType, bitDepth });
    expect(Buffer.compare(read, pixels)).toBe(0);
  });
});

describe('a frame that outgrows the store is read again', () => {
  const width = 1300;
  const random = seededRandom(5);
  const words = Uint32Array.from({ length: width * 2900 }, () => random(0xffffffff));

  test.each([
    ['opaque', 1000, (word: number) => word | 0xff000000, 2],
    ['grey', 2900, (word: number) => ((word & 255) * 0x10101) | 0xff000000, 0],
    ['transparent at its end', 1000, (word: number, at: number) => (at < width * 999 ? word | 0xff000000 : word), 6],
  ] as const)(
    '%s',
    async (_name, height, pixel, colourType) => {
      const pixels = new Uint8Array(words.slice(0, width * height).map(pixel).buffer);
      const frame = { width, height, alpha: true, model: 'rgb' } as const;
      const { header, pixels: read } = await decodeWhole(await encode(pixels, frame, 50));
      expect(header.detail.layout).toEqual({ colourType, bitDepth: 8 });
      expect(Buffer.compare(read, pixels)).toBe(0);
    },
    60_000,
  );
});

test('the memory of the plan does not grow with the height', () => {
  const plan = (height: number) => planPngEncode({ width: 10_000, height, alpha: true, model: 'rgb' });
  expect(plan(10_000).cost).toEqual(plan(5_000).cost);
  expect(plan(10_000).readings).toBe(plan(5_000).readings);
  expect(plan(10_000).cost.arena).toBeLessThan(9 * 1024 * 1024);
});

test('an error of the stage before comes out as it is, and nothing stays taken', async () => {
  const failure = new Error('of the stage before');
  for (const good of [0, 1, 3]) {
    async function* failing(): AsyncGenerator<Band> {
      for (let top = 0; top < good; top++) yield { top, rows: 1, pixels: new Uint8Array(40).fill(top) };
      throw failure;
    }
    const workspace = new HeapWorkspace();
    const frame = { width: 10, height: 5, alpha: true, model: 'rgb' } as const;
    await expect(joined(encodePng(failing(), frame, workspace))).rejects.toBe(failure);
    expect(workspace.heldBuffers).toBe(0);
  }
});

test('a consumer that gives up ends the stage before', async () => {
  const { pixels, frame } = randomPicture('many colours', 1500, 700, seededRandom(6));
  let ended = false;
  async function* bands(): AsyncGenerator<Band> {
    try {
      yield* bandsOf(pixels, frame.width, 20);
    } finally {
      ended = true;
    }
  }
  const workspace = new HeapWorkspace();
  const pieces = encodePng(bands(), frame, workspace);
  for (let count = 0; count < 4; count++) await pieces.next();
  await pieces.return(undefined);
  expect(ended).toBe(true);
  expect(workspace.heldBuffers).toBe(0);
});
