import { describe, expect, test } from 'vitest';
import type { FileError } from '../../src/errors.ts';
import { budget, MAX_CPU_SECONDS } from '../../src/image/budget.ts';
import type { ImageHeader } from '../../src/image/header.ts';
import type { ImageOptions } from '../../src/image/options.ts';
import { type Plan, planImage } from '../../src/image/plan.ts';
import { alphaWebp, avif, jpeg, losslessWebp, options, png, type Size, webp } from '../support/image-headers.ts';

const MEGABYTE = 1_000_000;

type PixelsPlan = Extract<Plan, { route: 'pixels' }>;

function pixelsPlan(header: ImageHeader, wanted: ImageOptions, fileBytes = 3 * MEGABYTE): PixelsPlan {
  const plan = planImage(header, fileBytes, wanted);
  if (plan.route !== 'pixels') throw new Error('recompressed');
  expectWithinBudget(plan);
  return plan;
}

function expectWithinBudget({ memory, cpuSeconds }: Plan): void {
  expect(cpuSeconds).toBeGreaterThan(0);
  expect(cpuSeconds).toBeLessThanOrEqual(MAX_CPU_SECONDS);
  for (const { arena, library = 0, buffers } of [memory.decode, memory.encode]) {
    expect(arena + library).toBeLessThanOrEqual(budget.arena);
    expect(buffers).toBeLessThanOrEqual(budget.buffers);
  }
}

function refusal(
  header: ImageHeader,
  wanted: ImageOptions,
  fileBytes = 3 * MEGABYTE,
): Pick<FileError, 'code' | 'message'> {
  try {
    planImage(header, fileBytes, wanted);
  } catch (error) {
    const { code, message } = error as FileError;
    return { code, message };
  }
  throw new Error('it was accepted');
}

const steps = (plan: PixelsPlan): string[] => plan.steps.map(({ step }) => step);

describe('a phone photo, 4032 × 3024', () => {
  const photo = { width: 4032, height: 3024 };

  test('to 1920 is decoded at half size, resized and encoded', () => {
    const plan = pixelsPlan(jpeg(photo), options('webp', { maxWidth: 1920 }));
    expect(plan.decode).toMatchObject({ scale: 2, fileIn: 'arena', delivers: 'bands' });
    expect(plan.decode.frame).toMatchObject({ width: 2016, height: 1512 });
    expect(steps(plan)).toEqual(['resize']);
    expect(plan.frame).toEqual({ width: 1920, height: 1440, alpha: false, model: 'rgb' });
    expect(plan.mayKeepOriginal).toBe(false);
  });

  test.each([
    [1000, 2],
    [2017, 1],
    [2016, 2],
    [505, 2],
    [504, 4],
    [252, 8],
    [40, 8],
  ] as const)('to %i pixels wide is scaled by 1/%i while it is decoded', (maxWidth, scale) => {
    const plan = pixelsPlan(jpeg(photo), options('webp', { maxWidth }));
    expect(plan.decode.scale).toBe(scale);
    expect(plan.decode.frame).toMatchObject({ width: 4032 / scale, height: 3024 / scale });
    expect(plan.frame).toMatchObject({ width: maxWidth, height: Math.round((maxWidth * 3) / 4) });
  });

  test('held upright is turned behind the resize, and the sides asked for are the upright ones', () => {
    const plan = pixelsPlan(jpeg(photo, { orientation: 6 }), options('jpg', { maxHeight: 1000 }));
    expect(steps(plan)).toEqual(['resize', 'orient']);
    expect(plan.frame).toMatchObject({ width: 750, height: 1000 });
    expect(plan.decode.scale).toBe(2);
    expect(plan.mayKeepOriginal).toBe(false);
  });

  test('progressive costs the decoder more than baseline, and still fits', () => {
    const baseline = pixelsPlan(jpeg(photo), options('webp', { maxWidth: 1600 }));
    const progressive = pixelsPlan(jpeg(photo, {}, true), options('webp', { maxWidth: 1600 }));
    expect(progressive.frame).toEqual(baseline.frame);
    expect(progressive.decode.cost.arena).toBeGreaterThanOrEqual(baseline.decode.cost.arena);
  });

  test.each(['png', 'jpg'] as const)('goes to %s at full size, in bands', (format) => {
    const plan = pixelsPlan(jpeg(photo), options(format));
    expect(plan.encode.wholeFrame).toBe(false);
    expect(plan.memory.encode).toEqual({ arena: 0, buffers: 0 });
    expect(plan.mayKeepOriginal).toBe(format === 'jpg');
  });

  test.each([40, 82, 100])('a JPEG of 100 megapixels is made from JPEG and PNG, quality %i', (quality) => {
    for (const make of [jpeg, png]) {
      for (const size of [
        { width: 12_500, height: 8000 },
        { width: 65_500, height: 1526 },
        { width: 1526, height: 65_500 },
      ]) {
        const plan = pixelsPlan(make(size), options('jpg', { quality }), 20 * 1024 * 1024);
        expect(plan.frame).toMatchObject(size);
        expect(plan.encode.wholeFrame).toBe(false);
      }
    }
  });

  test.each([40, 82, 100])('an AVIF of 100 megapixels is made from JPEG and PNG, quality %i', (quality) => {
    for (const make of [jpeg, png]) {
      for (const size of [
        { width: 12_000, height: 8333 },
        { width: 65_535, height: 1525 },
        { width: 1525, height: 65_535 },
      ]) {
        const { memory, frame, encode } = pixelsPlan(make(size), options('avif', { quality }), 20 * 1024 * 1024);
        expect(frame).toMatchObject(size);
        expect(encode.wholeFrame).toBe(false);
        expect(memory.decode.arena + (memory.decode.library ?? 0)).toBeLessThanOrEqual(budget.arena);
      }
    }
  });

  test('an encoder that takes bands gets a gathered frame where it does not fit beside a library decoder', () => {
    const plan = pixelsPlan(avif({ width: 1920, height: 1080 }), options('jpg', { quality: 100 }), MEGABYTE / 2);
    expect(plan.encode.wholeFrame).toBe(true);
    expect(plan.memory.encode.arena).toBe(plan.encode.cost.arena);
  });

  test.each([40, 82, 100])('a WebP of 100 megapixels is made, with transparency too, quality %i', (quality) => {
    for (const header of [
      jpeg({ width: 12_000, height: 8333 }),
      png({ width: 10_000, height: 10_000 }, { alpha: true }),
    ]) {
      const { memory, encode } = pixelsPlan(header, options('webp', { quality }), 20 * 1024 * 1024);
      expect(encode.wholeFrame).toBe(false);
      expect(memory.decode.arena + (memory.decode.library ?? 0)).toBeLessThanOrEqual(budget.arena);
    }
  });
});

describe('a picture of 100 megapixels', () => {
  type Make = (size: Size, more: Partial<ImageHeader>) => ImageHeader;
  const sampled =
    (sampling: readonly (readonly [number, number])[], progressive: boolean, model: ImageHeader['model']): Make =>
    (size, more) => {
      const header = jpeg(size, { model, ...more }, progressive);
      const components = sampling.map(([horizontal, vertical], at) => ({
        id: at + 1,
        horizontal,
        vertical,
        quantTable: Math.min(at, 1),
      }));
      const colour = model === 'cmyk' ? 'cmyk' : 'ycbcr';
      return { ...header, detail: { ...(header.detail as object), components, colour } };
    };
  const deepPng = (interlaced: boolean) => (size: Size, more: Partial<ImageHeader>) => ({
    ...png(size, { alpha: true, bitDepth: 16, ...more }),
    detail: { layout: { colourType: 6, bitDepth: 16 }, interlaced, dataStart: 33 },
  });
  const [whole, half, quarter] = [[1, 1] as const, [2, 2] as const, [4, 4] as const];
  const kinds: readonly (readonly [string, Make])[] = [
    ['JPEG 4:2:0', sampled([half, whole, whole], false, 'rgb')],
    ['JPEG 4:1:0', sampled([quarter, whole, whole], false, 'rgb')],
    ['progressive JPEG 4:2:0', sampled([half, whole, whole], true, 'rgb')],
    ['progressive JPEG 4:4:4', sampled([whole, whole, whole], true, 'rgb')],
    ['progressive CMYK JPEG', sampled([whole, whole, whole, whole], true, 'cmyk')],
    ['PNG', png],
    ['PNG with transparency, 16 bits', deepPng(false)],
    ['interlaced PNG with transparency, 16 bits', deepPng(true)],
    ['WebP', webp],
    ['WebP with transparency', (size, more) => ({ ...alphaWebp(size), ...more })],
    ['lossless WebP', (size, more) => ({ ...losslessWebp(size), ...more })],
  ];
  const shapes = [
    [10_000, 10_000],
    [65_500, 1526],
    [16_383, 6103],
    [8000, 6000],
  ] as const;
  const asked = [{}, { maxWidth: 1920 }, { maxHeight: 3000 }, { maxWidth: 16_383, maxHeight: 16_383 }];

  test.each(kinds)(
    '%s: of any shape, turned or not, becomes every format that can hold it',
    (name, make) => {
      const repeats = name.includes('transparency') || name.includes('lossless');
      for (const [width, height] of shapes) {
        if (name.includes('WebP') && Math.max(width, height) > 16_383) continue;
        for (const orientation of [1, 3, 6] as const) {
          for (const format of ['jpg', 'png', 'webp', 'avif'] as const) {
            for (const limit of asked) {
              const told = `${width} × ${height}, ${orientation}, ${format}, ${JSON.stringify(limit)}`;
              const refusal = refusalOf(
                make({ width, height }, { orientation }),
                options(format, { quality: 100, ...limit }),
              );
              if (refusal !== undefined && orientation !== 1 && takesTooLong(refusal, repeats)) continue;
              expect(`${told}: ${refusal ?? 'made'}`).toMatch(/: (made|A WebP has at most)/);
            }
          }
        }
      }
    },
    60_000,
  );

  /**
   * What is rotated and more than 20 megapixels as a result, and cannot be kept as 4:2:0 planes or is very wide, is decoded again for each of
   * many strips: on the worst content that a file can hold this may take longer than the platform lets a job.
   */
  function takesTooLong(message: string, repeats: boolean): boolean {
    const found = /of ([\d,]+) × ([\d,]+) pixels from .* may take [\d,]+ seconds/.exec(message) ?? [];
    const [width, height] = found.slice(1).map((side) => Number(side.replaceAll(',', '')));
    if (width === undefined || height === undefined) return false;
    return width * height > 20e6 && (repeats || Math.max(width, height) > 16_000);
  }

  function refusalOf(header: ImageHeader, wanted: ImageOptions): string | undefined {
    try {
      expectWithinBudget(planImage(header, 20_000_000, wanted));
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
});

describe('the limits of a source', () => {
  test('100 megapixels pass in JPEG and PNG, one row more does not', () => {
    for (const make of [jpeg, png]) {
      expect(pixelsPlan(make({ width: 10_000, height: 10_000 }), options('webp', { maxWidth: 1600 })).frame.width).toBe(
        1600,
      );
      expect(refusal(make({ width: 10_000, height: 10_001 }), options('webp', { maxWidth: 1600 }))).toEqual({
        code: 'image_too_large',
        message:
          'The picture has 10,000 × 10,001 pixels; at most 100 megapixels and 65,535 pixels a side are accepted. ' +
          'Send a smaller picture.',
      });
    }
  });

  test('65,535 pixels a side pass, one more does not', () => {
    for (const [width, height] of [
      [65_535, 10],
      [10, 65_535],
    ] as const) {
      pixelsPlan(png({ width, height }), options('webp', { maxWidth: 1000, maxHeight: 1000 }));
    }
    for (const [width, height] of [
      [65_536, 10],
      [10, 65_536],
    ] as const) {
      expect(refusal(png({ width, height }), options('png')).code).toBe('image_too_large');
    }
  });

  test('a source that its decoder cannot hold is refused with the megapixels that it can', () => {
    const { code, message } = refusal(avif({ width: 12_000, height: 8000 }), options('jpg', { maxWidth: 800 }));
    expect(code).toBe('image_too_large');
    expect(message).toMatch(/takes more memory to decode than there is\. Send at most about [\d.]+ megapixels/);
  });

  test.each([
    ['lossy', webp],
    ['lossy with transparency', alphaWebp],
    ['lossless', losslessWebp],
  ])('a WebP of 100 megapixels passes: %s', (_, make) => {
    for (const size of [
      { width: 10_000, height: 10_000 },
      { width: 16_383, height: 6103 },
      { width: 6103, height: 16_383 },
    ]) {
      expect(pixelsPlan(make(size), options('jpg'), 20 * 1024 * 1024).frame).toMatchObject(size);
    }
  });

  test.each([jpeg, png, webp, avif])('animation is refused before anything else', (make) => {
    const { code, message } = refusal(make({ width: 70_000, height: 70_000 }, { animated: true }), options('webp'));
    expect(code).toBe('animated_image');
    expect(message).toMatch(/^This (JPEG|PNG|WebP|AVIF) is animated, .* Send a still picture\.$/);
  });
});

describe('the limits of a result', () => {
  test('a WebP has 16,383 pixels a side at the most', () => {
    expect(pixelsPlan(jpeg({ width: 16_383, height: 60 }), options('webp')).frame.width).toBe(16_383);
    expect(refusal(jpeg({ width: 16_384, height: 60 }), options('webp'))).toEqual({
      code: 'image_too_large',
      message:
        'A WebP has at most 16,383 pixels a side, and this one would have 16,384 × 60 pixels. ' +
        'Set maxWidth and maxHeight to 16383 or less, or ask for another format.',
    });
    expect(pixelsPlan(jpeg({ width: 16_384, height: 60 }), options('webp', { maxWidth: 16_383 })).frame.width).toBe(
      16_383,
    );
  });

  test('a JPEG has the sides that viewers open', () => {
    expect(pixelsPlan(png({ width: 65_500, height: 60 }), options('jpg')).frame.width).toBe(65_500);
    expect(refusal(png({ width: 60, height: 65_501 }), options('jpg')).message).toContain(
      'A JPEG has at most 65,500 pixels a side, and this one would have 60 × 65,501 pixels.',
    );
  });

  test('full HD is made in every format from every format', () => {
    for (const make of [jpeg, png, webp, avif]) {
      for (const format of ['jpg', 'webp', 'avif', 'png'] as const) {
        const plan = planImage(make({ width: 1920, height: 1080 }), MEGABYTE / 2, options(format));
        expect(plan.frame).toMatchObject({ width: 1920, height: 1080 });
        expectWithinBudget(plan);
      }
    }
  });
});

describe('the way of a picture', () => {
  const size = { width: 800, height: 600 };

  test('PNG to PNG with nothing else asked is recompressed', () => {
    const plan = planImage(png(size), 500_000, options('png'));
    expect(plan).toMatchObject({ route: 'recompress', mayKeepOriginal: true, frame: size });
    expectWithinBudget(plan);
  });

  test.each([
    ['a resize', {}, { maxWidth: 400 }],
    ['an orientation', { orientation: 3 as const }, {}],
  ])('PNG to PNG with %s goes through the pixels', (_, header, wanted) => {
    expect(pixelsPlan(png(size, header), options('png', wanted)).mayKeepOriginal).toBe(false);
  });

  test.each([jpeg, webp, avif])('the original may be kept where only the coding would change', (make) => {
    const header = make(size);
    expect(pixelsPlan(header, options(header.format), 300_000)).toMatchObject({ steps: [], mayKeepOriginal: true });
    expect(pixelsPlan(header, options(header.format, { maxWidth: 5000 }), 300_000).mayKeepOriginal).toBe(true);
    expect(pixelsPlan(header, options(header.format, { maxWidth: 799 }), 300_000).mayKeepOriginal).toBe(false);
    expect(pixelsPlan(header, options('png'), 300_000).mayKeepOriginal).toBe(false);
  });

  test('nothing is ever enlarged', () => {
    const plan = pixelsPlan(jpeg(size), options('webp', { maxWidth: 16_384, maxHeight: 16_384 }));
    expect(plan.frame).toMatchObject(size);
    expect(plan.steps).toEqual([]);
  });

  test('transparency is flattened for JPEG alone', () => {
    const header = png(size, { alpha: true });
    expect(steps(pixelsPlan(header, options('jpg')))).toEqual(['flatten']);
    expect(pixelsPlan(header, options('jpg')).frame.alpha).toBe(false);
    for (const format of ['webp', 'avif'] as const) {
      expect(pixelsPlan(header, options(format))).toMatchObject({ steps: [], frame: { alpha: true } });
    }
  });

  test('ink becomes colour before anything else', () => {
    const detail = { ...(jpeg(size).detail as object), colour: 'cmyk', adobe: true };
    const plan = pixelsPlan(jpeg(size, { model: 'cmyk', detail }), options('webp', { maxWidth: 100 }));
    expect(steps(plan)).toEqual(['colour', 'resize']);
    expect(plan.decode.frame.model).toBe('cmyk');
    expect(plan.frame.model).toBe('rgb');
  });

  test('a watermark is placed on the upright, resized picture, and its file is paid for', () => {
    const mark = { header: png({ width: 200, height: 100 }, { alpha: true }), scale: 20, opacity: 80 } as const;
    const watermark = { ...mark, file: new Uint8Array(40_000), position: 'BR' } as const;
    const header = jpeg({ width: 1500, height: 1125 }, { orientation: 8 });
    const plan = pixelsPlan(header, options('jpg', { maxHeight: 800, watermark }));
    expect(steps(plan)).toEqual(['resize', 'orient', 'watermark']);
    expect(plan.frame).toMatchObject({ width: 600, height: 800 });
    expect(plan.steps.at(-1)!.params).toMatchObject({ left: 480, top: 740, width: 120, height: 60, opacity: 80 });
    const without = pixelsPlan(header, options('jpg', { maxHeight: 800 }));
    expect(plan.memory.decode.buffers - without.memory.decode.buffers).toBeGreaterThanOrEqual(40_000);
  });

  test('an invisible watermark is no step', () => {
    const watermark = { file: new Uint8Array(9), header: png(size), scale: 20, opacity: 0, position: 'TL' } as const;
    expect(planImage(png(size), 500_000, options('png', { watermark })).route).toBe('recompress');
  });

  test('a plan is data: the same every time, and it survives being printed', () => {
    const make = () => pixelsPlan(jpeg(size, { orientation: 6 }), options('avif', { maxWidth: 300 }));
    expect(make()).toEqual(make());
    expect(JSON.parse(JSON.stringify(make()))).toEqual(make());
  });
});

test('the file counts where it lies: beside a library decoder on the heap, otherwise in the arena', () => {
  const size = { width: 400, height: 300 };
  const arenaOf = (bytes: number) => pixelsPlan(png(size), options('webp'), bytes).memory.decode;
  expect(arenaOf(2 * MEGABYTE).arena - arenaOf(MEGABYTE).arena).toBe(MEGABYTE);
  const heapOf = (bytes: number) => pixelsPlan(avif(size), options('jpg'), bytes).memory.decode;
  expect(heapOf(200_000).buffers - heapOf(100_000).buffers).toBe(100_000);
});
