import { createHash } from 'node:crypto';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { planWebpDecode } from '../../../../src/image/formats/webp/decode-webp.ts';
import { readWebpHeader } from '../../../../src/image/formats/webp/header.ts';
import { HELD_BYTES } from '../../../../src/image/source-file.ts';
import { corpusFiles, fileBytes } from '../../../support/corpus-files.ts';
import { damaged } from '../../../support/damage.ts';
import { firstDifference } from '../../../support/first-difference.ts';
import { type Libwebp, loadLibwebp } from '../../../support/libwebp.ts';
import { runJob } from '../../../support/run-job.ts';
import { syntheticPicture } from '../../../support/synthetic-picture.ts';
import { manyGroupsWebp } from '../../../support/vp8l-file.ts';
import { shortenedWebp } from '../../../support/webp-file.ts';
import { decodeFile } from './decode-file.ts';

/** What must be there at once of a token partition; eight of them share a window. */
const MACROBLOCK = 6400;
const EIGHT = 8 * MACROBLOCK;
/** What must be there at once of lossless data. */
const lossless = (width: number) => width * 8 + 8192;

let libwebp: Libwebp;
beforeAll(async () => {
  libwebp = await loadLibwebp();
});

type Options = NonNullable<Parameters<Libwebp['encode']>[1]>;

interface Kind {
  readonly name: string;
  readonly options: Options;
  readonly alpha?: boolean;
  /** The smallest window for a picture of so many pixels a row. */
  readonly least: (width: number) => number;
}

const exact = { lossless: 1, exact: 1 } as const;
/** The only methods with which libwebp heeds `partitions`. */
const fast = { quality: 98, method: 0 } as const;
const kinds: readonly Kind[] = [
  { name: 'lossy', options: { quality: 98 }, least: () => MACROBLOCK },
  { name: 'two partitions', options: { ...fast, partitions: 1 }, least: () => 2 * MACROBLOCK },
  { name: 'four partitions', options: { ...fast, partitions: 2 }, least: () => 4 * MACROBLOCK },
  { name: 'eight partitions', options: { ...fast, partitions: 3 }, least: () => EIGHT },
  { name: 'lossy with plain alpha', options: { alpha_compression: 0 }, alpha: true, least: () => MACROBLOCK },
  { name: 'lossy with coded alpha', options: { quality: 80 }, alpha: true, least: lossless },
  { name: 'lossless, fast', options: { ...exact, method: 0, quality: 0 }, least: lossless },
  { name: 'lossless', options: { ...exact, method: 4 }, least: lossless },
  { name: 'lossless with alpha', options: { ...exact, method: 6, quality: 90 }, alpha: true, least: lossless },
];

test.each([
  ['two', 1],
  ['four', 2],
  ['eight', 3],
])('there are really %s partitions to be read', async (name, log) => {
  const kind = kinds.find((kind) => kind.name === `${name} partitions`)!;
  const file = encode(kind, 'photo', 160, 160);
  expect((await decodeFile(file, 8 * file.length)).reads).toBe(1 + 2 ** log);
});

const encode = ({ options, alpha = false }: Kind, kind: 'photo' | 'noise', width: number, height: number) =>
  libwebp.encode(syntheticPicture(kind, width, height, alpha), options);

/** The pixels' checksum, or what is said of the file. */
async function outcome(file: Uint8Array, window?: number): Promise<string> {
  try {
    return createHash('md5')
      .update((await decodeFile(file, window)).pixels)
      .digest('hex');
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
}

describe.each(kinds)('$name', (kind) => {
  const { least } = kind;

  test('is the same in windows as in the arena, whatever their size', async () => {
    for (const picture of ['photo', 'noise'] as const) {
      for (const [width, height] of [
        [300, 221],
        [90, 500],
        [17, 16],
      ] as const) {
        const file = encode(kind, picture, width, height);
        const held = await outcome(file);
        const from = least(width);
        for (const window of [from, from + 777, Math.max(2 * from, file.length)]) {
          expect(await outcome(file, window), `${picture}, ${width} × ${height}, ${window} bytes`).toBe(held);
        }
      }
    }
  });

  test('is the same in windows of random size', async () => {
    const file = encode(kind, 'noise', 200, 310);
    const held = await outcome(file);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: least(200), max: least(200) + 20_000 }), async (window) => {
        expect(await outcome(file, window)).toBe(held);
      }),
      { seed: 8, numRuns: 12 },
    );
  });

  test('needs several reads', async () => {
    expect((await decodeFile(encode(kind, 'noise', 400, 400), least(400))).reads).toBeGreaterThan(6);
  });

  test('has the same outcome when it is cut short, in windows or not', async () => {
    const file = encode(kind, 'noise', 150, 260);
    const { image } = readWebpHeader(file).detail;
    const window = least(150);
    for (let end = image.end - 1; end > image.dataStart + 12; end -= 1 + (image.end - end) * 2) {
      const cut = shortenedWebp(file, image.start, end);
      expect(await outcome(cut, window), `${end} bytes`).toBe(await outcome(cut));
    }
  });
});

/** Thousands of changes are a matter of time: PLUME_MUTATIONS sets their number. */
const MUTATIONS = Number(process.env.PLUME_MUTATIONS ?? 270);

test.each(kinds)('damage has the same outcome in windows: $name', async (kind) => {
  const file = encode(kind, 'noise', 400, 300);
  const { image, alphaPlane } = readWebpHeader(file).detail;
  // Not the sides, and enough for eight partitions: the number of them may be what is damaged.
  const window = Math.max(EIGHT, lossless(400));
  const outcomes = new Set<string>();
  const start = image.dataStart + 10;
  const changes = fc.oneof(
    changed(file, start, start + 60),
    changed(file, start, image.end),
    ...(alphaPlane ? [changed(file, alphaPlane.dataStart, alphaPlane.end)] : []),
  );
  await fc.assert(
    fc.asyncProperty(changes, async (bytes) => {
      const held = await outcome(bytes);
      outcomes.add(held);
      expect(await outcome(bytes, window)).toBe(held);
    }),
    { seed: 21, numRuns: Math.ceil(MUTATIONS / kinds.length) },
  );
  expect(outcomes.size).toBeGreaterThan(1);
});

/** Files with bytes between two places changed. */
function changed(file: Uint8Array, start: number, end: number): fc.Arbitrary<Uint8Array> {
  return damaged(file.subarray(start, end)).map((part) => {
    const copy = file.slice();
    copy.set(part, start);
    return copy;
  });
}

test.each([300, 4096])('what stands in front of the pixels is read in windows: %i groups of codes', async (groups) => {
  const file = manyGroupsWebp(256, groups, false);
  expect(await outcome(file, lossless(256))).toBe(await outcome(file));
});

test('a window that a macroblock or a row may not fit in is a mistake, not an endless loop', async () => {
  const find = (name: string) => kinds.find((kind) => kind.name === name)!;
  const lossy = encode(find('lossy'), 'noise', 200, 200);
  await expect(decodeFile(lossy, MACROBLOCK - 1)).rejects.toBeInstanceOf(TypeError);
  await expect(decodeFile(encode(find('lossless'), 'noise', 200, 200), 8192)).rejects.toBeInstanceOf(TypeError);
  const alpha = encode(find('lossy with plain alpha'), 'noise', 200, 200);
  await expect(decodeFile(alpha, 199)).rejects.toBeInstanceOf(TypeError);
});

describe('the corpus in windows', () => {
  const stills = corpusFiles('webp', '.webp').filter((file) => {
    const bytes = fileBytes(file);
    return bytes.length > MACROBLOCK && bytes.length < 300_000 && !readWebpHeader(bytes).animated;
  });

  it.each(stills)('$name is as in the arena', async (file) => {
    const bytes = fileBytes(file);
    const held = await outcome(bytes);
    const { width, detail } = readWebpHeader(bytes);
    const coded = detail.lossless || detail.alphaPlane !== undefined;
    for (const window of [coded ? lossless(width) : 0, EIGHT, 80_000]) {
      if (window >= (coded ? lossless(width) : EIGHT)) expect(await outcome(bytes, window)).toBe(held);
    }
  });
});

describe('a file that is too large to be held', () => {
  const large: readonly [string, 'photo' | 'noise', number, number, boolean, Options][] = [
    ['eight partitions', 'noise', 1900, 1500, false, { ...fast, quality: 100, partitions: 3 }],
    ['coded alpha', 'noise', 2300, 1900, true, { quality: 5, method: 0 }],
    ['lossless', 'noise', 1300, 1200, true, { ...exact, method: 0, quality: 0 }],
  ];

  test.each(large)(
    'passes the engine to the bit within its plan: %s',
    async (_, kind, width, height, alpha, options) => {
      const source = libwebp.encode(syntheticPicture(kind, width, height, alpha), options);
      expect(source.length).toBeGreaterThan(HELD_BYTES);
      expect(planWebpDecode(readWebpHeader(source), source.length).fileIn).toBe('windows');
      const { plan, stages, buffers, file } = await runJob(source, { format: 'png', quality: 82 });
      for (const { planned, written } of stages) expect(written).toBeLessThanOrEqual(planned);
      const { decode, encode, header } = plan.memory;
      expect(buffers).toBeLessThanOrEqual(Math.max(header.buffers, decode.buffers, encode.buffers));
      const ours = await sharp(file).ensureAlpha().raw().toBuffer();
      expect(firstDifference(ours, libwebp.decode(source)!)).toBeUndefined();
    },
  );
});
