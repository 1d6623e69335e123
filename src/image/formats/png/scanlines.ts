import type { Workspace } from '../../workspace.ts';
import { brokenPng } from './broken-png.ts';
import { unfilter } from './unfilter.ts';

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

/** Buffers that the reading of a run takes, in bytes. */
export function scanlineBytes(run: { readonly rowBytes: number }): number {
  return 2 * run.rowBytes;
}

/**
 * Cuts inflated picture data into rows and undoes their filters. A row is valid until the next one is asked for.
 * @throws FileError broken_image where the data ends early or a filter is invalid
 */
export async function* scanlines(
  data: AsyncIterable<Uint8Array>,
  run: ScanlineRun,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  let row = workspace.buffer(run.rowBytes);
  let prior = workspace.buffer(run.rowBytes);
  let toSkip = run.skip;
  let done = 0;
  let filled = -1;
  let filter = 0;
  let surplus = 0;
  try {
    for await (const piece of data) {
      const skipped = Math.min(toSkip, piece.length);
      toSkip -= skipped;
      let at = skipped;
      while (at < piece.length && done < run.rows) {
        if (filled < 0) {
          filter = piece[at++]!;
          filled = 0;
        }
        const taken = Math.min(run.rowBytes - filled, piece.length - at);
        row.set(piece.subarray(at, at + taken), filled);
        at += taken;
        filled += taken;
        if (filled < run.rowBytes) break;
        unfilter(filter, row, prior, run.distance);
        yield row;
        [row, prior] = [prior, row];
        done++;
        filled = -1;
      }
      if (done === run.rows) {
        surplus += piece.length - at;
        if (!run.last || surplus > SURPLUS_BYTES) break;
      }
    }
  } finally {
    workspace.release(row);
    workspace.release(prior);
  }
  if (done < run.rows) throw brokenPng(`its picture data ends after ${done} of ${run.rows} rows`);
}
