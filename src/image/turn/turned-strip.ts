import type { Band, Frame } from '../frame.ts';
import type { Orientation } from '../header.ts';
import { groupEnding } from './row-groups.ts';
import type { TurnKernel } from './turn-kernel.ts';
import { type Store, swapsSides, type TurnLayout } from './turn-layout.ts';

/** What a strip works on. */
interface StripParts {
  readonly upright: Frame;
  /** Upright rows of this strip. */
  readonly rows: number;
  readonly orientation: Orientation;
  readonly store: Store;
  readonly layout: TurnLayout;
  /** `layout.bytes` bytes of the kernel's memory. */
  readonly region: Uint8Array;
  readonly kernel: TurnKernel;
}

/** One strip of an upright picture, filled by source rows and then read in bands. */
export class TurnedStrip {
  readonly #parts: StripParts;
  /** Rows of the group that is being filled. */
  #grouped = 0;

  constructor(parts: StripParts) {
    this.#parts = parts;
  }

  /**
   * Takes the pixels of source row `row` that belong to this strip.
   * @param rows source rows of the strip in all
   */
  add(pixels: Uint8Array, row: number, rows: number): void {
    const { orientation, store, layout, region } = this.#parts;
    region.set(pixels, layout.pieces.group + this.#grouped * layout.groupStride);
    this.#grouped++;
    const reversed = reversesRows(orientation);
    const size = groupEnding(row, rows, reversed);
    if (size === 0) return;
    const place = reversed ? rows - row - 1 : row + 1 - size;
    if (store === 'rgba') this.#turnGroup(size, this.#keptAt(place), layout.stride);
    else this.#packGroup(size, place);
    this.#grouped = 0;
  }

  /** Pointer of where a group goes among the kept pixels: `place` is its first upright column, or row. */
  #keptAt(place: number): number {
    const { orientation, layout, region } = this.#parts;
    const kept = region.byteOffset + layout.pieces.kept;
    return kept + place * (swapsSides(orientation) ? 4 : layout.stride);
  }

  /** Turns the group into a block of upright pixels whose upper left corner is `target`. */
  #turnGroup(size: number, target: number, stride: number): void {
    const { upright, rows, orientation, layout, region, kernel } = this.#parts;
    const group = region.byteOffset + layout.pieces.group;
    if (swapsSides(orientation)) {
      const forward = !reversesRows(orientation);
      const upwards = orientation >= 7;
      const first = target + (upwards ? (rows - 1) * stride : 0) + (forward ? 0 : (size - 1) * 4);
      kernel.transpose(group, layout.groupStride, rows, size, first, upwards ? -stride : stride, forward);
      return;
    }
    for (let row = 0; row < size; row++) {
      const source = group + row * layout.groupStride;
      const out = target + (size - 1 - row) * stride;
      if (orientation === 3) kernel.mirror(source, upright.width, out);
      else {
        const from = source - region.byteOffset;
        region.copyWithin(out - region.byteOffset, from, from + upright.width * 4);
      }
    }
  }

  #packGroup(size: number, place: number): void {
    const { upright, rows, orientation, layout, region, kernel } = this.#parts;
    const { pieces, stride, tileStride } = layout;
    const tile = region.byteOffset + pieces.tile;
    this.#turnGroup(size, tile, tileStride);
    const sideways = swapsSides(orientation);
    const luma = sideways ? place : place * stride;
    const chroma = sideways ? place / 2 : (place / 2) * (stride / 2);
    const [columns, lines] = sideways ? [size, rows] : [upright.width, size];
    if (upright.alpha) {
      kernel.packAlpha(tile, tileStride, columns, lines, region.byteOffset + pieces.alpha + luma, stride);
      kernel.fillHidden(tile, tileStride, columns, lines);
    }
    kernel.packPlanes(
      tile,
      tileStride,
      columns,
      lines,
      region.byteOffset + pieces.kept + luma,
      region.byteOffset + pieces.blue + chroma,
      region.byteOffset + pieces.red + chroma,
      stride / 2,
    );
  }

  /** The strip's rows, of which the first is row `top` of the upright picture. */
  *bands(top: number): Iterable<Band> {
    const { upright, rows, store, layout, region } = this.#parts;
    const bytes = upright.width * 4;
    for (let row = 0; row < rows; row += layout.bandRows) {
      const count = Math.min(layout.bandRows, rows - row);
      if (store === 'planar') this.#unpack(row, count);
      const start = store === 'planar' ? layout.pieces.band : layout.pieces.kept + row * bytes;
      yield { top: top + row, rows: count, pixels: region.subarray(start, start + count * bytes) };
    }
  }

  #unpack(first: number, count: number): void {
    const { upright, layout, region, kernel } = this.#parts;
    const { pieces, stride } = layout;
    for (let row = first; row < first + count; row++) {
      const chroma = (row >> 1) * (stride / 2);
      const out = region.byteOffset + pieces.band + (row - first) * upright.width * 4;
      kernel.unpackRow(
        region.byteOffset + pieces.kept + row * stride,
        region.byteOffset + pieces.blue + chroma,
        region.byteOffset + pieces.red + chroma,
        upright.width,
        out,
      );
      if (upright.alpha) kernel.unpackAlpha(region.byteOffset + pieces.alpha + row * stride, upright.width, out);
    }
  }
}

/** Whether lower source rows go above, or to the left. */
function reversesRows(orientation: Orientation): boolean {
  return orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7;
}
