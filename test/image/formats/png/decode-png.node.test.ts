import { existsSync, readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { MAX_PIXELS, MAX_SIDE } from '../../../../src/image/budget.ts';
import { decodePng, planPngDecode } from '../../../../src/image/formats/png/decode-png.ts';
import { readPngHeader } from '../../../../src/image/formats/png/header.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';

const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
const corpusFiles = (folder: string): string[] =>
  existsSync(corpus) ? readdirSync(new URL(folder, corpus)).filter((name) => name.endsWith('.png')) : [];
const readCorpus = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, corpus)));

async function decode(file: Uint8Array) {
  const header = readPngHeader(file);
  const plan = planPngDecode(header);
  const workspace = new HeapWorkspace();
  const pixels = new Uint8Array(header.width * header.height * 4);
  let next = 0;
  for await (const band of decodePng(file, header, workspace)) {
    expect(band.top).toBe(next);
    expect(band.pixels.length).toBe(band.rows * header.width * 4);
    pixels.set(band.pixels, band.top * header.width * 4);
    next += band.rows;
  }
  expect(next).toBe(header.height);
  expect(workspace.peakBuffers).toBeLessThanOrEqual(plan.cost.buffers);
  expect(workspace.arenaBytes).toBeLessThanOrEqual(plan.cost.arena);
  expect(workspace.heldBuffers).toBe(0);
  return { header, pixels };
}

/** What libpng, by way of sharp, makes of the file; the profile stays unapplied as in our decoder. */
async function reference(file: Uint8Array): Promise<Uint8Array> {
  const { data } = await sharp(file, { failOn: 'error', ignoreIcc: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return new Uint8Array(data);
}

describe.skipIf(!existsSync(corpus))('corpus', () => {
  test.each(['png', 'screens', 'watermarks'].flatMap((folder) => corpusFiles(folder).map((n) => `${folder}/${n}`)))(
    '%s is decoded as libpng does',
    async (path) => {
      const file = readCorpus(path);
      const { header, pixels } = await decode(file);
      const expected = await reference(file);
      expect(expected.length).toBe(pixels.length);
      expect(Buffer.compare(pixels, expected)).toBe(0);
      if (!header.alpha) expect(pixels.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true);
    },
  );
  test.each(corpusFiles('broken'))('broken/%s', async (name) => {
    const file = readCorpus(`broken/${name}`);
    let ours: string;
    try { const h = readPngHeader(file); ours = `${h.width}x${h.height}`; if (h.width * h.height < MAX_PIXELS) await decode(file); } catch (e) { ours = (e as Error).message; if (!(e instanceof FileError)) throw e; }
    console.log(name, ours);
  });
});
void MAX_SIDE;
