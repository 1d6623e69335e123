import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codingLayout } from '../../../../../src/image/formats/jpeg/encode/coding-layout.ts';
import { ScanCoder } from '../../../../../src/image/formats/jpeg/encode/scan-coder.ts';
import { type Coefficients, randomCoefficients } from '../../../../reference/jpeg-transcode/coefficients.ts';
import { progressiveTokens, sequentialTokens } from '../../../../reference/jpeg-transcode/tokens.ts';
import { frequenciesOf, joined, writeProgressive } from '../../../../reference/jpeg-transcode/write-scan.ts';
import { HeapWorkspace } from '../../../../support/heap-workspace.ts';
import { emptyPicture, keepAll } from './keep-coefficients.ts';
import { pictures } from './random-pictures.ts';

const ROOM = 8 * 1024 * 1024;
const all = [0, 1, 2];

const bands = fc
  .tuple(fc.integer({ min: 1, max: 63 }), fc.integer({ min: 1, max: 63 }))
  .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));

function coderOf(picture: Coefficients, rows = 2): ScanCoder {
  const workspace = new HeapWorkspace();
  const kept = emptyPicture(picture, ROOM, workspace);
  keepAll(kept, picture, rows, workspace);
  return new ScanCoder(kept, workspace);
}

function expectEqualBytes(actual: Uint8Array, expected: Uint8Array): void {
  const different = actual.findIndex((byte, at) => byte !== expected[at]);
  expect({ length: actual.length, different }).toEqual({ length: expected.length, different: -1 });
}

describe('scans are what the reference makes of the same coefficients', () => {
  test('the DC scan', () => {
    fc.assert(
      fc.property(pictures, fc.integer({ min: 1, max: 9 }), (picture, rows) => {
        const scan = { components: all, first: 0, last: 0, high: 0, low: 0 };
        expectEqualBytes(joined(coderOf(picture, rows).write(scan)), writeProgressive(picture, scan));
      }),
      { numRuns: 60 },
    );
  });

  test('first scans of any band of any component', () => {
    fc.assert(
      fc.property(pictures, bands, fc.constantFrom(...all), fc.nat(4), (picture, band, component, low) => {
        const scan = { components: [component], ...band, high: 0, low };
        expectEqualBytes(joined(coderOf(picture).write(scan)), writeProgressive(picture, scan));
      }),
      { numRuns: 80 },
    );
  });

  test('refinement scans', () => {
    fc.assert(
      fc.property(pictures, bands, fc.constantFrom(...all), fc.nat(4), (picture, band, component, low) => {
        const scan = { components: [component], ...band, high: low + 1, low };
        expectEqualBytes(joined(coderOf(picture).write(scan)), writeProgressive(picture, scan));
      }),
      { numRuns: 80 },
    );
  });

  test('runs of more blocks than one code can say', () => {
    const layout = codingLayout(1600, 1400, '4:4:4');
    const picture = randomCoefficients(layout, { density: 0, most: 1, flat: 100 }, 1);
    picture.blocks[0]![64 * 34_000 + 5] = 2;
    const coder = coderOf(picture, 30);
    for (const high of [0, 1]) {
      const scan = { components: [0], first: 1, last: 63, high, low: 0 };
      expectEqualBytes(joined(coder.write(scan)), writeProgressive(picture, scan));
    }
  });

  test.each([
    { high: 0, most: 1023 },
    { high: 1, most: 2 },
  ])('pieces leave in between where a scan is larger than one (before: $high)', ({ high, most }) => {
    const picture = randomCoefficients(codingLayout(960, 640, '4:2:0'), { density: 60, most, flat: 0 }, 7);
    const scan = { components: [0], first: 1, last: 63, high, low: 0 };
    const pieces = [...coderOf(picture, 5).write(scan)];
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(68 * 1024);
    expectEqualBytes(joined(pieces), writeProgressive(picture, scan));
  });

  test('counts are those of what is written', () => {
    fc.assert(
      fc.property(pictures, bands, fc.nat(2), (picture, band, low) => {
        const coder = coderOf(picture);
        const scan = { components: [0], ...band, high: low + 1, low };
        const tokens = progressiveTokens(picture, scan);
        expect(coder.count(scan).frequencies).toEqual(frequenciesOf(tokens));
        const sequential = sequentialTokens(picture, 0, picture.layout.mcusDown);
        expect(coder.countSequential().frequencies).toEqual(frequenciesOf(sequential));
      }),
      { numRuns: 40 },
    );
  });
});
