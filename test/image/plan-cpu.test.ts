import { describe, expect, test } from 'vitest';
import type { FileError } from '../../src/errors.ts';
import { MAX_CPU_SECONDS } from '../../src/image/budget.ts';
import { formatIds } from '../../src/image/formats/format-id.ts';
import type { ImageHeader } from '../../src/image/header.ts';
import { type Plan, planImage } from '../../src/image/plan.ts';
import { sourceReadings } from '../../src/image/plan-cpu.ts';
import { WorkDone } from '../../src/image/work-done.ts';
import { alphaWebp, avif, jpeg, losslessWebp, options, png, type Size, webp } from '../support/image-headers.ts';

const makers: readonly (readonly [string, (size: Size) => ImageHeader])[] = [
  ['JPEG', jpeg],
  ['progressive JPEG', (size) => jpeg(size, {}, true)],
  ['PNG', png],
  ['WebP', webp],
  ['WebP with transparency', alphaWebp],
  ['lossless WebP', losslessWebp],
  ['AVIF', avif],
];

const secondsOf = (header: ImageHeader, wanted = options('webp'), bytes = 400_000) =>
  planImage(header, bytes, wanted).cpuSeconds;

function pixelsPlan(header: ImageHeader, wanted = options('webp'), bytes = 3_000_000) {
  const plan: Plan = planImage(header, bytes, wanted);
  if (plan.route !== 'pixels') throw new Error('recompressed');
  return plan;
}

describe.each(makers)('the CPU time of a job with a %s', (_, make) => {
  test.each(formatIds)('is a number that grows with the image, to %s', (format) => {
    let last = 0;
    for (const side of [1, 64, 300, 700, 1000, 1500]) {
      const seconds = secondsOf(make({ width: side, height: side }), options(format), 300 + side * side * 0.3);
      expect(seconds).toBeGreaterThan(last);
      expect(seconds).toBeLessThan(60);
      last = seconds;
    }
  });

  test('grows with the file', () => {
    const header = make({ width: 700, height: 500 });
    expect(secondsOf(header, options('jpg'), 200_000)).toBeGreaterThan(secondsOf(header, options('jpg'), 20_000));
  });
});

describe('each stage is in the sum', () => {
  const photo = jpeg({ width: 4032, height: 3024 });
  const plain = secondsOf(photo);

  test('a smaller result costs less', () => {
    expect(secondsOf(photo, options('webp', { maxWidth: 1920 }))).toBeLessThan(plain / 2);
  });

  test('a rotation, a profile, inks and a watermark cost more', () => {
    const size = { width: 4032, height: 3024 };
    const profile = { kind: 'cicp', primaries: 12, transfer: 13 } as const;
    const mark = { header: png({ width: 900, height: 900 }, { alpha: true }), file: new Uint8Array(90_000) } as const;
    const watermark = { ...mark, scale: 50, opacity: 80, position: 'BR' } as const;
    expect(secondsOf(jpeg(size, { orientation: 6 }))).toBeGreaterThan(plain);
    expect(secondsOf(jpeg(size, { profile }))).toBeGreaterThan(plain);
    const inks = jpeg(size, { model: 'cmyk' });
    const detail = { ...(inks.detail as object), colour: 'cmyk' };
    expect(secondsOf({ ...inks, detail })).toBeGreaterThan(plain);
    expect(secondsOf(photo, options('webp', { watermark }))).toBeGreaterThan(plain);
  });

  test('what is read several times costs as often', () => {
    const size = { width: 8000, height: 6000 };
    const plan = pixelsPlan(png(size, { orientation: 6, alpha: true }), options('png'));
    const readings = sourceReadings(plan);
    expect(readings).toBeGreaterThan(4);
    expect(plan.cpuSeconds).toBeGreaterThan(plan.encode.cpu + readings * plan.decode.cpu);
  });

  test('an interlaced PNG and more scans cost more', () => {
    const size = { width: 3000, height: 2000 };
    const interlaced = { ...png(size), detail: { ...(png(size).detail as object), interlaced: true } };
    expect(secondsOf(interlaced)).toBeGreaterThan(secondsOf(png(size)));
    expect(secondsOf(jpeg(size, {}, true), options('webp'), 5_000_000)).toBeGreaterThan(
      secondsOf(jpeg(size), options('webp'), 5_000_000),
    );
  });

  test('transparency, full chroma and quality cost more', () => {
    const size = { width: 1500, height: 1000 };
    for (const format of ['webp', 'avif'] as const) {
      expect(secondsOf(png(size, { alpha: true }), options(format))).toBeGreaterThan(
        secondsOf(png(size), options(format)),
      );
    }
    for (const format of ['jpg', 'avif'] as const) {
      const at = (quality: number) => secondsOf(png(size), options(format, { quality }));
      expect(at(90)).toBeGreaterThan(1.5 * at(89));
    }
  });
});

describe('an AVIF takes a faster speed', () => {
  const hasteOf = (size: Size, quality: number, make = jpeg) =>
    pixelsPlan(make(size), options('avif', { quality }), 20_000_000).encode.haste;

  test.each([
    [{ width: 4032, height: 3024 }, 82, 0],
    [{ width: 4032, height: 3024 }, 95, 0],
    [{ width: 5400, height: 3700 }, 82, 0],
    [{ width: 5400, height: 3700 }, 95, 1],
    [{ width: 8000, height: 6000 }, 82, 0],
    [{ width: 8000, height: 6000 }, 95, 2],
    [{ width: 12_000, height: 8000 }, 82, 2],
  ] as const)('%o at quality %i: haste %i', (size, quality, haste) => {
    expect(hasteOf(size, quality)).toBe(haste);
  });

  test('and gives up full chroma before it is refused', () => {
    const deep = (size: Size) => png(size, { alpha: true });
    expect(hasteOf({ width: 10_000, height: 9900 }, 95, deep)).toBe(3);
  });
});

describe('a job that would take too long', () => {
  const rotated = png({ width: 10_000, height: 10_000 }, { orientation: 6, alpha: true, bitDepth: 16 });
  const deep = { ...rotated, detail: { layout: { colourType: 6, bitDepth: 16 }, interlaced: true, dataStart: 33 } };

  function refusal(maxWidth?: number): FileError | undefined {
    try {
      planImage(deep, 20_000_000, options('webp', maxWidth === undefined ? {} : { maxWidth }));
      return undefined;
    } catch (error) {
      return error as FileError;
    }
  }

  test('is refused with what was estimated, what is allowed and what to do', () => {
    const { code, message } = refusal()!;
    expect(code).toBe('image_too_large');
    expect(message).toMatch(
      /^A WebP of 10,000 × 10,000 pixels from this PNG may take [\d,]+ seconds of computing, and at most 120 are allowed\. Set maxWidth or maxHeight so that the result has at most about [\d.]+ megapixels, or /,
    );
  });

  test('is accepted at the size that the refusal names', () => {
    const [, megapixels] = /at most about ([\d.]+) megapixels/.exec(refusal()!.message)!;
    expect(Number(megapixels)).toBeGreaterThan(1);
    expect(refusal(Math.floor(Math.sqrt(Number(megapixels) * 1e6)))).toBeUndefined();
  });
});

describe('what a job has cost when it fails', () => {
  const plan = pixelsPlan(jpeg({ width: 4000, height: 3000 }));

  test('is the share of the source that was read and of the result that was encoded', () => {
    const work = new WorkDone(plan);
    expect(work.cpuSeconds).toBe(0);
    work.decoded(750);
    expect(work.cpuSeconds).toBeCloseTo(plan.decode.cpu / 4);
    work.taken(750);
    expect(work.cpuSeconds).toBeCloseTo((plan.decode.cpu + plan.encode.cpu / plan.encode.readings) / 4);
    work.decoded(1_000_000);
    work.taken(1_000_000);
    expect(work.cpuSeconds).toBeGreaterThan(0.9 * plan.cpuSeconds);
    expect(work.cpuSeconds).toBeLessThanOrEqual(plan.cpuSeconds);
  });

  // A PNG whose data ended soon was said to have cost an eighth of an AVIF that nobody had begun to encode.
  test('is next to nothing where an AVIF has not begun', () => {
    const late = pixelsPlan(png({ width: 4000, height: 3000 }), options('avif'), 6_000_000);
    const { gathers = 0 } = late.encode;
    expect(gathers).toBeGreaterThan(200);
    const work = new WorkDone(late);
    work.decoded(gathers - 1);
    work.taken(gathers - 1);
    expect(work.cpuSeconds).toBeLessThan(0.1);
    work.taken(1);
    expect(work.cpuSeconds).toBeGreaterThan((late.encode.cpu * gathers) / 3000);
  });

  test('is the decoding where a library does it in one go', () => {
    const whole = pixelsPlan(avif({ width: 800, height: 600 }), options('webp'), 90_000);
    expect(new WorkDone(whole).cpuSeconds).toBe(whole.decode.cpu);
  });

  test('of a PNG that is written smaller is the reading that finds the damage', () => {
    const recompressed = planImage(png({ width: 800, height: 600 }), 300_000, options('png'));
    if (recompressed.route !== 'recompress') throw new Error('decoded');
    const work = new WorkDone(recompressed);
    work.decoded(300);
    expect(work.cpuSeconds).toBeCloseTo(recompressed.recompress.cpuOfFirst / 2);
    expect(work.cpuSeconds).toBeLessThan(recompressed.cpuSeconds / 20);
    work.decoded(301);
    expect(work.cpuSeconds).toBe(recompressed.cpuSeconds);
  });

  test('of an interlaced PNG is most of its inflating before the first row', () => {
    const header = png({ width: 4000, height: 3000 });
    const interlaced = { ...header, detail: { ...(header.detail as object), interlaced: true } };
    const passes = pixelsPlan(interlaced);
    expect(new WorkDone(passes).cpuSeconds).toBe(passes.decode.cpuAhead);
    expect(passes.decode.cpuAhead).toBeGreaterThan(passes.decode.cpu / 10);
  });
});

/** `limits.cpu_ms` of wrangler.toml. */
const PLATFORM_SECONDS = 300;

test('an accepted job ends well before the platform would end it, on a slower machine too', () => {
  expect(MAX_CPU_SECONDS).toBeLessThanOrEqual(PLATFORM_SECONDS / 2);
});
