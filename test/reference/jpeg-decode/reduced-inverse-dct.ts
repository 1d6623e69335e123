import { dequantised, type InverseDct, saturate16, wrap16 } from './inverse-dct.ts';

/*
 * Inverse DCTs that yield 4 × 4, 2 × 2 or 1 sample of a block: transforms of 4, 2 and 1 points over the lowest coefficients.
 * Fixed point, wrapping and saturation as in `inverse-dct`.
 */

const FIX_0_541196100 = 4433;
const FIX_0_765366865 = 6270;
const FIX_1_847759065 = 15137;

const columns = new Int32Array(16);

/** The lowest 4 × 4 coefficients → 4 × 4 samples. */
export const inverseDct4: InverseDct = (coefficients, block, quant, samples, at, stride) => {
  const value = (index: number) => dequantised(coefficients[block + index]!, quant[index]!);
  for (let x = 0; x < 4; x++) {
    const column = fourPoints(value(x), value(x + 8), value(x + 16), value(x + 24));
    for (const [y, sum] of column.entries()) columns[y * 4 + x] = saturate16((sum + (1 << 10)) >> 11);
  }
  for (let y = 0; y < 4; y++) {
    const [c0, c1, c2, c3] = columns.subarray(y * 4) as unknown as [number, number, number, number];
    for (const [x, sum] of fourPoints(c0, c1, c2, c3).entries()) {
      samples[at + y * stride + x] = ((sum + (1 << 17)) >> 18) + 128;
    }
  }
};

/** In 13-bit fixed point. */
function fourPoints(c0: number, c1: number, c2: number, c3: number): number[] {
  const outer = wrap16(c0 + c2) << 13;
  const inner = wrap16(c0 - c2) << 13;
  const turn = Math.imul(c1 + c3, FIX_0_541196100);
  const outerOdd = turn + Math.imul(c1, FIX_0_765366865);
  const innerOdd = turn - Math.imul(c3, FIX_1_847759065);
  return [outer + outerOdd, inner + innerOdd, inner - innerOdd, outer - outerOdd];
}

/** The lowest 2 × 2 coefficients → 2 × 2 samples. */
export const inverseDct2: InverseDct = (coefficients, block, quant, samples, at, stride) => {
  const value = (index: number) => dequantised(coefficients[block + index]!, quant[index]!);
  const [mean, across, down, both] = [value(0) + 4, value(1), value(8), value(9)];
  samples[at] = ((mean + across + down + both) >> 3) + 128;
  samples[at + 1] = ((mean - across + down - both) >> 3) + 128;
  samples[at + stride] = ((mean + across - down - both) >> 3) + 128;
  samples[at + stride + 1] = ((mean - across - down + both) >> 3) + 128;
};

/** DC alone → one sample: the mean of the block. */
export const inverseDct1: InverseDct = (coefficients, block, quant, samples, at) => {
  samples[at] = ((dequantised(coefficients[block]!, quant[0]!) + 4) >> 3) + 128;
};
