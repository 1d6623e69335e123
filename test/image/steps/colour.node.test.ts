import { existsSync, readFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../src/image/frame.ts';
import { colour } from '../../../src/image/steps/colour.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';
import { stepContext } from '../../support/step-context.ts';

const corpus = new URL('../../../../shared/corpus/', import.meta.url).pathname;
if (!existsSync(corpus)) console.log('colour: no corpus, 8 pictures skipped');

/** Our conversion of the stored values against sharp's (LittleCMS) of the same file. */
async function compare(file: Buffer) {
  const { width, height, space, channels, icc, hasAlpha } = await sharp(file).metadata();
  const model = space === 'cmyk' ? 'cmyk' : channels < 3 ? 'grey' : 'rgb';
  const untouched = sharp(file, { ignoreIcc: true });
  const stored =
    model === 'cmyk'
      ? untouched.pipelineColourspace('cmyk').toColourspace('cmyk')
      : untouched.toColourspace('srgb').ensureAlpha();
  const pixels = new Uint8Array(await stored.raw().toBuffer());
  const wanted = await sharp(file).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const frame: Frame = { width, height, alpha: hasAlpha, model: model === 'cmyk' ? 'cmyk' : 'rgb' };
  const context = stepContext({ width, height, model, profile: { kind: 'icc', bytes: new Uint8Array(icc!) } });
  const planned = colour.plan(frame, context);
  const workspace = new HeapWorkspace();
  const got = planned
    ? await gatherBands(colour.apply(bandsOf(pixels, frame, 64), frame, planned, context, workspace), frame)
    : pixels;
  expect(workspace.peakBuffers).toBeLessThanOrEqual(planned?.buffers ?? 0);
  let most = 0;
  let sum = 0;
  for (let i = 0; i < got.length; i++) {
    const difference = Math.abs(got[i]! - wanted[i]!);
    most = Math.max(most, difference);
    sum += difference;
  }
  return { conversion: planned?.params.conversion, most, mean: sum / got.length };
}

/** Smooth colours of every hue, 160 × 120. */
function colours(): Sharp {
  const pixels = Buffer.alloc(160 * 120 * 3);
  for (let i = 0; i < 160 * 120; i++) {
    const [x, y] = [(i % 160) / 159, Math.floor(i / 160) / 119];
    pixels.set([x * 255, y * 255, (1 - x) * (1 - y) * 255], i * 3);
  }
  return sharp(pixels, { raw: { width: 160, height: 120, channels: 3 } });
}

describe('as sharp converts it', () => {
  test('a Display P3 picture: no value differs by more than 1', async () => {
    const file = await colours().withIccProfile('p3').png().toBuffer();
    expect(await compare(file)).toMatchObject({ conversion: 'matrix', most: expect.toSatisfy((most) => most <= 1) });
  });

  test.skipIf(!existsSync(corpus)).each([
    ['jpeg/Landscape_2.jpg', 'matrix', 1],
    ['jpeg/apple_gainmap_new.jpg', 'matrix', 1],
    ['jpeg/concert.jpg', 'grey', 1],
    ['png/p3.png', 'matrix', 1],
    ['png/prophoto.png', 'matrix', 1],
    ['jpeg/Channel_digital_image_CMYK_color.jpg', 'sampled', 4],
    ['jpeg/low-contrast.jpg', undefined, 0],
    ['photos/ultra-hdr.jpg', undefined, 0],
  ] as const)('%s (%s): at most %i', async (path, conversion, allowed) => {
    const result = await compare(readFileSync(corpus + path));
    expect(result.conversion).toBe(conversion);
    expect(result.most).toBeLessThanOrEqual(allowed);
  });
});
