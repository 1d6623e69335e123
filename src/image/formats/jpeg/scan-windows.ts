import { type FileRange, FileWindow, fileWindowBytes } from '../../file-window.ts';
import type { SourceFile } from '../../source-file.ts';
import type { Workspace } from '../../workspace.ts';
import type { DecodeKernel } from './decode-kernel.ts';
import type { JpegDetail } from './header.ts';
import type { Scan, Scans } from './scan.ts';

const MIB = 1024 * 1024;
/** Bytes of all windows of a file, and of one. */
const MOST_TOGETHER = 4 * MIB;
const MOST = MIB;
/** Files have about ten scans. More windows would be so small that a file takes hundreds of reads. */
const MOST_WINDOWS = 32;

/**
 * Bytes of one window of a file whose scans are read in step, each in a window of its own: 128 KiB to 1 MiB, as large as leaves
 * room for the others. @returns undefined for a file with so many scans that it is better held whole
 */
export function scanWindow({ scans }: Scans): number | undefined {
  if (scans.length > MOST_WINDOWS) return undefined;
  const sizes = scans.map(({ start, end }) => end - start).sort((one, other) => one - other);
  let room = MOST_TOGETHER;
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(room / (sizes.length - index));
    if (size > share) return Math.min(share, MOST);
    room -= size;
  }
  return MOST;
}

/** Bytes of the arena that all windows of `window` bytes take. */
export function scanWindowsBytes({ scans }: Scans, window: number): number {
  return scans.reduce((sum, range) => sum + fileWindowBytes(range, window), 0);
}

/** What is there of a scan's data, in addresses. */
export interface ScanData {
  readonly start: number;
  readonly end: number;
  /** The last address at which an MCU may begin; -1: any. */
  readonly lastStart: number;
}

/** A block is 64 coefficients at the most, each with a code of up to 16 bits and a value of up to 15, every byte stuffed. */
const BLOCK_BYTES = (64 * 32 * 2) / 8;
/** Bytes that are read ahead, stuffed, and the marker behind them. */
const AHEAD_BYTES = 32;

/** Bytes that an MCU takes at the most, fill bytes apart. */
export function mcuBytes({ components }: Scan, detail: JpegDetail): number {
  const blocks = components.map(
    ({ index }) => detail.components[index]!.horizontal * detail.components[index]!.vertical,
  );
  const all = components.length === 1 ? 1 : blocks.reduce((sum, count) => sum + count, 0);
  return all * BLOCK_BYTES + AHEAD_BYTES;
}

/** The data of all scans, of which only a part may be there at a time. */
export class ScanWindows {
  readonly #windows: readonly FileWindow[];
  readonly #margins: readonly number[];
  readonly #kernel: DecodeKernel;

  private constructor(windows: readonly FileWindow[], margins: readonly number[], kernel: DecodeKernel) {
    this.#windows = windows;
    this.#margins = margins;
    this.#kernel = kernel;
  }

  /**
   * Opens all scans at their start. @param most bytes of a scan that may be there at once
   * @throws TypeError when an MCU may not fit in a window
   */
  static async open(
    file: SourceFile,
    { scans }: Scans,
    detail: JpegDetail,
    most: number,
    kernel: DecodeKernel,
    workspace: Workspace,
  ): Promise<ScanWindows> {
    const margins = scans.map((scan) => mcuBytes(scan, detail));
    if (scans.some((scan, index) => mayNotFit(scan, margins[index]!, most)))
      throw new TypeError('a window is too small');
    const windows: FileWindow[] = [];
    for (const scan of scans) windows.push(await FileWindow.open(file, scan, most, workspace));
    return new ScanWindows(windows, margins, kernel);
  }

  /** What is there of a scan. Once after opening and once after each slide: fill bytes, whose number has no bound, are dropped. */
  loaded(scan: number): ScanData {
    const { bytes, whole } = this.#windows[scan]!;
    const start = bytes.byteOffset;
    const end = start + bytes.length;
    if (whole) return { start, end, lastStart: -1 };
    return { start: this.#kernel.dropFillBytes(start, end), end, lastStart: end - this.#margins[scan]! };
  }

  /** Drops what lies before `address` and loads what follows. */
  async slide(scan: number, address: number): Promise<ScanData> {
    const window = this.#windows[scan]!;
    await window.slide(address - window.bytes.byteOffset);
    return this.loaded(scan);
  }
}

function mayNotFit({ start, end }: FileRange, margin: number, most: number): boolean {
  return most < end - start && most < margin;
}
