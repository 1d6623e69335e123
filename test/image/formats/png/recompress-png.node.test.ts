import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { readPngHeader } from '../../../../src/image/formats/png/header.ts';
import { stripPngMetadata } from '../../../../src/image/formats/png/strip-metadata.ts';
import { corpusPngs, hasCorpus, readCorpus } from './corpus.ts';
import { concat } from './make-png.ts';
import { recompressWhole } from './recompress-whole.ts';

/** Chunk types in the order of the file. */
function chunkTypes(file: Uint8Array): string[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const types: string[] = [];
  for (let at = 8; at < file.length; at += 12 + view.getUint32(at)) {
    types.push(String.fromCharCode(...file.subarray(at + 4, at + 8)));
  }
  return types;
}

/** RGBA by libpng, at the depth of the file: 8 or 16 bits a sample. */
async function samples(file: Uint8Array): Promise<Buffer> {
  const image = sharp(file, { failOn: 'error', ignoreIcc: true }).ensureAlpha();
  if (readPngHeader(file).bitDepth < 16) return image.raw().toBuffer();
  return image.toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer();
}

/** Whether the pixels are the same: a sample of 8 bits is as much as one of 16 with that byte twice. */
function sameSamples(a: Buffer, b: Buffer): boolean {
  const wide = (buffer: Buffer): Buffer =>
    Buffer.from(Uint8Array.from({ length: buffer.length * 2 }, (_, at) => buffer[at >> 1]!));
  if (a.length === b.length) return a.equals(b);
  return a.length < b.length ? wide(a).equals(b) : a.equals(wide(b));
}

describe.skipIf(!hasCorpus)('corpus', () => {
  const totals = { original: 0, stripped: 0, recompressed: 0 };

  test.each(corpusPngs('png', 'screens', 'watermarks'))('%s keeps every pixel and hardly ever grows', async (path) => {
    const file = readCorpus(path);
    const header = readPngHeader(file);
    const result = await recompressWhole(file);
    const original = await samples(file);
    expect(sameSamples(await samples(result), original)).toBe(true);
    expect(chunkTypes(result).every((type) => ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(type))).toBe(true);
    const stripped = concat(...stripPngMetadata(file, header));
    expect((await samples(stripped)).equals(original)).toBe(true);
    totals.original += file.length;
    totals.stripped += stripped.length;
    totals.recompressed += result.length;
    // Some small files were made with a better deflate than zlib's; the original is then sent back ("never larger").
    expect(result.length).toBeLessThanOrEqual(stripped.length * 1.02 + 32);
  });

  test('screenshots get a tenth smaller than libpng and zlib make them at their best', async () => {
    const sizes = { ours: 0, zlib: 0 };
    for (const path of corpusPngs('screens')) {
      const file = readCorpus(path);
      sizes.ours += (await recompressWhole(file)).length;
      const best = sharp(file).png({ palette: false, effort: 10, compressionLevel: 9, adaptiveFiltering: true });
      sizes.zlib += (await best.toBuffer()).length;
    }
    expect(sizes.ours).toBeLessThan(sizes.zlib * 0.9);
  });

  afterAll(() => {
    expect(totals.recompressed).toBeLessThan(totals.stripped * 0.82);
    console.log('PNG corpus in bytes:', totals);
  });
});
