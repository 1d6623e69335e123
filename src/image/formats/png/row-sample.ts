import type { Workspace } from '../../workspace.ts';

/** Bytes of a sample at the most, so that trials on it take a bounded time. */
export const SAMPLE_BYTES = 1024 * 1024;

/** Rows that stay together in a sample: filters and matches live on the rows above. */
const GROUP_ROWS = 16;

/** RGBA rows kept in the arena for trials: the whole picture where it is small, else groups of rows from all over it. */
export class RowSample {
  readonly rowBytes: number;
  readonly #height: number;
  readonly #capacity: number;
  readonly #period: number;
  readonly #pixels: Uint8Array;
  #rows = 0;

  /** Takes `sampleBytes` of the arena. @param rowBytes bytes of one RGBA row, of 8 or 16 bits a sample */
  constructor(rowBytes: number, height: number, workspace: Workspace) {
    this.rowBytes = rowBytes;
    this.#height = height;
    this.#capacity = sampleRows(rowBytes, height);
    this.#period = Math.max(1, height / Math.ceil(this.#capacity / GROUP_ROWS));
    this.#pixels = workspace.arena(sampleBytes(rowBytes, height));
  }

  /** Whether it has room for every row of the picture. */
  get whole(): boolean {
    return this.#capacity === this.#height;
  }

  /** Whether there is enough in it to choose by: rows come in order, and not all may be seen before the choice. */
  get telling(): boolean {
    return this.#rows >= Math.min(this.#capacity, Math.max(GROUP_ROWS, this.#capacity >> 2));
  }

  get rows(): number {
    return this.#rows;
  }

  /** Copies the row if it belongs to the sample. Rows are offered in order. */
  offer(y: number, rgba: Uint8Array): void {
    if (this.#rows === this.#capacity || (!this.whole && y % this.#period >= GROUP_ROWS)) return;
    this.#pixels.set(rgba, this.#rows * this.rowBytes);
    this.#rows++;
  }

  row(index: number): Uint8Array {
    return this.#pixels.subarray(index * this.rowBytes, (index + 1) * this.rowBytes);
  }
}

/** Rows of a sample of a picture with rows of so many bytes. */
export function sampleRows(rowBytes: number, height: number): number {
  return Math.min(height, Math.max(1, Math.floor(SAMPLE_BYTES / rowBytes)));
}

/** Bytes of such a sample. */
export function sampleBytes(rowBytes: number, height: number): number {
  return sampleRows(rowBytes, height) * rowBytes;
}
