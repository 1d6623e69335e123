import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codingLayout } from '../../../../../src/image/formats/jpeg/encode/coding-layout.ts';
import { type KeptPicture, storeBytes } from '../../../../../src/image/formats/jpeg/encode/kept-picture.ts';
import { randomCoefficients } from '../../../../reference/jpeg-transcode/coefficients.ts';
import { writeSequential } from '../../../../reference/jpeg-transcode/write-scan.ts';
import { HeapWorkspace } from '../../../../support/heap-workspace.ts';
import { emptyPicture, keepAll } from './keep-coefficients.ts';

const layout = codingLayout(53, 40, '4:2:0');
const picture = randomCoefficients(layout, { density: 40, most: 1023, flat: 10 }, 11);
const file = writeSequential(picture, 0, layout.mcusDown);
const GUARD = 4096;

/** Reads a strip; whether it was read to its end. */
function readStrip(kept: KeptPicture, strip: Uint8Array): boolean {
  try {
    kept.startStrip(strip);
    for (let row = 0; row < layout.mcusDown; row++) {
      if (!kept.readMcuRow()) throw new Error('no room');
      kept.keepMcuRow();
    }
    return true;
  } catch (error) {
    expect((error as Error).message).toMatch(/^a strip with(out)? |^The JPEG file is damaged/);
    return false;
  }
}

test('damaged strips are refused or read, and nothing is written beside the regions', () => {
  const damage = fc.array(fc.tuple(fc.integer({ min: 150, max: file.length - 1 }), fc.nat(255)), {
    minLength: 1,
    maxLength: 5,
  });
  let refused = 0;
  fc.assert(
    fc.property(damage, fc.integer({ min: 400, max: file.length }), (changes, length) => {
      const workspace = new HeapWorkspace();
      const before = workspace.arena(GUARD).fill(0xa5);
      const kept = emptyPicture(picture, storeBytes(layout, 1e6), workspace);
      const after = workspace.arena(GUARD).fill(0xa5);
      const strip = workspace.arena(length);
      strip.set(file.subarray(0, length));
      for (const [at, byte] of changes) if (at < length) strip[at] = byte;
      const given = strip.slice();
      if (!readStrip(kept, strip)) refused++;
      expect(strip).toEqual(given);
      expect(before.every((byte) => byte === 0xa5) && after.every((byte) => byte === 0xa5)).toBe(true);
    }),
    // A Huffman table in a place of its own choosing was once written behind the tables that there are.
    {
      numRuns: 300,
      examples: [
        [
          [
            [209, 129],
            [150, 0],
          ],
          433,
        ],
      ],
    },
  );
  expect(refused).toBeGreaterThan(20);
});

test('the store that is promised holds the worst coefficients', () => {
  const sides = [layout, codingLayout(53, 40, '4:4:4'), codingLayout(1, 1, '4:2:0'), codingLayout(900, 9, '4:4:4')];
  for (const each of sides) {
    const worst = randomCoefficients(each, { density: 100, most: 1, flat: 0 }, 1);
    for (const blocks of worst.blocks) blocks.fill(-1023);
    const workspace = new HeapWorkspace();
    keepAll(emptyPicture(worst, storeBytes(each, 1e7), workspace), worst, 1, workspace);
  }
});

test('strips with different quantisation tables are refused', () => {
  const workspace = new HeapWorkspace();
  const kept = emptyPicture(picture, storeBytes(layout, 1e6), workspace);
  const strip = workspace.arena(file.length);
  strip.set(file);
  kept.startStrip(strip);
  strip[30]!++;
  expect(() => kept.startStrip(strip)).toThrow('quantisation');
});
