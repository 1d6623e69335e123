import type { Frame } from '../frame.ts';
import { axesOf } from './axes.ts';
import { type Axis, lanczosWindow, windowSize } from './lanczos.ts';
import type { Passes } from './passes.ts';
import type { ResampleKernel } from './resample-kernel.ts';
import type { ResampleLayout, Size } from './resample-layout.ts';

/** The passes in floats, on premultiplied colours, for pictures with alpha. */
export class AlphaPasses implements Passes {
  readonly #from: Frame;
  readonly #rows: Axis;
  readonly #to: Size;
  readonly #layout: ResampleLayout;
  readonly #base: number;
  readonly #kernel: ResampleKernel;
  readonly #rowWeights: Float32Array;
  readonly #exact: Float64Array;

  constructor(from: Frame, to: Size, layout: ResampleLayout, region: Uint8Array<ArrayBuffer>, kernel: ResampleKernel) {
    const { columns, rows } = axesOf(from, to);
    this.#from = from;
    this.#rows = rows;
    this.#to = to;
    this.#layout = layout;
    this.#base = region.byteOffset;
    this.#kernel = kernel;
    this.#rowWeights = new Float32Array(region.buffer, this.#base + layout.pieces.rowWeights, layout.rowTaps);
    this.#exact = new Float64Array(Math.max(layout.columnTaps, layout.rowTaps));
    const { columnTaps, pieces } = layout;
    const windows = new Uint32Array(region.buffer, this.#base + pieces.windows, to.width);
    const weights = new Float32Array(region.buffer, this.#base + pieces.columnWeights, to.width * columnTaps);
    const size = windowSize(columns);
    for (let x = 0; x < to.width; x++) {
      const first = lanczosWindow(columns, x, this.#exact);
      const start = Math.max(0, Math.min(first, from.width - columnTaps));
      weights.set(this.#exact.subarray(0, size), x * columnTaps + first - start);
      windows[x] = start * 16;
    }
  }

  filter(pointer: number, out: number): void {
    const { columnTaps, pieces } = this.#layout;
    const premultiplied = this.#base + pieces.premultiplied;
    this.#kernel.premultiply(pointer, this.#from.width, premultiplied);
    const windows = this.#base + pieces.windows;
    const weights = this.#base + pieces.columnWeights;
    this.#kernel.filterAlpha(premultiplied, windows, weights, columnTaps, this.#to.width, out);
  }

  aim(index: number): number {
    const first = lanczosWindow(this.#rows, index, this.#exact);
    this.#rowWeights.set(this.#exact.subarray(0, this.#layout.rowTaps));
    return first;
  }

  sum(out: number): void {
    const { rowTaps, pieces } = this.#layout;
    const { rowPointers, rowWeights } = pieces;
    this.#kernel.sumAlpha(this.#base + rowPointers, this.#base + rowWeights, rowTaps, this.#to.width, out);
  }
}
