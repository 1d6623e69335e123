import '../../../../../scripts/engine/load-wasm.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { cutPlanes } from '../../../../reference/vp8-encode/planes.ts';
import { corpusFiles, fileBytes } from '../../../../support/corpus-files.ts';
import { hasTool, inFolder, run } from '../../../../support/native-tool.ts';
import { type SyntheticPicture, syntheticPicture } from '../../../../support/synthetic-picture.ts';

const { encodeVp8 } = await import('./encode-vp8.ts');

/** Whether what dwebp decodes without its loop filter is what the encoder predicted from. */
function isAsRebuilt(picture: SyntheticPicture, quality: number, modeBits?: number): Promise<boolean> {
  const { file, rebuilt } = encodeVp8(picture, quality, modeBits);
  const expected = cutPlanes(rebuilt, picture.frame.width, picture.frame.height);
  return inFolder((write) => {
    const path = write('picture.webp', file);
    run('dwebp', '-quiet', '-nofilter', '-yuv', path, '-o', `${path}.yuv`);
    return Buffer.compare(readFileSync(`${path}.yuv`), expected) === 0;
  });
}

async function part(path: Uint8Array, width: number, height: number): Promise<SyntheticPicture> {
  const pixels = await sharp(path).resize(width, height, { fit: 'cover' }).removeAlpha().ensureAlpha().raw().toBuffer();
  return { frame: { width, height, alpha: false, model: 'rgb' }, pixels: new Uint8Array(pixels) };
}

const dwebp = hasTool('dwebp');

describe.skipIf(!dwebp)('what dwebp decodes without its filter is bit for bit what the encoder predicted from', () => {
  it.each([
    ['photo', 150, 101, 82],
    ['photo', 1, 1, 50],
    ['photo', 17, 16, 10],
    ['photo', 333, 5, 95],
    ['noise', 97, 61, 0],
    ['noise', 64, 64, 20],
    ['flat', 100, 40, 75],
  ] as const)('%s, %i × %i, quality %i', async (kind, width, height, quality) => {
    expect(await isAsRebuilt(syntheticPicture(kind, width, height), quality)).toBe(true);
  });

  it('when the first partition has less room than its modes would like', async () => {
    const picture = syntheticPicture('noise', 640, 480);
    const macroblocks = 40 * 30;
    const bits = macroblocks * 14;
    expect(encodeVp8(picture, 90).firstPartition).toBeGreaterThan(macroblocks * 2.5);
    // The probabilities of coefficients come on top.
    expect(encodeVp8(picture, 90, bits).firstPartition).toBeLessThan(bits / 8 + 1500);
    expect(await isAsRebuilt(picture, 90, bits)).toBe(true);
  });

  const photos = corpusFiles('photos', '.jpg').slice(0, 4);
  it.each(photos)('$name', { timeout: 60_000 }, async (file) => {
    const picture = await part(fileBytes(file), 701, 467);
    for (const quality of [5, 60, 90, 100]) {
      expect(await isAsRebuilt(picture, quality), `quality ${quality}`).toBe(true);
    }
  });

  it('has seen photographs', ({ skip }) => {
    if (photos.length === 0) skip(`no corpus at ${join('..', 'shared', 'corpus', 'photos')}`);
    expect(photos.length).toBeGreaterThan(0);
  });
});
