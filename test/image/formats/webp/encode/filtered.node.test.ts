import '../../../../../scripts/engine/load-wasm.ts';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { filterFrame } from '../../../../reference/vp8-encode/loop-filter.ts';
import { cutPlanes } from '../../../../reference/vp8-encode/planes.ts';
import { hasTool, inFolder, run } from '../../../../support/native-tool.ts';
import { pamPixels } from '../../../../support/pam-pixels.ts';
import { type SyntheticPicture, syntheticPicture } from '../../../../support/synthetic-picture.ts';

const { encodeVp8 } = await import('./encode-vp8.ts');
const { decodeFile } = await import('../decode-file.ts');
const { encodeFile } = await import('./encode-file.ts');

interface Judged {
  /** What the format's rules make of the encoder's reconstruction, Y, U and V. */
  readonly expected: Uint8Array;
  readonly dwebp: Uint8Array;
  /** RGBA of each decoder. */
  readonly rgba: { readonly dwebp: Uint8Array; readonly sharp: Uint8Array; readonly own: Uint8Array };
  readonly segments: number;
  readonly levels: readonly number[];
}

/** Encodes as the product does, and decodes with everything that there is, the loop filter on. */
async function judge(picture: SyntheticPicture, quality: number): Promise<Judged> {
  const { frame } = picture;
  const file = await encodeFile(picture, quality);
  const { rebuilt, filters, inSegments } = encodeVp8(picture, quality);
  filterFrame(rebuilt, filters);
  const expected = cutPlanes(rebuilt, frame.width, frame.height);
  const own = (await decodeFile(file)).pixels;
  const { data } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return inFolder((write) => {
    const path = write('picture.webp', file);
    run('dwebp', '-quiet', '-yuv', path, '-o', `${path}.yuv`);
    run('dwebp', '-quiet', '-pam', path, '-o', `${path}.pam`);
    return {
      expected,
      dwebp: readFileSync(`${path}.yuv`).subarray(0, expected.length),
      rgba: { dwebp: pamPixels(readFileSync(`${path}.pam`)), sharp: data, own },
      segments: inSegments.filter((count) => count > 0).length,
      levels: filters.map(({ level }) => level),
    };
  });
}

function expectAgreement({ expected, dwebp, rgba }: Judged): void {
  expect(Buffer.compare(dwebp, expected), 'planes of dwebp').toBe(0);
  expect(Buffer.compare(rgba.sharp, rgba.dwebp), 'pixels of sharp').toBe(0);
  expect(Buffer.compare(rgba.own, rgba.dwebp), 'pixels of our decoder').toBe(0);
}

describe.skipIf(!hasTool('dwebp'))('what decoders show is the reconstruction, filtered as RFC 6386 says', () => {
  it.each([
    ['photo', 1, 1, 75],
    ['photo', 2, 1, 0],
    ['photo', 1, 2, 100],
    ['photo', 15, 17, 50],
    ['photo', 200, 150, 0],
    ['photo', 200, 150, 50],
    ['photo', 200, 150, 82],
    ['photo', 200, 150, 100],
    ['noise', 129, 65, 30],
    ['flat', 64, 50, 60],
    ['photo', 16_383, 1, 60],
    ['photo', 16_383, 17, 80],
    ['photo', 1, 16_383, 60],
    ['photo', 19, 16_383, 80],
  ] as const)('%s, %i × %i, quality %i', { timeout: 30_000 }, async (kind, width, height, quality) => {
    expectAgreement(await judge(syntheticPicture(kind, width, height), quality));
  });

  it('in every size up to two macroblocks and at every quality', { timeout: 120_000 }, async () => {
    const cases = fc.tuple(
      fc.constantFrom('photo' as const, 'noise' as const, 'flat' as const),
      fc.integer({ min: 1, max: 34 }),
      fc.integer({ min: 1, max: 34 }),
      fc.integer({ min: 0, max: 100 }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([kind, width, height, quality, alpha]) => {
        expectAgreement(await judge(syntheticPicture(kind, width, height, alpha), quality));
      }),
      { numRuns: 25 },
    );
  });

  it('with several segments, each filtered at its own level', async () => {
    const judged = await judge(patchwork(256, 192), 60);
    expect(judged.segments).toBe(4);
    expect(new Set(judged.levels).size).toBe(4);
    expectAgreement(judged);
  });

  it.each([
    ['photo', 90, 61, 70],
    ['noise', 67, 45, 90],
    ['photo', 1, 1, 75],
    ['photo', 2049, 19, 80],
  ] as const)('with transparency: %s, %i × %i, quality %i', async (kind, width, height, quality) => {
    const picture = syntheticPicture(kind, width, height, true);
    const judged = await judge(picture, quality);
    expectAgreement(judged);
    const opacity = (pixels: Uint8Array) => pixels.filter((_, at) => at % 4 === 3);
    expect(Buffer.compare(opacity(judged.rgba.dwebp), opacity(picture.pixels))).toBe(0);
  });
});

/** Macroblocks of all kinds side by side: flat, slopes, weak and strong grain. */
function patchwork(width: number, height: number): SyntheticPicture {
  const picture = syntheticPicture('noise', width, height);
  const grain = [0, 0.06, 0.2, 1];
  for (let at = 0; at < picture.pixels.length; at += 4) {
    const x = (at / 4) % width;
    const y = Math.floor(at / 4 / width);
    const amount = grain[((x >> 5) + 3 * (y >> 5)) & 3]!;
    for (let channel = 0; channel < 3; channel++) {
      picture.pixels[at + channel] = 128 + (x & 63) / 4 + amount * (picture.pixels[at + channel]! - 128) * 0.8;
    }
  }
  return picture;
}
