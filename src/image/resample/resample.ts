import { type Band, bandRows, type Frame } from '../frame.ts';
import type { Workspace } from '../workspace.ts';
import { lanczosWindow, windowSize } from './lanczos.ts';
import {
  filterAlphaRow,
  filterOpaqueRow,
  type RowWeights,
  storeAlphaRow,
  storeOpaqueRow,
  sumRows,
} from './row-passes.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The pieces of the one buffer that a resampling takes, in 4-byte words; the output band comes last. */
interface Layout {
  readonly channels: 3 | 4;
  readonly columnTaps: number;
  readonly rowTaps: number;
  readonly bandRows: number;
  readonly words: number;
}

function layOut(from: Frame, to: Size): Layout {
  const channels = from.alpha ? 4 : 3;
  const columnTaps = windowSize({ from: from.width, to: to.width });
  const rowTaps = windowSize({ from: from.height, to: to.height });
  const rows = Math.min(bandRows(to.width), to.height);
  const horizontal = to.width * (columnTaps + 1);
  const vertical = rowTaps + (rowTaps + 1) * to.width * channels;
  return { channels, columnTaps, rowTaps, bandRows: rows, words: horizontal + vertical + rows * to.width };
}

/** Bytes that `resample` takes from the workspace. */
export function resampleBytes(from: Frame, to: Size): number {
  return layOut(from, to).words * 4;
}

/**
 * Scales an `rgb` picture up or down to exactly `to`, in bands: separable Lanczos3, each row filtered as it arrives into a ring
 * that holds only the rows of one vertical window. Colours are weighted by their alpha where the picture has alpha.
 */
export async function* resample(
  bands: AsyncIterable<Band>,
  from: Frame,
  to: Size,
  workspace: Workspace,
): AsyncIterable<Band> {
  const buffer = workspace.buffer(resampleBytes(from, to));
  try {
    const resampler = new Resampler(from, to, buffer);
    for await (const band of bands) {
      for (let row = 0; row < band.rows; row++) {
        const start = row * from.width * 4;
        resampler.push(band.pixels.subarray(start, start + from.width * 4));
        for (let ready = resampler.pull(); ready; ready = resampler.pull()) yield ready;
      }
    }
  } finally {
    workspace.release(buffer);
  }
}

/** The state of one resampling: push a row, then pull bands until there is none. */
class Resampler {
  readonly #from: Frame;
  readonly #to: Size;
  readonly #layout: Layout;
  readonly #columns: RowWeights;
  readonly #rowWeights: Float32Array;
  readonly #ring: Float32Array[];
  readonly #sum: Float32Array;
  readonly #band: Uint8ClampedArray;
  /** Rows pushed; rows made; rows of those in the band that is being filled; first input row of the next output row. */
  #pushed = 0;
  #made = 0;
  #filled = 0;
  #first = 0;

  constructor(from: Frame, to: Size, buffer: Uint8Array<ArrayBuffer>) {
    this.#from = from;
    this.#to = to;
    this.#layout = layOut(from, to);
    const { channels, columnTaps, rowTaps } = this.#layout;
    let at = buffer.byteOffset;
    const floats = (length: number) => {
      const piece = new Float32Array(buffer.buffer, at, length);
      at += length * 4;
      return piece;
    };
    this.#columns = columnWeights(from.width, to.width, floats(to.width * columnTaps), floats(to.width));
    this.#rowWeights = floats(rowTaps);
    this.#ring = Array.from({ length: rowTaps }, () => floats(to.width * channels));
    this.#sum = floats(to.width * channels);
    this.#band = new Uint8ClampedArray(buffer.buffer, at, this.#layout.bandRows * to.width * 4);
    this.#aim();
  }

  push(row: Uint8Array): void {
    const place = this.#ring[this.#pushed % this.#ring.length]!;
    if (this.#from.alpha) filterAlphaRow(row, this.#columns, place);
    else filterOpaqueRow(row, this.#columns, place);
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
    const stride = this.#to.width * 4;
    const out = this.#band.subarray(this.#filled * stride, (this.#filled + 1) * stride);
    sumRows(this.#ring, this.#first, this.#rowWeights, this.#layout.rowTaps, this.#sum);
    if (this.#from.alpha) storeAlphaRow(this.#sum, out);
    else storeOpaqueRow(this.#sum, out);
    this.#made++;
    this.#filled++;
    if (this.#made < this.#to.height) this.#aim();
  }

  #aim(): void {
    const axis = { from: this.#from.height, to: this.#to.height };
    this.#first = lanczosWindow(axis, this.#made, this.#rowWeights, 0);
  }

  #ready(): Band {
    const bytes = this.#filled * this.#to.width * 4;
    const pixels = new Uint8Array(this.#band.buffer, this.#band.byteOffset, bytes);
    return { top: this.#made - this.#filled, rows: this.#filled, pixels };
  }
}

function columnWeights(from: number, to: number, weights: Float32Array, firstWords: Float32Array): RowWeights {
  const taps = windowSize({ from, to });
  const first = new Int32Array(firstWords.buffer, firstWords.byteOffset, to);
  for (let x = 0; x < to; x++) first[x] = lanczosWindow({ from, to }, x, weights, x * taps);
  return { taps, first, weights };
}
