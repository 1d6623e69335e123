/*
 * The inverse DCT in 13-bit fixed point: the factorisation of Loeffler, Ligtenberg and Moschytz (ICASSP 1989), columns
 * first with 2 extra bits kept between the passes. The rounding is the one of libjpeg's accurate integer transform, so
 * results are equal bit for bit. As in its vector code, sums of two coefficients wrap at 16 bits and results of the column
 * pass saturate at 16 bits; neither happens in pictures that an encoder made. The reduced transforms leave out what averages away when neighbouring samples merge.
 */

const FIX_0_298631336 = 2446;
const FIX_0_390180644 = 3196;
const FIX_0_541196100 = 4433;
const FIX_0_765366865 = 6270;
const FIX_0_899976223 = 7373;
const FIX_1_175875602 = 9633;
const FIX_1_501321110 = 12299;
const FIX_1_847759065 = 15137;
const FIX_1_961570560 = 16069;
const FIX_2_053119869 = 16819;
const FIX_2_562915447 = 20995;
const FIX_3_072711026 = 25172;

/** One block's transform: coefficients × quantisation table → samples at `at`, clamped to 0 … 255 by the array. */
export type InverseDct = (
  coefficients: Int16Array,
  block: number,
  quant: Int32Array,
  samples: Uint8ClampedArray,
  at: number,
  stride: number,
) => void;

/** What the column pass leaves for the row pass; one block is transformed at a time. */
const columns = new Int32Array(64);

/** 8 × 8 coefficients → 8 × 8 samples. */
export const inverseDct8: InverseDct = (coefficients, block, quant, samples, at, stride) => {
  for (let x = 0; x < 8; x++) transformColumn(coefficients, block + x, quant, x);
  for (let y = 0; y < 8; y++) transformRow(y * 8, samples, at + y * stride);
};

function transformColumn(coefficients: Int16Array, from: number, quant: Int32Array, x: number): void {
  const c0 = dequantised(coefficients[from]!, quant[x]!);
  const c2 = dequantised(coefficients[from + 16]!, quant[x + 16]!);
  const c4 = dequantised(coefficients[from + 32]!, quant[x + 32]!);
  const c6 = dequantised(coefficients[from + 48]!, quant[x + 48]!);
  const turn = Math.imul(c2 + c6, FIX_0_541196100);
  const even2 = turn - Math.imul(c6, FIX_1_847759065);
  const even3 = turn + Math.imul(c2, FIX_0_765366865);
  const sum = (wrap16(c0 + c4) << 13) + 1024;
  const difference = (wrap16(c0 - c4) << 13) + 1024;
  const e0 = sum + even3;
  const e3 = sum - even3;
  const e1 = difference + even2;
  const e2 = difference - even2;

  const c1 = dequantised(coefficients[from + 8]!, quant[x + 8]!);
  const c3 = dequantised(coefficients[from + 24]!, quant[x + 24]!);
  const c5 = dequantised(coefficients[from + 40]!, quant[x + 40]!);
  const c7 = dequantised(coefficients[from + 56]!, quant[x + 56]!);
  const c73 = wrap16(c7 + c3);
  const c51 = wrap16(c5 + c1);
  const z5 = Math.imul(c73 + c51, FIX_1_175875602);
  const z3 = z5 - Math.imul(c73, FIX_1_961570560);
  const z4 = z5 - Math.imul(c51, FIX_0_390180644);
  const z1 = Math.imul(c7 + c1, FIX_0_899976223);
  const z2 = Math.imul(c5 + c3, FIX_2_562915447);
  const o0 = Math.imul(c7, FIX_0_298631336) - z1 + z3;
  const o1 = Math.imul(c5, FIX_2_053119869) - z2 + z4;
  const o2 = Math.imul(c3, FIX_3_072711026) - z2 + z3;
  const o3 = Math.imul(c1, FIX_1_501321110) - z1 + z4;

  columns[x] = saturate16((e0 + o3) >> 11);
  columns[x + 56] = saturate16((e0 - o3) >> 11);
  columns[x + 8] = saturate16((e1 + o2) >> 11);
  columns[x + 48] = saturate16((e1 - o2) >> 11);
  columns[x + 16] = saturate16((e2 + o1) >> 11);
  columns[x + 40] = saturate16((e2 - o1) >> 11);
  columns[x + 24] = saturate16((e3 + o0) >> 11);
  columns[x + 32] = saturate16((e3 - o0) >> 11);
}

/** 1 << 17 rounds. */
const ROW_BIAS = 1 << 17;

function transformRow(from: number, samples: Uint8ClampedArray, at: number): void {
  const c0 = columns[from]!;
  const c1 = columns[from + 1]!;
  const c2 = columns[from + 2]!;
  const c3 = columns[from + 3]!;
  const c4 = columns[from + 4]!;
  const c5 = columns[from + 5]!;
  const c6 = columns[from + 6]!;
  const c7 = columns[from + 7]!;
  const turn = Math.imul(c2 + c6, FIX_0_541196100);
  const even2 = turn - Math.imul(c6, FIX_1_847759065);
  const even3 = turn + Math.imul(c2, FIX_0_765366865);
  const sum = (wrap16(c0 + c4) << 13) + ROW_BIAS;
  const difference = (wrap16(c0 - c4) << 13) + ROW_BIAS;
  const e0 = sum + even3;
  const e3 = sum - even3;
  const e1 = difference + even2;
  const e2 = difference - even2;

  const c73 = wrap16(c7 + c3);
  const c51 = wrap16(c5 + c1);
  const z5 = Math.imul(c73 + c51, FIX_1_175875602);
  const z3 = z5 - Math.imul(c73, FIX_1_961570560);
  const z4 = z5 - Math.imul(c51, FIX_0_390180644);
  const z1 = Math.imul(c7 + c1, FIX_0_899976223);
  const z2 = Math.imul(c5 + c3, FIX_2_562915447);
  const o0 = Math.imul(c7, FIX_0_298631336) - z1 + z3;
  const o1 = Math.imul(c5, FIX_2_053119869) - z2 + z4;
  const o2 = Math.imul(c3, FIX_3_072711026) - z2 + z3;
  const o3 = Math.imul(c1, FIX_1_501321110) - z1 + z4;

  samples[at] = ((e0 + o3) >> 18) + 128;
  samples[at + 1] = ((e1 + o2) >> 18) + 128;
  samples[at + 2] = ((e2 + o1) >> 18) + 128;
  samples[at + 3] = ((e3 + o0) >> 18) + 128;
  samples[at + 4] = ((e3 - o0) >> 18) + 128;
  samples[at + 5] = ((e2 - o1) >> 18) + 128;
  samples[at + 6] = ((e1 - o2) >> 18) + 128;
  samples[at + 7] = ((e0 - o3) >> 18) + 128;
}

/** A block whose only coefficient is DC: `side` × `side` equal samples, the same for every size of transform. */
export function fillFlatBlock(dc: number, samples: Uint8ClampedArray, at: number, stride: number, side: number): void {
  const level = ((dc + 4) >> 3) + 128;
  for (let y = 0; y < side; y++) {
    const row = at + y * stride;
    for (let x = 0; x < side; x++) samples[row + x] = level;
  }
}

/** A coefficient × its quantisation step, in 16 bits. */
export function dequantised(coefficient: number, step: number): number {
  return wrap16(Math.imul(coefficient, step));
}

export function wrap16(value: number): number {
  return (value << 16) >> 16;
}

export function saturate16(value: number): number {
  return Math.min(Math.max(value, -32_768), 32_767);
}
