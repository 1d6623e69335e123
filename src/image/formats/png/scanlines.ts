import type { Workspace } from '../../workspace.ts';
import { brokenPng } from './broken-png.ts';
import type { ImageData } from './image-data.ts';
import { Inflater, inflaterBytes } from './inflater.ts';
import { rowRoom, rowsKernel } from './rows-kernel.ts';

/** A run of filtered rows inside inflated picture data. */
export interface ScanlineRun {
  /** Bytes of the data before the first row. */
  readonly skip: number;
  readonly rows: number;
  /** Bytes of a row without its filter byte. */
  readonly rowBytes: number;
  /** Bytes of a pixel, as the filters count. */
  readonly distance: number;
  /** Whether the data should end with the run; its checksum is then verified. */
  readonly last: boolean;
}

/** How many superfluous bytes behind the picture are read in search of the end of the stream. */
const SURPLUS_BYTES = 1024 * 1024;

/** Bytes of the arena that the reading of a run takes. */
export function scanlineBytes(run: { readonly rowBytes: number }): number {
  return inflaterBytes(run.rowBytes + 1) + 2 * rowRoom(run.rowBytes);
}

/**
 * Rows, each in the arena and valid until the next one is asked for. A promise in place of a row is to be awaited before the next row
 * is asked for. It comes only where the file has to be read on: to await every row would take longer than many a row does.
 */
export type RowStream = Generator<Uint8Array | Promise<void>, void>;

/**
 * Inflates picture data, cuts it into rows and undoes their filters. Where data cannot be used that fails its checksum as well, the
 * checksum is what is said to be wrong.
 * @param data at its start
 * @throws FileError broken_image where the data is damaged, ends early or has an invalid filter
 */
export function* scanlines(data: ImageData, run: ScanlineRun, workspace: Workspace): RowStream {
  const { rows, rowBytes, distance, last } = run;
  const kernel = rowsKernel(workspace);
  const inflater = new Inflater(data.pieces(), rowBytes + 1, workspace);
  let row = workspace.arena(rowRoom(rowBytes)).subarray(0, rowBytes);
  let above = workspace.arena(rowRoom(rowBytes)).subarray(0, rowBytes);
  try {
    yield* inflater.skip(run.skip);
    for (let y = 0; y < rows; y++) {
      let filtered = inflater.take(rowBytes + 1);
      for (; filtered instanceof Promise; filtered = inflater.take(rowBytes + 1)) yield filtered;
      if (filtered === undefined) throw brokenPng(`its picture data ends after ${y} of ${rows} rows`);
      if (!kernel.unfilter(filtered, above.byteOffset, row.byteOffset, rowBytes, distance)) {
        throw brokenPng('a row of its picture data has no valid filter type');
      }
      yield row;
      [row, above] = [above, row];
    }
    if (last) yield* inflater.skip(SURPLUS_BYTES);
  } catch (error) {
    yield* data.verify();
    throw error;
  }
  if (last) yield* data.verify();
}
