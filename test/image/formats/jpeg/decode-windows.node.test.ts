import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JpegHeader, readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { mcuBytes } from '../../../../src/image/formats/jpeg/scan-windows.ts';
import { readScans } from '../../../../src/image/formats/jpeg/scans.ts';
import { marker } from '../../../../src/image/formats/jpeg/segments.ts';
import { StoredFile } from '../../../support/stored-file.ts';
import {
  decodeGuarded,
  decodeInWindows,
  type Outcome,
  type Scale,
  sameOutcome,
  smallHeader,
} from './decode-guarded.ts';
import { mutate } from './mutate.ts';
import { cjpeg, hasNativeJpeg, jpegtran, rescanned, testPpm } from './native-jpeg.ts';

/** Mutated files to try: 10,000 and more with PLUME_FUZZ=10000. */
const MUTATIONS = Number(process.env.PLUME_FUZZ ?? 1000);
const scales = [1, 2, 4, 8] as const;
const native = hasNativeJpeg();
if (!native) console.log('skipped: files of every kind in windows, whose encoder cjpeg is not installed');

/** The smallest window in which every MCU of a file fits. */
function leastWindow(file: Uint8Array, { detail }: JpegHeader): number {
  return Math.max(...readScans(file, detail).scans.map((scan) => mcuBytes(scan, detail)));
}

async function inWindows(file: Uint8Array, header: JpegHeader, window: number, scale: Scale = 1): Promise<Outcome> {
  return decodeInWindows(new StoredFile(file), file, header, scale, window);
}

async function expectSame(
  file: Uint8Array,
  header: JpegHeader,
  windows: readonly number[],
  name: string,
): Promise<void> {
  const held = await decodeGuarded(file, header, 1);
  for (const window of windows) {
    const outcome = await inWindows(file, header, window);
    if (!sameOutcome(outcome, held))
      expect.fail(`${name} in windows of ${window}: ${named(outcome)}, not ${named(held)}`);
  }
}

function named(outcome: Outcome): string {
  return typeof outcome === 'string' ? outcome : 'a picture';
}

/** Files of every kind, by name, whose scans are larger than the smallest window. */
function everyKind(): Record<string, Uint8Array> {
  const ppm = testPpm(150, 110);
  const coded = (...args: string[]) => cjpeg(ppm, '-quality', '97', ...args);
  const whole = coded('-sample', '1x1');
  const halved = coded('-sample', '2x2');
  return {
    'all of 4:4:4': whole,
    'all of 4:2:0': halved,
    'restarts after each MCU': coded('-sample', '2x1', '-restart', '1B'),
    'restarts after each row': coded('-sample', '1x1', '-restart', '1'),
    'restarts that fall anywhere': coded('-sample', '1x2', '-restart', '5B'),
    grey: coded('-grayscale'),
    'grey with restarts': coded('-grayscale', '-restart', '3B'),
    progressive: jpegtran(whole, '-progressive'),
    'progressive of 4:2:0': jpegtran(halved, '-progressive'),
    'progressive with restarts': jpegtran(halved, '-progressive', '-restart', '7B'),
    'progressive with restarts after each block': jpegtran(whole, '-progressive', '-restart', '1B'),
    'coarse and progressive': cjpeg(ppm, '-quality', '40', '-progressive'),
    'ten blocks an MCU': coded('-sample', '4x2,1x1,1x1'),
    'a scan a component': rescanned(halved, '0;1;2;'),
    'as many scans as there are bits': rescanned(halved, manyScans()),
  };
}

/** A progressive script of thirty scans, most of them refinements. */
function manyScans(): string {
  const scans = ['0 1 2: 0-0, 0, 4;'];
  for (const component of [0, 1, 2]) scans.push(`${component}: 1-9, 0, 4;`, `${component}: 10-63, 0, 3;`);
  for (let bit = 4; bit > 0; bit--) {
    scans.push(`0 1 2: 0-0, ${bit}, ${bit - 1};`);
    for (const component of [0, 1, 2]) scans.push(`${component}: 1-9, ${bit}, ${bit - 1};`);
  }
  for (let bit = 3; bit > 0; bit--) {
    for (const component of [0, 1]) scans.push(`${component}: 10-63, ${bit}, ${bit - 1};`);
  }
  return scans.join('\n');
}

/** The file with `change` made of the entropy-coded data of each scan. */
function withData(file: Uint8Array, change: (data: Uint8Array) => Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const { start, end } of readScans(file, readJpegHeader(file).detail).scans) {
    parts.push(file.subarray(done, start), change(file.subarray(start, end)));
    done = end;
  }
  return Buffer.concat([...parts, file.subarray(done)]).slice() as Uint8Array;
}

/** Puts `count` fill bytes before every `every`th 0xFF. */
function filled(data: Uint8Array, count: number, every: number): Uint8Array {
  const parts: Uint8Array[] = [];
  const fill = new Uint8Array(count).fill(0xff);
  let done = 0;
  let found = 0;
  for (let at = data.indexOf(0xff); at >= 0; at = data.indexOf(0xff, at + 1)) {
    if (found++ % every !== 0) continue;
    parts.push(data.subarray(done, at), fill);
    done = at;
  }
  return Buffer.concat([...parts, data.subarray(done)]);
}

describe.skipIf(!native)('a file in windows is decoded as a held one', () => {
  const files = native ? everyKind() : {};

  test.each(Object.keys(files))('in the smallest windows and in larger ones: %s', async (name) => {
    const file = files[name]!;
    const header = readJpegHeader(file);
    const least = leastWindow(file, header);
    await expectSame(file, header, [least, least + 1, least + 13, 2 * least, 10_000], name);
    for (const scale of [2, 4, 8] as const) {
      const same = sameOutcome(await inWindows(file, header, least, scale), await decodeGuarded(file, header, scale));
      expect(same, `at 1/${scale}`).toBe(true);
    }
  });

  test('in windows of any size', async () => {
    const names = Object.keys(files);
    const size = fc.oneof(fc.nat(300), fc.nat(9000));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), size, fc.constantFrom(...scales), async (name, more, scale) => {
        const file = files[name]!;
        const header = readJpegHeader(file);
        const outcome = await inWindows(file, header, leastWindow(file, header) + more, scale);
        expect(sameOutcome(outcome, await decodeGuarded(file, header, scale))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('with any number of fill bytes, more than a window too', async () => {
    for (const [name, file] of Object.entries(files)) {
      for (const [count, every] of [
        [1, 1],
        [33, 5],
        [7001, 17],
      ] as const) {
        const awkward = withData(file, (data) => filled(data, count, every));
        const header = readJpegHeader(awkward);
        const held = await decodeGuarded(file, header, 1);
        const least = leastWindow(awkward, header);
        for (const window of [least, least + 777]) {
          const outcome = await inWindows(awkward, header, window);
          expect(sameOutcome(outcome, held), `${name} with ${count} fill bytes in windows of ${window}`).toBe(true);
        }
      }
    }
  });

  test('with restart intervals missing, repeated and full of garbage', async () => {
    const names = ['restarts after each MCU', 'restarts that fall anywhere', 'grey with restarts'];
    for (const name of [...names, 'progressive with restarts', 'progressive with restarts after each block']) {
      const outcomes = new Set<string>();
      for (let from = 0; from < 8; from++) {
        const damaged = withData(files[name]!, (data) => rearranged(data, from, 9000));
        const header = readJpegHeader(damaged);
        const held = await decodeGuarded(damaged, header, 1);
        outcomes.add(named(held));
        const least = leastWindow(damaged, header);
        await expectSame(damaged, header, [least, least + 300, 5000], `${name}, ${from}`);
      }
      expect(outcomes, name).toContain('a picture');
    }
  });

  test('cut at any length', async () => {
    for (const [index, [name, file]] of Object.entries(files).entries()) {
      for (let length = 700 + index; length < file.length; length += 997) {
        const cut = file.slice(0, length);
        const header = smallHeader(cut);
        if (header !== undefined)
          await expectSame(cut, header, [windowOf(cut, header) + index], `${name} cut at ${length}`);
      }
    }
  });

  test(`in ${MUTATIONS} mutated files`, async () => {
    const seen = { pictures: 0, refusals: 0, unread: 0 };
    const all = Object.values(files);
    for (let seed = 0; seed < MUTATIONS; seed++) {
      let file: Uint8Array = all[seed % all.length]!;
      // Some of the changes are where the windows end and not in the headers.
      for (let times = 0; times < 1 + (seed % 3); times++) file = mutate(file, seed * 3 + times);
      const header = smallHeader(file);
      if (header === undefined) {
        seen.unread++;
        continue;
      }
      const scale = scales[seed & 3]!;
      const held = await decodeGuarded(file, header, scale);
      const window = windowOf(file, header) + (seed % 7) * 500;
      const outcome = await inWindows(file, header, window, scale);
      if (!sameOutcome(outcome, held))
        expect.fail(`mutation ${seed} in windows of ${window}: ${named(outcome)}, not ${named(held)}`);
      seen[typeof held === 'string' ? 'refusals' : 'pictures']++;
    }
    console.log(`mutated JPEG files in windows: ${JSON.stringify(seen)}`);
    expect(seen.pictures).toBeGreaterThan(MUTATIONS / 20);
    expect(seen.refusals).toBeGreaterThan(MUTATIONS / 20);
  }, 3_600_000);

  test('reading every byte of the scans once, as few at a time as windows are full', async () => {
    for (const [name, content] of Object.entries(files)) {
      const header = readJpegHeader(content);
      const { scans } = readScans(content, header.detail);
      const file = new StoredFile(content);
      const least = leastWindow(content, header);
      const window = 3 * least;
      expect(typeof (await decodeInWindows(file, content, header, 1, window)), name).toBe('object');
      const sizes = scans.map(({ start, end }) => end - start);
      expect([file.bytesAgain, file.bytes], name).toEqual([0, sizes.reduce((sum, size) => sum + size, 0)]);
      // A slide keeps less than an MCU.
      const most = sizes.reduce((sum, size) => sum + Math.ceil(size / (window - least)), 0);
      expect(file.reads.length, name).toBeLessThanOrEqual(most);
    }
  });

  test('not in windows in which an MCU may not fit', async () => {
    const file = files['all of 4:2:0']!;
    const header = readJpegHeader(file);
    await expect(inWindows(file, header, leastWindow(file, header) - 1)).rejects.toThrow(TypeError);
  });
});

/** Sizes are taken from the header: damaged tables are no reason to look at the scans. */
function windowOf(file: Uint8Array, header: JpegHeader): number {
  try {
    return leastWindow(file, header);
  } catch {
    return 1000;
  }
}

/** One restart interval left out, one there twice, and garbage without a marker in front of the marker of a third. */
function rearranged(data: Uint8Array, from: number, garbage: number): Uint8Array {
  const starts = [0, ...restarts(data), data.length];
  const intervals = starts.slice(1).map((end, index) => data.subarray(starts[index], end));
  const first = 2 + from * 5;
  if (intervals.length < first + 40) return data;
  const parts = [...intervals.slice(0, first)];
  if (from !== 1) parts.push(intervals[first]!);
  if (from === 2) parts.push(intervals[first]!);
  if (from > 2) parts.push(Uint8Array.from({ length: garbage }, (_, at) => (at * (from + 7)) % 255));
  return Buffer.concat([...parts, ...intervals.slice(first + 1)]);
}

function restarts(data: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = data.indexOf(0xff); at >= 0; at = data.indexOf(0xff, at + 1)) {
    const code = data[at + 1]!;
    if (code >= marker.RST0 && code <= marker.RST7) found.push(at);
  }
  return found;
}

test('the largest MCUs that there can be fit in the smallest window', async () => {
  const file = largestMcus();
  const header = readJpegHeader(file);
  const least = leastWindow(file, header);
  // 64 blocks of 64 coefficients, each with a code and a value of 31 bits, all of them ones and stuffed.
  expect(least).toBeGreaterThan((64 * 64 * 31 * 2) / 8);
  expect(least).toBeLessThan((64 * 64 * 33 * 2) / 8);
  await expectSame(file, header, [least, least + 5], 'largest MCUs');
  expect(typeof (await decodeGuarded(file, header, 1))).toBe('object');
});

/** Twelve MCUs of four components of 4 × 4 blocks in which every bit is one. */
function largestMcus(): Uint8Array {
  const segment = (code: number, ...data: number[]) => [
    0xff,
    code,
    (data.length + 2) >> 8,
    (data.length + 2) & 255,
    ...data,
  ];
  const components = [1, 2, 3, 4];
  const lengths = Array.from({ length: 16 }, (_, index) => (index === 15 ? 2 : 1));
  const symbols = (all: number) => Array.from({ length: 17 }, (_, index) => (index === 16 ? all : 1));
  const head = [
    ...[0xff, marker.SOI],
    ...segment(marker.DQT, 0, ...new Array<number>(64).fill(1)),
    ...segment(marker.SOF0, 8, 0, 128, 0, 96, 4, ...components.flatMap((id) => [id, 0x44, 0])),
    ...segment(marker.DHT, 0x00, ...lengths, ...symbols(15), 0x10, ...lengths, ...symbols(15)),
    ...segment(marker.SOS, 4, ...components.flatMap((id) => [id, 0]), 0, 63, 0),
  ];
  const data = new Uint8Array(24 * ((64 * 64 * 31) / 8)).map((_, at) => (at % 2 === 0 ? 0xff : 0));
  return Uint8Array.from([...head, ...data, 0xff, marker.EOI]);
}
