import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { decodeJpeg } from '../../../../src/image/formats/jpeg/decode-jpeg.ts';
import { readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { planJpegDecode } from '../../../../src/image/formats/jpeg/plan-jpeg-decode.ts';
import { marker, segments } from '../../../../src/image/formats/jpeg/segments.ts';
import { heldFile } from '../../../../src/image/source-file.ts';
import { decodeJpegPlainly } from '../../../reference/jpeg-decode/decode-jpeg.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { decodeWhole } from './decode-whole.ts';
import { fixtureFile, fixtures } from './fixtures.ts';

const names = Object.keys(fixtures) as (keyof typeof fixtures)[];

describe('a whole file', () => {
  test.each(names)('gives the pixels of libjpeg-turbo: %s', async (name) => {
    const picture = await decodeWhole(fixtureFile(fixtures[name]));
    expect(await sha256(picture.pixels)).toBe(fixtures[name].digest);
  });

  test.each(names)('gives the pixels of the plain decoder at every scale: %s', async (name) => {
    const file = fixtureFile(fixtures[name]);
    for (const scale of [2, 4, 8] as const) {
      const { pixels } = await decodeWhole(file, scale);
      const plain = decodeJpegPlainly(file, readJpegHeader(file), scale);
      expect(await sha256(pixels), `at 1/${scale}`).toBe(await sha256(new Uint8Array(plain.buffer)));
    }
  });

  test('may be followed by anything, and have garbage before its last marker', async () => {
    for (const name of names) {
      const file = fixtureFile(fixtures[name]);
      const body = file.subarray(0, file.length - 2);
      const awkward = join(body, [0x12, 0x34, 0xff, 0x00, 0xff, 0xff, 0xd9], file);
      expect(await sha256((await decodeWhole(awkward)).pixels), name).toBe(fixtures[name].digest);
    }
  });

  test('gives its buffers back when the consumer stops early', async () => {
    const file = fixtureFile(fixtures.baseline);
    const header = readJpegHeader(file);
    const workspace = new HeapWorkspace();
    for await (const _ of decodeJpeg(heldFile(file), header, planJpegDecode(header, file.length, header), workspace))
      break;
    expect(workspace.arenaBytes).toBeGreaterThan(0);
    expect(workspace.heldBuffers).toBe(0);
  });
});

describe('a damaged file', () => {
  test.each(names)('cut at any length is a FileError, then more and more of the picture: %s', async (name) => {
    const file = fixtureFile(fixtures[name]);
    const clean = (await decodeWhole(file)).pixels;
    let accepted = 0;
    for (let length = 0; length < file.length; length++) {
      const pixels = await pixelsOrRefusal(file.slice(0, length));
      if (pixels === undefined) {
        expect(accepted, `cut at ${length} of ${file.length}, behind cuts that are accepted`).toBe(0);
        continue;
      }
      accepted++;
      expect(agreement(pixels, clean), `cut at ${length} of ${file.length}`).toBeGreaterThan(0.5);
    }
    expect(accepted).toBeGreaterThan(10);
    expect(await sha256((await decodeWhole(file.slice(0, -2))).pixels)).toBe(fixtures[name].digest);
  });

  test('with any bytes changed is a FileError or a picture', async () => {
    const change = fc.tuple(fc.double({ min: 0, max: 0.9999, noNaN: true }), fc.nat(255));
    const changes = fc.array(change, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), changes, async (name, list) => {
        const file = fixtureFile(fixtures[name]);
        for (const [where, value] of list) file[Math.floor(where * file.length)] = value;
        await pixelsOrRefusal(file);
      }),
      { numRuns: 500 },
    );
  });

  test('loses one restart interval only, whether its data or its marker too is missing', async () => {
    const file = fixtureFile(fixtures.restarts);
    const clean = (await decodeWhole(file)).pixels;
    const restarts = restartOffsets(file);
    for (const from of [restarts[3]! + 2, restarts[3]!]) {
      const damaged = join(file.subarray(0, from), file.subarray(restarts[4]!));
      const { pixels, width } = await decodeWhole(damaged);
      // The fifth MCU of three across, 16 × 8 pixels; chroma interpolation reaches one pixel into its neighbours.
      const differing = differingPixels(clean, pixels, width);
      expect(differing.length).toBeGreaterThan(64);
      expect(differing.every(({ x, y }) => x >= 15 && x <= 32 && y >= 8 && y < 16)).toBe(true);
    }
  });

  test('is refused when more than a few restart intervals are damaged', async () => {
    const file = fixtureFile(fixtures.restarts);
    const restarts = restartOffsets(file);
    const first = join(file.subarray(0, restarts[3]! + 2), file.subarray(restarts[4]!, restarts[6]! + 2));
    await expect(decodeWhole(join(first, file.subarray(restarts[7]!)))).rejects.toThrow(FileError);
  });

  test('with thousands of scans, or too much work in fewer, is refused before it is decoded', async () => {
    const small = fixtureFile(fixtures.progressive);
    await expect(decodeWhole(repeatLastScan(small, 1001))).rejects.toThrow(/more than 1000 scans/);
    const huge = repeatLastScan(small, 900);
    const frame = [...segments(huge)].find(({ code }) => code === marker.SOF0 + 2)!;
    huge.set([0x20, 0x00, 0x20, 0x00], frame.dataStart + 1);
    const header = readJpegHeader(huge);
    expect(header.width).toBe(0x2000);
    const workspace = new HeapWorkspace();
    const bands = decodeJpeg(heldFile(huge), header, planJpegDecode(header, huge.length, header), workspace);
    await expect(bands.next()).rejects.toThrow(/far more scans/);
    expect(workspace.arenaBytes).toBeLessThan(huge.length + 16);
  });
});

/** Decodes at full size; undefined for a FileError, and anything else thrown is thrown on. */
async function pixelsOrRefusal(file: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    const { width, height } = readJpegHeader(file);
    if (width * height > 1_000_000) return undefined;
    return (await decodeWhole(file)).pixels;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** Part of the pixels in which no channel is off by more than what a first approximation leaves. */
function agreement(one: Uint8Array, other: Uint8Array): number {
  let close = 0;
  for (let at = 0; at < one.length; at += 4) {
    if ([0, 1, 2, 3].every((channel) => Math.abs(one[at + channel]! - other[at + channel]!) <= 48)) close++;
  }
  return close / (one.length / 4);
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function join(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function restartOffsets(file: Uint8Array): number[] {
  const { firstScan } = readJpegHeader(file).detail;
  const isRestart = (at: number) => file[at] === 0xff && (file[at + 1]! & 0xf8) === marker.RST0;
  return Array.from(file.keys()).filter((at) => at > firstScan && isRestart(at));
}

function repeatLastScan(file: Uint8Array, times: number): Uint8Array {
  const last = [...segments(file)].findLast(({ code }) => code === marker.SOS)!;
  const scan = file.subarray(last.start, file.length - 2);
  return join(file.subarray(0, last.start), ...Array.from({ length: times }, () => scan), [0xff, marker.EOI]);
}

function differingPixels(one: Uint8Array, other: Uint8Array, width: number): { x: number; y: number }[] {
  const places: { x: number; y: number }[] = [];
  for (let at = 0; at < one.length; at += 4) {
    const differs = [0, 1, 2].some((channel) => one[at + channel] !== other[at + channel]);
    if (differs) places.push({ x: (at / 4) % width, y: Math.floor(at / 4 / width) });
  }
  return places;
}
