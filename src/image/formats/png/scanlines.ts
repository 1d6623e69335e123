import type { Workspace } from '../../workspace.ts';
import { brokenPng } from './broken-png.ts';
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
 * Inflates picture data, cuts it into rows and undoes their filters. A row lies in the arena and is valid until the next one is
 * asked for.
 * @param data the zlib stream, cut anywhere
 * @throws FileError broken_image where the data is damaged, ends early or has an invalid filter
 */
export function* scanlines(data: Iterator<Uint8Array>, run: ScanlineRun, workspace: Workspace): Generator<Uint8Array> {
  const { rowBytes, distance } = run;
  const kernel = rowsKernel(workspace);
  const inflater = new Inflater(data, rowBytes + 1, workspace);
  let row = workspace.arena(rowRoom(rowBytes)).subarray(0, rowBytes);
  let above = workspace.arena(rowRoom(rowBytes)).subarray(0, rowBytes);
  inflater.skip(run.skip);
  for (let y = 0; y < run.rows; y++) {
    const filtered = inflater.take(rowBytes + 1);
    if (filtered === undefined) throw brokenPng(`its picture data ends after ${y} of ${run.rows} rows`);
    if (!kernel.unfilter(filtered, above.byteOffset, row.byteOffset, rowBytes, distance)) {
      throw brokenPng('a row of its picture data has no valid filter type');
    }
    yield row;
    [row, above] = [above, row];
  }
  if (run.last) inflater.skip(SURPLUS_BYTES);
}
