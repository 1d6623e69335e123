import fc from 'fast-check';
import { codingLayout } from '../../../../../src/image/formats/jpeg/encode/coding-layout.ts';
import { randomCoefficients } from '../../../../reference/jpeg-transcode/coefficients.ts';

/** Pictures of all densities, with sides that end within, at and behind blocks and MCUs. */
export const pictures = fc
  .record({
    width: fc.integer({ min: 1, max: 70 }),
    height: fc.integer({ min: 1, max: 70 }),
    chroma: fc.constantFrom('4:2:0' as const, '4:4:4' as const),
    density: fc.constantFrom(1, 4, 20, 60, 100),
    most: fc.constantFrom(1, 3, 20, 300, 1023),
    flat: fc.constantFrom(0, 50, 95),
    seed: fc.integer({ min: 1, max: 1e9 }),
  })
  .map(({ width, height, chroma, seed, ...kind }) =>
    randomCoefficients(codingLayout(width, height, chroma), kind, seed),
  );
