/** Exports of `kernels/assembly/turn.ts`, where they are described. Pointers, strides in bytes, counts. */
export interface TurnKernel {
  transpose(
    source: number,
    stride: number,
    columns: number,
    rows: number,
    target: number,
    across: number,
    forward: boolean,
  ): void;
  mirror(source: number, columns: number, target: number): void;
  packPlanes(
    pixels: number,
    stride: number,
    columns: number,
    rows: number,
    luma: number,
    blue: number,
    red: number,
    chroma: number,
  ): void;
  fillHidden(pixels: number, stride: number, columns: number, rows: number): void;
  packAlpha(pixels: number, stride: number, columns: number, rows: number, alpha: number, across: number): void;
  unpackAlpha(alpha: number, columns: number, out: number): void;
  unpackRow(luma: number, blue: number, red: number, columns: number, out: number): void;
}
