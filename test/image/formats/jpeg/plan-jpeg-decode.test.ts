import { describe, expect, test } from 'vitest';
import { budget } from '../../../../src/image/budget.ts';
import type { JpegDetail, JpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { planJpegDecode } from '../../../../src/image/formats/jpeg/plan-jpeg-decode.ts';
import { HELD_BYTES } from '../../../../src/image/source-file.ts';

describe('scale', () => {
  test.each([
    [4000, 3000, 4000, 3000, 1],
    [1, 1, 1, 1, 1],
    [1, 600, 1, 300, 2],
    [4000, 3000, 2001, 1501, 1],
    [4000, 3000, 2000, 1501, 1],
    [4000, 3000, 2000, 1500, 2],
    [4000, 3000, 1000, 750, 2],
    [4000, 3000, 501, 375, 2],
    [4000, 3000, 500, 375, 4],
    [4000, 3000, 250, 187, 8],
    [4000, 3000, 1, 1, 8],
    [4000, 3000, 100, 1501, 1],
    [4001, 3001, 2001, 1501, 2],
    [4001, 3001, 500, 375, 4],
  ])(
    '%i × %i of which at least %i × %i is needed is decoded at 1/%i',
    (width, height, leastWidth, leastHeight, scale) => {
      const plan = planJpegDecode(header(width, height), 1_000_000, { width: leastWidth, height: leastHeight });
      expect(plan.scale).toBe(scale);
      expect(plan.frame).toEqual({
        width: Math.ceil(width / scale),
        height: Math.ceil(height / scale),
        alpha: false,
        model: 'rgb',
        ...(width % scale > 0 ? { extent: { width: width / scale, height: height / scale } } : {}),
      });
    },
  );
});

test('the largest progressive pictures take a few megabytes beside the file', () => {
  for (const [width, height] of [
    [65_535, 1525],
    [10_000, 10_000],
    [1525, 65_535],
  ] as const) {
    const { cost, fileIn } = planJpegDecode(header(width, height), 20_000_000, { width, height });
    expect(fileIn).toBe('arena');
    expect(cost.arena).toBeLessThan(8_000_000);
    expect(cost.buffers).toBe(0);
  }
});

test('the most expensive sampling factors fit beside the largest file', () => {
  const components = [1, 2, 3, 4].map((id) => ({ id, horizontal: 4, vertical: 4, quantTable: 0 }));
  const all = header(65_535, 1525, { components, colour: 'cmyk' });
  const plan = planJpegDecode(all, 20 * 1024 * 1024, all);
  expect(plan.frame.model).toBe('cmyk');
  expect(plan.cost.arena).toBeLessThan(budget.arena - 20 * 1024 * 1024);
});

test('a file is read in windows if it is not held and its scans are known', () => {
  const scan = {
    ...{ start: 600, end: 5_000_600, components: [], restartInterval: 0, progressive: true },
    ...{ spectralStart: 0, spectralEnd: 0, approximationHigh: 0, approximationLow: 0 },
  };
  const scans = { scans: [scan], quantTables: [], complete: true };
  const known = header(3000, 2000, { scans });
  const held = planJpegDecode(known, HELD_BYTES, known);
  expect({ ...held, cpu: 0 }).toEqual({ ...planJpegDecode(header(3000, 2000), HELD_BYTES, known), cpu: 0 });
  expect(held.fileIn).toBe('arena');
  const window = 1024 * 1024;
  const cost = { ...held.cost, arena: held.cost.arena + window };
  const { cpu, coefficients, ...windowed } = planJpegDecode(known, HELD_BYTES + 1, known);
  expect({ ...held, fileIn: 'windows', window, cost }).toMatchObject(windowed);
  expect(windowed).toMatchObject({ fileIn: 'windows', window, cost });
  expect(cpu).toBeGreaterThan(held.cpu);
  expect(coefficients).toBeGreaterThan(held.coefficients!);
});

function header(width: number, height: number, detail: Partial<JpegDetail> = {}): JpegHeader {
  const components = [1, 2, 3].map((id) => ({
    id,
    horizontal: id === 1 ? 2 : 1,
    vertical: id === 1 ? 2 : 1,
    quantTable: 0,
  }));
  return {
    format: 'jpg',
    width,
    height,
    orientation: 1,
    alpha: false,
    bitDepth: 8,
    model: 'rgb',
    animated: false,
    detail: {
      components,
      colour: 'ycbcr',
      adobe: false,
      progressive: true,
      restartInterval: 0,
      firstScan: 0,
      ...detail,
    },
  };
}
