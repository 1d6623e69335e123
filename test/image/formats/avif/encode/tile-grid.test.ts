import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planEncoding } from '../../../../../src/image/formats/avif/encode/plan-encoding.ts';
import {
  chooseTileGrid,
  sum,
  type TileGrid,
  tileCount,
} from '../../../../../src/image/formats/avif/encode/tile-grid.ts';

const MIB = 1024 * 1024;
const side = fc.oneof(fc.integer({ min: 1, max: 65_535 }), fc.integer({ min: 1, max: 2100 }));
/** Any picture that the interface accepts. */
const frame = fc
  .record({ width: side, height: side, alpha: fc.boolean(), model: fc.constant('rgb' as const) })
  .filter(({ width, height }) => width * height <= 100_000_000);
const quality = fc.integer({ min: 40, max: 100 });

/** The rules of AV1 for tiles (specification §3, §5.9.15, §6.8.14), and libaom's for superblocks. */
function expectCodable({ widths, heights, superblock }: TileGrid): void {
  const inner = [...widths.slice(0, -1), ...heights.slice(0, -1)];
  expect(inner.every((each) => each % superblock === 0)).toBe(true);
  expect(Math.max(...widths)).toBeLessThanOrEqual(4096);
  expect(Math.max(widths.length, heights.length)).toBeLessThanOrEqual(64);
  const areas = widths.flatMap((width) => heights.map((height) => width * height));
  expect(Math.max(...areas)).toBeLessThanOrEqual(4096 * 2304);
  for (const width of widths) {
    for (const height of heights) expect(Math.min(width, height) > 480).toBe(superblock === 128);
  }
}

describe('the tiles of a picture', () => {
  test('fill it exactly, may be the tiles of one frame, and fit the arena beside a source of 20 MiB', () => {
    fc.assert(
      fc.property(frame, quality, (picture, q) => {
        const { grid, cost } = planEncoding(picture, { quality: q });
        expect([sum(grid.widths), sum(grid.heights)]).toEqual([picture.width, picture.height]);
        expect(Math.min(...grid.widths, ...grid.heights)).toBeGreaterThan(0);
        expectCodable(grid);
        expect(cost.arena + cost.library).toBeLessThanOrEqual(47 * MIB);
        expect(cost.buffers).toBeLessThanOrEqual(16 * MIB);
      }),
      { numRuns: 300 },
    );
  });

  test('are a single one where that fits', () => {
    for (const [width, height] of [
      [1, 1],
      [64, 64],
      [640, 480],
      [700, 700],
    ] as const) {
      expect(tileCount(planEncoding({ width, height, alpha: false, model: 'rgb' }, { quality: 82 }).grid)).toBe(1);
    }
  });

  test('are as few as fit', () => {
    const halves = chooseTileGrid({ width: 2560, height: 1300 }, 6, ({ widths }) => Math.max(...widths) <= 1300);
    expect(halves).toEqual({ widths: [1280, 1280], heights: [1300], superblock: 128 });
  });

  test('have small superblocks where large ones would leave a rest too small for them', () => {
    const grid = chooseTileGrid({ width: 970, height: 970 }, 6, ({ heights }) => Math.max(...heights) <= 640);
    expect(grid).toEqual({ widths: [970], heights: [320, 320, 330], superblock: 64 });
  });

  test('are none when nothing fits', () => {
    expect(chooseTileGrid({ width: 1000, height: 1000 }, 6, () => false)).toBeUndefined();
  });
});

test('a better speed is taken up to 20 megapixels', () => {
  const speed = (width: number, height: number) =>
    planEncoding({ width, height, alpha: false, model: 'rgb' }, { quality: 82 }).settings.speed;
  expect([speed(100, 100), speed(4032, 3024), speed(5472, 3648), speed(6000, 4000)]).toEqual([6, 6, 6, 8]);
});
