import type { Frame } from '../frame.ts';
import { axesOf } from './axes.ts';
import { fixedWeights, weightBits } from './fixed-weights.ts';
import { type Axis, lanczosWindow, windowSize } from './lanczos.ts';
import type { Passes } from './passes.ts';
import type { ResampleKernel } from './resample-kernel.ts';
import type { ResampleLayout, Size } from './resample-layout.ts';

/** Bits of the weights at the most. The absolute weights of a Lanczos3 window sum up to less than 1.6. */
export const mostBits = {
  /** 8-bit samples: 255 × 1.6 × 2²² < 2³¹ */
  across: 22,
  /** 14-bit samples that may overshoot: 255 × 2⁶ × 1.6² × 2¹⁵ < 2³¹ */
  down: 15,
} as const;

/** The passes in fixed point for pictures without alpha. */
export class OpaquePasses implements Passes {
  readonly #to: Size;
  readonly #layout: ResampleLayout;
  readonly #base: number;
  readonly #kernel: ResampleKernel;
  readonly #rows: Axis;
  readonly #columnBits: number;
  readonly #rowBits: number;
  readonly #rowWeights: Int16Array;
  readonly #exact: Float64Array;

  constructor(from: Frame, to: Size, layout: ResampleLayout, region: Uint8Array<ArrayBuffer>, kernel: ResampleKernel) {
    const { columns, rows } = axesOf(from, to);
    this.#to = to;
    this.#layout = layout;
    this.#base = region.byteOffset;
    this.#kernel = kernel;
    this.#rows = rows;
    this.#columnBits = weightBits(columns, mostBits.across);
    this.#rowBits = weightBits(this.#rows, mostBits.down);
    this.#rowWeights = new Int16Array(region.buffer, this.#base + layout.pieces.rowWeights, layout.rowTaps);
    this.#exact = new Float64Array(Math.max(layout.columnTaps, layout.rowTaps));
    const { columnTaps, pieces } = layout;
    const windows = new Uint32Array(region.buffer, this.#base + pieces.windows, to.width);
    const weights = new Int16Array(region.buffer, this.#base + pieces.columnWeights, to.width * columnTaps);
    const size = windowSize(columns);
    for (let x = 0; x < to.width; x++) {
      const first = lanczosWindow(columns, x, this.#exact);
      const start = Math.max(0, Math.min(first, from.width - columnTaps));
      fixedWeights(this.#exact, size, this.#columnBits, weights.subarray(x * columnTaps + first - start));
      windows[x] = start * 4;
    }
  }

  filter(pointer: number, out: number): void {
    const { columnTaps, pieces } = this.#layout;
    const windows = this.#base + pieces.windows;
    const weights = this.#base + pieces.columnWeights;
    this.#kernel.filterOpaque(pointer, windows, weights, columnTaps, this.#columnBits, this.#to.width, out);
  }

  aim(index: number): number {
    const first = lanczosWindow(this.#rows, index, this.#exact);
    fixedWeights(this.#exact, this.#layout.rowTaps, this.#rowBits, this.#rowWeights);
    return first;
  }

  sum(out: number): void {
    const { rowTaps, pieces } = this.#layout;
    const pairs = (rowTaps + 1) >> 1;
    const { rowPointers, rowWeights } = pieces;
    this.#kernel.sumOpaque(
      this.#base + rowPointers,
      this.#base + rowWeights,
      pairs,
      this.#rowBits,
      this.#to.width,
      out,
    );
  }
}
