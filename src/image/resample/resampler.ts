import type { Band, Frame } from '../frame.ts';
import { AlphaPasses } from './alpha-passes.ts';
import { OpaquePasses } from './opaque-passes.ts';
import type { Passes } from './passes.ts';
import type { ResampleKernel } from './resample-kernel.ts';
import type { ResampleLayout, Size } from './resample-layout.ts';

/** The state of one resampling: push a row, then pull bands until there is none. */
export class Resampler {
  readonly #to: Size;
  readonly #layout: ResampleLayout;
  readonly #region: Uint8Array;
  readonly #row: Uint8Array;
  readonly #rowPointers: Uint32Array;
  readonly #passes: Passes;
  /** Rows pushed; rows made; rows of those in the band that is being filled; first input row of the next output row. */
  #pushed = 0;
  #made = 0;
  #filled = 0;
  #first: number;

  /** @param region `layout.bytes` zeroed bytes of the kernel's memory */
  constructor(from: Frame, to: Size, layout: ResampleLayout, region: Uint8Array<ArrayBuffer>, kernel: ResampleKernel) {
    this.#to = to;
    this.#layout = layout;
    this.#region = region;
    this.#row = region.subarray(layout.pieces.row, layout.pieces.row + layout.row);
    const pointers = region.byteOffset + layout.pieces.rowPointers;
    this.#rowPointers = new Uint32Array(region.buffer, pointers, layout.rowTaps + (layout.rowTaps & 1));
    this.#passes = new (from.alpha ? AlphaPasses : OpaquePasses)(from, to, layout, region, kernel);
    this.#first = this.#passes.aim(0);
  }

  /** @param usable whether the row lies in the kernel's memory and may be read where it is */
  push(row: Uint8Array, usable: boolean): void {
    // A row that is shorter than a window is read beyond its end: the room there is ours, and zero.
    const asItIs = usable && row.length === this.#layout.row;
    if (!asItIs) this.#row.set(row);
    this.#passes.filter(asItIs ? row.byteOffset : this.#row.byteOffset, this.#ringRow(this.#pushed));
    this.#pushed++;
  }

  /** The next full band (or the last one), if the rows pushed so far suffice. */
  pull(): Band | undefined {
    const { rowTaps, bandRows } = this.#layout;
    if (this.#filled === bandRows) this.#filled = 0;
    while (this.#made < this.#to.height && this.#first + rowTaps <= this.#pushed) {
      this.#makeRow();
      if (this.#filled === bandRows || this.#made === this.#to.height) return this.#ready();
    }
    return undefined;
  }

  #makeRow(): void {
    const { rowTaps, pieces } = this.#layout;
    for (let tap = 0; tap < this.#rowPointers.length; tap++) {
      this.#rowPointers[tap] = this.#ringRow(this.#first + Math.min(tap, rowTaps - 1));
    }
    this.#passes.sum(this.#region.byteOffset + pieces.band + this.#filled * this.#to.width * 4);
    this.#made++;
    this.#filled++;
    if (this.#made < this.#to.height) this.#first = this.#passes.aim(this.#made);
  }

  #ringRow(index: number): number {
    const { rowTaps, ringStride, pieces } = this.#layout;
    return this.#region.byteOffset + pieces.ring + (index % rowTaps) * ringStride;
  }

  #ready(): Band {
    const start = this.#layout.pieces.band;
    const pixels = this.#region.subarray(start, start + this.#filled * this.#to.width * 4);
    return { top: this.#made - this.#filled, rows: this.#filled, pixels };
  }
}
