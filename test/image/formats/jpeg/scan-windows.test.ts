import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Scan } from '../../../../src/image/formats/jpeg/scan.ts';
import { scanWindow, scanWindowsBytes } from '../../../../src/image/formats/jpeg/scan-windows.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Scans of so many bytes, one behind the other. */
function scansOf(sizes: readonly number[]) {
  let end = 600;
  const scans = sizes.map((size): Scan => {
    const start = end;
    end += size;
    return {
      ...{ start, end, components: [], restartInterval: 0, progressive: true },
      ...{ spectralStart: 0, spectralEnd: 0, approximationHigh: 0, approximationLow: 0 },
    };
  });
  return { scans, quantTables: [], complete: true };
}

describe('one window of a file', () => {
  test.each([
    ['of one scan is 1 MiB', [20 * MIB], MIB],
    ['of four scans too', [5 * MIB, 5 * MIB, 5 * MIB, 5 * MIB], MIB],
    ['of ten scans is its share of 4 MiB', new Array<number>(10).fill(2 * MIB), Math.floor((4 * MIB) / 10)],
    ['has what small scans leave', [10 * KIB, 86 * KIB, ...new Array<number>(8).fill(2 * MIB)], 500 * KIB],
    ['is not limited where all scans fit', new Array<number>(30).fill(100 * KIB), MIB],
    ['of 32 scans is 128 KiB', new Array<number>(32).fill(640 * KIB), 128 * KIB],
    ['is none where there would be more', new Array<number>(33).fill(KIB), undefined],
  ])('%s', (_, sizes, window) => {
    expect(scanWindow(scansOf(sizes))).toBe(window);
  });

  test('is between 128 KiB and 1 MiB, and all together take 4 MiB at the most', () => {
    const size = fc.oneof(fc.nat(20 * MIB), fc.nat(200 * KIB), fc.nat(100));
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 32 }), (sizes) => {
        const found = scansOf(sizes);
        const window = scanWindow(found)!;
        expect(window).toBeGreaterThanOrEqual(128 * KIB);
        expect(window).toBeLessThanOrEqual(MIB);
        expect(scanWindowsBytes(found, window)).toBeLessThanOrEqual(4 * MIB + 32 * 16);
      }),
    );
  });
});
