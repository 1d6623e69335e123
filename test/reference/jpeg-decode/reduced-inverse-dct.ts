import { dequantised, type InverseDct, saturate16 } from './inverse-dct.ts';

/*
 * Inverse DCTs that yield 4 × 4 or 2 × 2 samples of a block: the 8-point transform with neighbouring outputs averaged,
 * which makes some coefficients drop out altogether. Constants and rounding as libjpeg-turbo's reduced transforms.
 */

const FIX_0_211164243 = 1730;
const FIX_0_509795579 = 4176;
const FIX_0_601344887 = 4926;
const FIX_0_720959822 = 5906;
const FIX_0_765366865 = 6270;
const FIX_0_850430095 = 6967;
const FIX_0_899976223 = 7373;
const FIX_1_061594337 = 8697;
const FIX_1_272758580 = 10426;
const FIX_1_451774981 = 11893;
const FIX_1_847759065 = 15137;
const FIX_2_172734803 = 17799;
const FIX_2_562915447 = 20995;
const FIX_3_624509785 = 29692;

const columns = new Int32Array(32);

/** 8 × 8 coefficients without the fifth row and column → 4 × 4 samples. */
export const inverseDct4: InverseDct = (coefficients, block, quant, samples, at, stride) => {
  for (let x = 0; x < 8; x++) {
    if (x === 4) continue;
    const from = block + x;
    const c0 = dequantised(coefficients[from]!, quant[x]!);
    const c1 = dequantised(coefficients[from + 8]!, quant[x + 8]!);
    const c2 = dequantised(coefficients[from + 16]!, quant[x + 16]!);
    const c3 = dequantised(coefficients[from + 24]!, quant[x + 24]!);
    const c5 = dequantised(coefficients[from + 40]!, quant[x + 40]!);
    const c6 = dequantised(coefficients[from + 48]!, quant[x + 48]!);
    const c7 = dequantised(coefficients[from + 56]!, quant[x + 56]!);
    const middle = (c0 << 14) + 2048;
    const even = Math.imul(c2, FIX_1_847759065) - Math.imul(c6, FIX_0_765366865);
    const inner = innerOdd(c1, c3, c5, c7);
    const outer = outerOdd(c1, c3, c5, c7);
    columns[x] = saturate16((middle + even + outer) >> 12);
    columns[x + 24] = saturate16((middle + even - outer) >> 12);
    columns[x + 8] = saturate16((middle - even + inner) >> 12);
    columns[x + 16] = saturate16((middle - even - inner) >> 12);
  }
  for (let y = 0; y < 4; y++) {
    const row = y * 8;
    const out = at + y * stride;
    const c1 = columns[row + 1]!;
    const c3 = columns[row + 3]!;
    const c5 = columns[row + 5]!;
    const c7 = columns[row + 7]!;
    const middle = (columns[row]! << 14) + (1 << 18);
    const even = Math.imul(columns[row + 2]!, FIX_1_847759065) - Math.imul(columns[row + 6]!, FIX_0_765366865);
    const inner = innerOdd(c1, c3, c5, c7);
    const outer = outerOdd(c1, c3, c5, c7);
    samples[out] = ((middle + even + outer) >> 19) + 128;
    samples[out + 3] = ((middle + even - outer) >> 19) + 128;
    samples[out + 1] = ((middle - even + inner) >> 19) + 128;
    samples[out + 2] = ((middle - even - inner) >> 19) + 128;
  }
};

function innerOdd(c1: number, c3: number, c5: number, c7: number): number {
  return (
    Math.imul(c1, FIX_1_061594337) -
    Math.imul(c3, FIX_2_172734803) +
    Math.imul(c5, FIX_1_451774981) -
    Math.imul(c7, FIX_0_211164243)
  );
}

function outerOdd(c1: number, c3: number, c5: number, c7: number): number {
  return (
    Math.imul(c1, FIX_2_562915447) +
    Math.imul(c3, FIX_0_899976223) -
    Math.imul(c5, FIX_0_601344887) -
    Math.imul(c7, FIX_0_509795579)
  );
}

/** The mean and the odd rows and columns of 8 × 8 coefficients → 2 × 2 samples. */
export const inverseDct2: InverseDct = (coefficients, block, quant, samples, at, stride) => {
  for (let x = 0; x < 8; x += x === 0 ? 1 : 2) {
    const from = block + x;
    const c0 = dequantised(coefficients[from]!, quant[x]!);
    const odd = halfOdd(
      dequantised(coefficients[from + 8]!, quant[x + 8]!),
      dequantised(coefficients[from + 24]!, quant[x + 24]!),
      dequantised(coefficients[from + 40]!, quant[x + 40]!),
      dequantised(coefficients[from + 56]!, quant[x + 56]!),
    );
    const middle = (c0 << 15) + 4096;
    columns[x] = saturate16((middle + odd) >> 13);
    columns[x + 8] = saturate16((middle - odd) >> 13);
  }
  for (let y = 0; y < 2; y++) {
    const row = y * 8;
    const out = at + y * stride;
    const odd = halfOdd(columns[row + 1]!, columns[row + 3]!, columns[row + 5]!, columns[row + 7]!);
    const middle = (columns[row]! << 15) + (1 << 19);
    samples[out] = ((middle + odd) >> 20) + 128;
    samples[out + 1] = ((middle - odd) >> 20) + 128;
  }
};

function halfOdd(c1: number, c3: number, c5: number, c7: number): number {
  return (
    Math.imul(c1, FIX_3_624509785) -
    Math.imul(c3, FIX_1_272758580) +
    Math.imul(c5, FIX_0_850430095) -
    Math.imul(c7, FIX_0_720959822)
  );
}

/** DC alone → one sample: the mean of the block. */
export const inverseDct1: InverseDct = (coefficients, block, quant, samples, at) => {
  samples[at] = ((dequantised(coefficients[block]!, quant[0]!) + 4) >> 3) + 128;
};
