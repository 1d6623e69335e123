import sharp, { type PngOptions } from 'sharp';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { readPngHeader } from '../../../src/image/formats/png/header.ts';
import type { Frame } from '../../../src/image/frame.ts';
import { type WatermarkOptions, watermarkPositions } from '../../../src/image/options.ts';
import { watermark } from '../../../src/image/steps/watermark.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';
import { stepContext } from '../../support/step-context.ts';

/** A smooth picture; with `alpha` its transparency runs from left to right. */
function picture(width: number, height: number, alpha: boolean): Buffer {
  const pixels = Buffer.alloc(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const cover = alpha ? (x * 255) / (width - 1) : 255;
    pixels.set([(x * 255) / width, (y * 255) / height, 90, cover], i * 4);
  }
  return pixels;
}

function png(pixels: Buffer, width: number, height: number, options: PngOptions = {}): Promise<Buffer> {
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png(options)
    .toBuffer();
}

async function apply(base: Buffer, frame: Frame, file: Uint8Array, options: Partial<WatermarkOptions> = {}) {
  const mark = { file, header: readPngHeader(file), scale: 20, opacity: 80, position: 'BR', ...options } as const;
  const context = stepContext(frame, { watermark: mark });
  const planned = watermark.plan(frame, context)!;
  const workspace = new HeapWorkspace();
  const pixels = await gatherBands(
    watermark.apply(bandsOf(base, frame, 11), frame, planned, context, workspace),
    frame,
  );
  expect(workspace.peakBuffers).toBeLessThanOrEqual(planned.buffers);
  expect(workspace.arenaBytes).toBeLessThanOrEqual(planned.arena!);
  expect(workspace.heldBuffers).toBe(0);
  return { pixels, place: planned.params };
}

/** The largest difference of any value, colours counted by their alpha. */
function worst(ours: Uint8Array, theirs: Uint8Array): number {
  let most = 0;
  for (let at = 0; at < ours.length; at += 4) {
    const [alpha, other] = [ours[at + 3]! / 255, theirs[at + 3]! / 255];
    most = Math.max(most, Math.abs(alpha - other) * 255);
    for (let k = 0; k < 3; k++) most = Math.max(most, Math.abs(ours[at + k]! * alpha - theirs[at + k]! * other));
  }
  return most;
}

describe('watermark', () => {
  for (const alpha of [false, true]) {
    test(`is composited as sharp composites it at all nine positions, ${alpha ? 'on transparency' : 'on an opaque picture'}`, async () => {
      const frame = { width: 200, height: 90, alpha, model: 'rgb' } as const;
      const base = picture(200, 90, alpha);
      // As large as it will be shown, so that only the composition is compared; sharp rounds down twice.
      const mark = await png(picture(40, 24, true), 40, 24);
      for (const position of watermarkPositions) {
        const { pixels, place } = await apply(base, frame, mark, { position, opacity: 100 });
        const theirs = await sharp(base, { raw: { width: 200, height: 90, channels: 4 } })
          .composite([{ input: mark, left: place.left, top: place.top }])
          .raw()
          .toBuffer();
        expect(place).toMatchObject({ width: 40, height: 24 });
        expect(worst(pixels, theirs), position).toBeLessThanOrEqual(2);
      }
    });
  }

  test.each([
    ['smaller', 300, 180, 10],
    ['larger', 8, 4, 50],
  ])('a mark is scaled %s', async (_name, width, height, scale) => {
    const frame = { width: 400, height: 300, alpha: false, model: 'rgb' } as const;
    const solid = Buffer.alloc(width * height * 4, Uint8Array.of(10, 200, 30, 255));
    const base = Buffer.alloc(400 * 300 * 4, 255);
    const { pixels, place } = await apply(base, frame, await png(solid, width, height), {
      scale,
      opacity: 50,
      position: 'TL',
    });
    expect(place.width).toBe((400 * scale) / 100);
    for (let y = 0; y < 300; y++) {
      for (const x of [0, place.width - 1, place.width]) {
        const inside = x < place.width && y < place.height;
        const at = (y * 400 + x) * 4;
        const expected = inside ? [133, 228, 143, 255] : [255, 255, 255, 255];
        if (pixels.subarray(at, at + 4).some((value, k) => Math.abs(value - expected[k]!) > 1)) {
          throw new Error(`${x}, ${y}: ${pixels.subarray(at, at + 4)}`);
        }
      }
    }
  });

  test('a large interlaced mark takes little memory', async () => {
    const mark = await png(picture(2000, 1500, true), 2000, 1500, { progressive: true });
    const frame = { width: 600, height: 500, alpha: false, model: 'rgb' } as const;
    const header = readPngHeader(mark);
    const context = stepContext(frame, { watermark: { file: mark, header, scale: 50, opacity: 80, position: 'MC' } });
    expect(watermark.plan(frame, context)!.buffers).toBeLessThan(6 * 1024 * 1024);
    const plain = await png(picture(2000, 1500, true), 2000, 1500);
    const base = picture(600, 500, false);
    const [a, b] = [await apply(base, frame, mark), await apply(base, frame, plain)];
    expect(worst(a.pixels, b.pixels)).toBe(0);
  });

  test('its own profile is applied', async () => {
    const red = { create: { width: 20, height: 20, channels: 4 as const, background: '#c04020' } };
    const mark = await sharp(red).withIccProfile('p3').png().toBuffer();
    const frame = { width: 100, height: 100, alpha: false, model: 'rgb' } as const;
    const { pixels } = await apply(Buffer.alloc(40_000, 255), frame, mark, { position: 'TL', opacity: 100 });
    for (const [k, value] of [0xc0, 0x40, 0x20, 255].entries()) {
      expect(Math.abs(pixels[k]! - value)).toBeLessThanOrEqual(2);
    }
  });

  test('invisible means nothing to do', async () => {
    const mark = await png(picture(4, 4, false), 4, 4);
    const frame = { width: 10, height: 10, alpha: false, model: 'rgb' } as const;
    const options = { file: mark, header: readPngHeader(mark), scale: 20, opacity: 0, position: 'BR' } as const;
    expect(watermark.plan(frame, stepContext(frame, { watermark: options }))).toBeUndefined();
    expect(watermark.plan(frame, stepContext(frame))).toBeUndefined();
  });

  test('a broken mark fails the file with a message that says so, and everything is freed', async () => {
    const whole = await png(picture(300, 300, true), 300, 300);
    const mark = whole.subarray(0, whole.length >> 1);
    const frame = { width: 200, height: 200, alpha: false, model: 'rgb' } as const;
    const options = { file: mark, header: readPngHeader(mark), scale: 20, opacity: 80, position: 'BR' } as const;
    const context = stepContext(frame, { watermark: options });
    const workspace = new HeapWorkspace();
    const bands = watermark.apply(
      bandsOf(picture(200, 200, false), frame),
      frame,
      watermark.plan(frame, context)!,
      context,
      workspace,
    );
    const failure = await gatherBands(bands, frame).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FileError);
    expect((failure as FileError).message).toMatch(/^The watermark could not be used\./);
    expect(workspace.heldBuffers).toBe(0);
  });
});
