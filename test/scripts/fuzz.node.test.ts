import { expect, test } from 'vitest';
import { avifAnatomy, mediaFirst } from '../../scripts/fuzz/avif-anatomy.ts';
import { fuzzFile } from '../../scripts/fuzz/fuzz-file.ts';
import { GuardedArena } from '../../scripts/fuzz/guarded-arena.ts';
import { jpegAnatomy } from '../../scripts/fuzz/jpeg-anatomy.ts';
import { pngAnatomy } from '../../scripts/fuzz/png-anatomy.ts';
import { seededRandom } from '../../scripts/fuzz/random.ts';
import { fuzzSources } from '../../scripts/fuzz/sources.ts';
import { webpAnatomy } from '../../scripts/fuzz/webp-anatomy.ts';
import { formatIds } from '../../src/image/formats/format-id.ts';
import { identify } from '../../src/image/identify.ts';

const anatomies = { webp: webpAnatomy, avif: avifAnatomy, jpg: jpegAnatomy, png: pngAnatomy };

test.each(formatIds)('the parts of %s, joined again, are the file', async (format) => {
  for (const file of await fuzzSources(format, false)) {
    const parts = anatomies[format].split(file);
    expect(parts.length).toBeGreaterThan(1);
    expect(Buffer.compare(anatomies[format].join(parts), file)).toBe(0);
  }
});

test.each(formatIds)(
  'the same seed changes a file of %s in the same way, and another one in another',
  async (format) => {
    const sources = await fuzzSources(format, false);
    const mutant = (seed: number) => Buffer.from(fuzzFile(format, sources, seededRandom(seed)));
    expect(mutant(7).equals(mutant(7))).toBe(true);
    expect(new Set(Array.from({ length: 20 }, (_, seed) => mutant(seed).toString('base64'))).size).toBe(20);
  },
);

test('an AVIF whose media data was moved to the front is the same picture', async () => {
  const [made] = await fuzzSources('avif', false);
  const moved = mediaFirst(made!);
  expect(Buffer.compare(moved, made!)).not.toBe(0);
  expect(await identify(moved)).toMatchObject({ width: 75, height: 58 });
});

test('a PNG whose chunks were changed from inside keeps its checksums right', async () => {
  const [made] = await fuzzSources('png', false);
  const random = seededRandom(3);
  const parts = pngAnatomy.split(made!).map((part, at) => (at === 1 ? pngAnatomy.mutateInside(part, random) : part));
  const [, header] = pngAnatomy.split(pngAnatomy.join(parts));
  expect(header).not.toEqual(pngAnatomy.split(made!)[1]);
  expect(pngAnatomy.join([parts[0]!, header!])).toEqual(pngAnatomy.join([parts[0]!, parts[1]!]));
});

test('an arena with guards tells of a byte behind a region, of one too many and of what is left', () => {
  const arena = new GuardedArena();
  arena.reserve(100);
  arena.region(33).fill(1);
  expect(arena.faults).toEqual([]);
  arena.region(100);
  expect(arena.faults).toEqual(['160 bytes of regions were taken, 112 planned']);
  arena.begin();
  arena.clear();
  expect([arena.faults, arena.clean]).toEqual([[], true]);

  arena.reserve(100);
  const region = arena.region(33);
  new Uint8Array(region.buffer, region.byteOffset, 34)[33] = 1;
  arena.clear();
  expect(arena.faults).toEqual(['something was written behind a region of 48 bytes']);

  new Uint8Array(region.buffer)[5] = 1;
  expect(arena.clean).toBe(false);
});
