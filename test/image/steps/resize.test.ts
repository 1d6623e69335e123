import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitWithin, resize } from '../../../src/image/steps/resize.ts';
import { stepContext } from '../../support/step-context.ts';

const side = fc.integer({ min: 1, max: 65_535 });
const maximum = fc.option(fc.integer({ min: 1, max: 16_384 }), { nil: undefined });
const orientation = fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8);

describe('fitWithin', () => {
  test.each([
    [4032, 3024, 1920, undefined, 1, 1920, 1440],
    [4032, 3024, undefined, 1000, 1, 1333, 1000],
    [4032, 3024, 1000, 1000, 1, 1000, 750],
    [4032, 3024, 1000, 1000, 6, 1000, 750],
    [4032, 3024, 1000, undefined, 6, 1333, 1000],
    [4032, 3024, undefined, 1000, 8, 1000, 750],
    [300, 200, 500, 500, 1, 300, 200],
    [300, 200, 300, 100, 1, 150, 100],
    [10_000, 10, 100, undefined, 1, 100, 1],
    [3, 2, 2, undefined, 1, 2, 1],
    [5, 3, 2, undefined, 3, 2, 1],
  ] as const)('%i×%i within %s×%s, orientation %i: %i×%i as stored', (width, height, maxW, maxH, turn, outW, outH) => {
    expect(fitWithin({ width, height }, maxW, maxH, turn)).toEqual({ width: outW, height: outH });
  });

  test('the upright result fits, is never larger and keeps the aspect to half a pixel', () => {
    fc.assert(
      fc.property(side, side, maximum, maximum, orientation, (width, height, maxWidth, maxHeight, turn) => {
        const out = fitWithin({ width, height }, maxWidth, maxHeight, turn);
        const [across, down] = turn >= 5 ? [out.height, out.width] : [out.width, out.height];
        expect(across).toBeLessThanOrEqual(maxWidth ?? across);
        expect(down).toBeLessThanOrEqual(maxHeight ?? down);
        expect(out.width).toBeGreaterThanOrEqual(1);
        expect(out.height).toBeGreaterThanOrEqual(1);
        expect(out.width).toBeLessThanOrEqual(width);
        expect(out.height).toBeLessThanOrEqual(height);
        const widthError = Math.abs(out.width - Math.max(1, (width * out.height) / height));
        const heightError = Math.abs(out.height - Math.max(1, (height * out.width) / width));
        expect(Math.min(widthError, heightError)).toBeLessThanOrEqual(0.5);
      }),
    );
  });
});

describe('resize', () => {
  test('a picture that fits already is left alone', () => {
    const frame = { width: 300, height: 200, alpha: false, model: 'rgb' } as const;
    expect(resize.plan(frame, stepContext(frame))).toBeUndefined();
    expect(resize.plan(frame, stepContext(frame, { maxWidth: 300, maxHeight: 4000 }))).toBeUndefined();
  });

  test('the size comes from the file, not from what a scaling decoder makes of it', () => {
    const frame = { width: 501, height: 26, alpha: false, model: 'rgb' } as const;
    const planned = resize.plan(frame, stepContext({ width: 1001, height: 51 }, { maxWidth: 400 }));
    expect(planned).toMatchObject({ params: { width: 400, height: 20 }, frame: { width: 400, height: 20 } });
  });

  test('a decoder that scaled to the very size leaves nothing to do', () => {
    const frame = { width: 500, height: 250, alpha: false, model: 'rgb' } as const;
    expect(resize.plan(frame, stepContext({ width: 1000, height: 500 }, { maxWidth: 500 }))).toBeUndefined();
  });
});
