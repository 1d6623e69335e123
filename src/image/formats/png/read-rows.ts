import { HELD_BYTES, type SourceFile } from '../../source-file.ts';
import type { Workspace } from '../../workspace.ts';
import type { RecompressPlan } from '../format.ts';
import { adam7, type InterlacePass, passHeight, passWidth } from './adam7.ts';
import type { PngHeader } from './header.ts';
import { ImageData, imageDataBytes } from './image-data.ts';
import { bitsPerPixel, bytesPerPixel, rowBytes } from './layout.ts';
import { rowRoom } from './rows-kernel.ts';
import { type RowStream, type ScanlineRun, scanlineBytes, scanlines } from './scanlines.ts';

/** Bytes of a window on the file. An interlaced picture is read in seven places at once. */
const WINDOW_BYTES = 1024 * 1024;
const PASS_WINDOW_BYTES = 512 * 1024;

/** Where a file is while it is read, and the bytes of one of the windows through which it is read. */
export type FilePlacing = Pick<RecompressPlan, 'fileIn' | 'window'>;

/** Where the file of a PNG should be while its rows are read. */
export function placeFile({ detail }: PngHeader, fileBytes: number): FilePlacing {
  if (fileBytes <= HELD_BYTES) return { fileIn: 'arena' };
  return { fileIn: 'windows', window: detail.interlaced ? PASS_WINDOW_BYTES : WINDOW_BYTES };
}

/** Bytes of the arena that `readRows` takes. @param window as for `readRows` */
export function readRowsBytes(header: PngHeader, fileBytes: number, window: number | undefined): number {
  const { layout, interlaced, dataStart } = header.detail;
  const data = window === undefined ? 0 : imageDataBytes(fileBytes, dataStart, window);
  const whole = rowBytes(layout, header.width);
  if (!interlaced) return data + scanlineBytes({ rowBytes: whole });
  return passRuns(header).reduce((sum, { run }) => sum + data + scanlineBytes(run), rowRoom(whole));
}

/**
 * The rows of a PNG from top to bottom, unfiltered and not interlaced, in the layout of the file. Memory does not grow with the height,
 * interlaced or not: of an interlaced picture the data is inflated once for each pass, each up to that pass's end, which costs twice the
 * time of inflating it once.
 * @param window bytes of the file that may be in the arena for each of these; undefined where all of it is there already
 * @throws FileError broken_image
 */
export async function readRows(
  file: SourceFile,
  header: PngHeader,
  window: number | undefined,
  workspace: Workspace,
): Promise<RowStream> {
  const { layout, interlaced, dataStart } = header.detail;
  const open = () => ImageData.open(file, dataStart, window ?? file.size, workspace);
  if (interlaced) {
    const runs = passRuns(header);
    const passes: Pass[] = [];
    for (const each of runs) passes.push({ ...each, rows: scanlines(await open(), each.run, workspace) });
    return interlacedRows(passes, header, workspace);
  }
  const run = {
    skip: 0,
    rows: header.height,
    rowBytes: rowBytes(layout, header.width),
    distance: bytesPerPixel(layout),
    last: true,
  };
  return scanlines(await open(), run, workspace);
}

interface PassRun {
  readonly pass: InterlacePass;
  readonly run: ScanlineRun;
  /** Pixels of one of the pass's rows. */
  readonly width: number;
}

/** The passes that have pixels; the others are not in the file at all. */
function passRuns(header: PngHeader): PassRun[] {
  const { layout } = header.detail;
  const runs: PassRun[] = [];
  let skip = 0;
  for (const pass of adam7) {
    const width = passWidth(pass, header.width);
    const rows = passHeight(pass, header.height);
    if (width === 0 || rows === 0) continue;
    const bytes = rowBytes(layout, width);
    runs.push({ pass, width, run: { skip, rows, rowBytes: bytes, distance: bytesPerPixel(layout), last: false } });
    skip += rows * (bytes + 1);
  }
  return runs.map((each, index) => (index < runs.length - 1 ? each : { ...each, run: { ...each.run, last: true } }));
}

interface Pass extends PassRun {
  readonly rows: RowStream;
}

function* interlacedRows(
  passes: readonly Pass[],
  { width, height, detail }: PngHeader,
  workspace: Workspace,
): RowStream {
  const { layout } = detail;
  const bytes = rowBytes(layout, width);
  const row = workspace.arena(rowRoom(bytes)).subarray(0, bytes);
  for (let y = 0; y < height; y++) {
    row.fill(0);
    for (const { pass, width: pixels, rows } of passes) {
      if (y < pass.top || (y - pass.top) % pass.stepY !== 0) continue;
      let next = rows.next().value;
      for (; next instanceof Promise; next = rows.next().value) yield next;
      if (next) scatter(next, row, pass, pixels, bitsPerPixel(layout));
    }
    yield row;
  }
  // Each run ends only when asked once more: the last one then verifies the stream's checksum.
  for (const { rows } of passes) yield* rows;
}

/** Puts the pixels of a pass's row where they belong in the whole row, which must be zero there. */
function scatter(source: Uint8Array, row: Uint8Array, pass: InterlacePass, width: number, bits: number): void {
  if (bits < 8) {
    scatterBits(source, row, pass, width, bits);
    return;
  }
  const bytes = bits >> 3;
  const step = pass.stepX * bytes;
  const end = width * bytes;
  // A byte of all pixels after the other: the loop within each pixel would take longer than the copying.
  for (let byte = 0; byte < bytes; byte++) {
    for (let from = byte, to = pass.left * bytes + byte; from < end; from += bytes, to += step) row[to] = source[from]!;
  }
}

function scatterBits(source: Uint8Array, row: Uint8Array, pass: InterlacePass, width: number, bits: number): void {
  const mask = (1 << bits) - 1;
  for (let x = 0; x < width; x++) {
    const from = x * bits;
    const sample = (source[from >> 3]! >> (8 - bits - (from & 7))) & mask;
    const to = (pass.left + x * pass.stepX) * bits;
    row[to >> 3] = row[to >> 3]! | (sample << (8 - bits - (to & 7)));
  }
}
