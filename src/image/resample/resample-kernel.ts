/** Exports of `kernels/assembly/resample.ts`, where they are described. Pointers and counts. */
export interface ResampleKernel {
  filterOpaque(
    row: number,
    windows: number,
    weights: number,
    taps: number,
    bits: number,
    width: number,
    out: number,
  ): void;
  sumOpaque(rows: number, weights: number, pairs: number, bits: number, width: number, out: number): void;
  premultiply(row: number, width: number, out: number): void;
  filterAlpha(row: number, windows: number, weights: number, taps: number, width: number, out: number): void;
  sumAlpha(rows: number, weights: number, taps: number, width: number, out: number): void;
}
