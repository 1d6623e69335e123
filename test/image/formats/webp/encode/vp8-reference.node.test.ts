import '../../../../../scripts/engine/load-wasm.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Macroblock, ReferenceEncoder } from '../../../../reference/vp8-encode/encode-picture.ts';
import { readQuantiser } from '../../../../reference/vp8-encode/quantiser.ts';
import type { SyntheticPicture } from '../../../../support/synthetic-picture.ts';
import { textureOf } from './texture.ts';

const { encodeVp8 } = await import('./encode-vp8.ts');
const { segmentsFor, writeQuantiser } = await import('../../../../../src/image/formats/webp/encode/segment.ts');
const { ACTIVITY } = await import('../../../../../src/image/formats/webp/encode/vp8-encoder.ts');

function referenceOf({ frame, pixels }: SyntheticPicture, quality: number): ReferenceEncoder {
  const quantisers = segmentsFor(quality).map((segment) => {
    const bytes = new Uint8Array(256);
    writeQuantiser(bytes, segment);
    return readQuantiser(bytes);
  });
  const settings = { quantisers, activity: ACTIVITY, candidates: 4 };
  const reference = new ReferenceEncoder(pixels, frame.width / 16, frame.height / 16, settings);
  reference.encode();
  return reference;
}

/** Modes as the kernel keeps them. */
function kept({ segment, mode, chromaMode, subblocks, skipped }: Macroblock): number[] {
  const head = segment | (subblocks ? 4 : 0) | (skipped ? 8 : 0) | (mode << 4) | (chromaMode << 6);
  if (subblocks === undefined) return [head];
  const pairs = Array.from({ length: 8 }, (_, n) => subblocks[2 * n]! | (subblocks[2 * n + 1]! << 4));
  return [head, ...pairs];
}

describe('the kernel chooses what the reference chooses', () => {
  const cases = fc.record({
    mbWidth: fc.integer({ min: 1, max: 4 }),
    mbHeight: fc.integer({ min: 1, max: 3 }),
    seed: fc.integer(),
    contrast: fc.double({ min: 0, max: 1, noNaN: true }),
    quality: fc.integer({ min: 0, max: 100 }),
  });

  it('modes, levels and probabilities, on random pictures at all qualities', () => {
    const seen = { divided: 0, whole: 0, skipped: 0 };
    fc.assert(
      fc.property(cases, ({ mbWidth, mbHeight, seed, contrast, quality }) => {
        const picture = textureOf(mbWidth * 16, mbHeight * 16, seed, contrast);
        const own = encodeVp8(picture, quality);
        const reference = referenceOf(picture, quality);
        for (const { subblocks, skipped } of reference.macroblocks) {
          seen[subblocks ? 'divided' : 'whole']++;
          if (skipped) seen.skipped++;
        }
        expect([...own.modes]).toEqual(reference.macroblocks.flatMap(kept));
        for (const plane of ['y', 'u', 'v'] as const) {
          expect(Buffer.compare(own.rebuilt[plane].samples, reference.rebuilt[plane].samples), plane).toBe(0);
        }
        expect(Buffer.compare(own.probabilities, reference.costs.probabilities), 'probabilities').toBe(0);
      }),
      { numRuns: 80 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });
});
