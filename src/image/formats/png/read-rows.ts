import type { Workspace } from '../../workspace.ts';
import { adam7, type InterlacePass, passHeight, passWidth } from './adam7.ts';
import type { PngHeader } from './header.ts';
import { imageData } from './image-data.ts';
import { bitsPerPixel, bytesPerPixel, rowBytes } from './layout.ts';
import { rowRoom } from './rows-kernel.ts';
import { type ScanlineRun, scanlineBytes, scanlines } from './scanlines.ts';

/** Bytes of the arena that `readRows` takes. */
export function readRowsBytes(header: PngHeader): number {
  const { layout, interlaced } = header.detail;
  const whole = rowBytes(layout, header.width);
  if (!interlaced) return scanlineBytes({ rowBytes: whole });
  return passRuns(header).reduce((sum, { run }) => sum + scanlineBytes(run), rowRoom(whole));
}

/**
 * The rows of a PNG from top to bottom, unfiltered and not interlaced, in the layout of the file. A row lies in the
 * arena and is valid until the next one is asked for. Memory does not grow with the height, interlaced or not: of an interlaced picture the data is
 * inflated once for each pass, each up to that pass's end, which costs twice the time of inflating it once.
 * @throws FileError broken_image
 */
export function readRows(file: Uint8Array, header: PngHeader, workspace: Workspace): Generator<Uint8Array> {
  const { layout, interlaced, dataStart } = header.detail;
  if (interlaced) return readInterlacedRows(file, header, workspace);
  const run = {
    skip: 0,
    rows: header.height,
    rowBytes: rowBytes(layout, header.width),
    distance: bytesPerPixel(layout),
    last: true,
  };
  return scanlines(imageData(file, dataStart), run, workspace);
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

function* readInterlacedRows(file: Uint8Array, header: PngHeader, workspace: Workspace): Generator<Uint8Array> {
  const { layout, dataStart } = header.detail;
  const passes = passRuns(header).map((each) => ({
    ...each,
    rows: scanlines(imageData(file, dataStart), each.run, workspace),
  }));
  const bytes = rowBytes(layout, header.width);
  const row = workspace.arena(rowRoom(bytes)).subarray(0, bytes);
  for (let y = 0; y < header.height; y++) {
    row.fill(0);
    for (const { pass, width, rows } of passes) {
      if (y < pass.top || (y - pass.top) % pass.stepY !== 0) continue;
      const next = rows.next();
      if (!next.done) scatter(next.value, row, pass, width, bitsPerPixel(layout));
    }
    yield row;
  }
  // Each run ends only when asked once more: the last one then verifies the stream's checksum.
  for (const { rows } of passes) rows.next();
}

/** Puts the pixels of a pass's row where they belong in the whole row, which must be zero there. */
function scatter(source: Uint8Array, row: Uint8Array, pass: InterlacePass, width: number, bits: number): void {
  if (bits < 8) {
    scatterBits(source, row, pass, width, bits);
    return;
  }
  const bytes = bits >> 3;
  let from = 0;
  for (let x = 0; x < width; x++) {
    let to = (pass.left + x * pass.stepX) * bytes;
    for (let byte = 0; byte < bytes; byte++) row[to++] = source[from++]!;
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
