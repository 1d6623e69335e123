import type { Workspace } from '../../../workspace.ts';
import { codeTables, type PlacedCode, type ScanHeader, scanHeader } from './header-segments.ts';
import { huffmanCode } from './huffman-code.ts';
import type { KeptPicture } from './kept-picture.ts';

/** Bytes of a piece of output. */
const PIECE_BYTES = 64 * 1024;
/** Bytes that one block, or one MCU, and all that was put off before it may take. */
const MARGIN_BYTES = 4096;
const SCAN_BYTES = 128;
const TABLES_BYTES = 4 * 1024;
/** 16 for each word of correction bits that waits (`MOST_WAITING` of the kernel, and one block). */
const CORRECTION_BYTES = 1024 * 16;

/** Bytes of the arena that a `ScanCoder` takes. */
export const scanCoderBytes: number = SCAN_BYTES + TABLES_BYTES + CORRECTION_BYTES + PIECE_BYTES + MARGIN_BYTES;
/** The most heap bytes of a piece that it yields. */
export const pieceBytes: number = PIECE_BYTES + MARGIN_BYTES;

/** How often each symbol of a scan occurs, and the correction bits beside them. */
export interface ScanCount {
  /** For DC and AC of luma (or of the only component), DC and AC of chroma: by symbol. */
  readonly frequencies: readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  readonly corrections: number;
}

/** Makes scans from what a picture keeps: counts their symbols, writes them. */
export class ScanCoder {
  readonly #kept: KeptPicture;
  readonly #scan: number;
  readonly #tables: Uint32Array;
  readonly #corrections: number;
  readonly #out: Uint8Array;

  constructor(kept: KeptPicture, workspace: Workspace) {
    this.#kept = kept;
    this.#scan = workspace.arena(SCAN_BYTES).byteOffset;
    const tables = workspace.arena(TABLES_BYTES);
    this.#tables = new Uint32Array(tables.buffer, tables.byteOffset, TABLES_BYTES / 4);
    this.#corrections = workspace.arena(CORRECTION_BYTES).byteOffset;
    this.#out = workspace.arena(PIECE_BYTES + MARGIN_BYTES);
  }

  /** Counts the symbols of a progressive scan in every `stride`th row of MCUs. */
  count(scan: ScanHeader, stride = 1): ScanCount {
    this.#tables.fill(0);
    this.#start();
    const { from, to } = this.#kept;
    for (let mcuRow = from; mcuRow < to; mcuRow += stride) this.#countMcuRow(scan, mcuRow);
    return this.#counted();
  }

  /** Counts the symbols of a sequential scan of everything. */
  countSequential(stride = 1): ScanCount {
    this.#tables.fill(0);
    this.#start();
    const { from, to, kernel, picture, ends } = this.#kept;
    for (let mcuRow = from; mcuRow < to; mcuRow += stride) kernel.countSequential(this.#scan, picture, mcuRow, ends);
    return this.#counted();
  }

  /** Writes a progressive scan with the codes that fit it best. */
  *write(scan: ScanHeader): Generator<Uint8Array<ArrayBuffer>> {
    const codes = placedCodes(scan, this.count(scan));
    if (codes.length > 0) yield codeTables(codes);
    yield scanHeader(scan);
    this.begin(codes);
    const { from, to } = this.#kept;
    for (let mcuRow = from; mcuRow < to; mcuRow++) yield* this.#writeMcuRow(scan, mcuRow);
    yield* this.end();
  }

  /** Starts to write a scan with these codes. */
  begin(codes: readonly PlacedCode[]): void {
    this.#tables.fill(0);
    for (const { class: kind, slot, code } of codes) this.#tables.set(code.table, (slot * 2 + kind) * 256);
    this.#start();
    this.#kept.kernel.setRoom(this.#scan, this.#out.byteOffset, this.#out.byteOffset + PIECE_BYTES);
  }

  /** Goes on writing a sequential scan with all that is kept. */
  *writeSequential(): Generator<Uint8Array<ArrayBuffer>> {
    const { from, to, kernel, picture, ends, layout } = this.#kept;
    for (let mcuRow = from; mcuRow < to; mcuRow++) {
      const write = (mcu: number) => kernel.writeSequential(this.#scan, picture, mcuRow, mcu, ends);
      yield* this.#whole(write, layout.mcusAcross);
    }
  }

  /** Ends the scan that is being written. */
  *end(): Generator<Uint8Array<ArrayBuffer>> {
    this.#kept.kernel.endWrite(this.#scan);
    yield this.#piece();
  }

  #start(): void {
    this.#kept.kernel.startScan(this.#scan, this.#tables.byteOffset, this.#corrections);
  }

  #counted(): ScanCount {
    const { kernel } = this.#kept;
    kernel.endCount(this.#scan);
    const table = (index: number) => this.#tables.slice(index * 256, index * 256 + 256);
    return { frequencies: [table(0), table(1), table(2), table(3)], corrections: kernel.corrected(this.#scan) };
  }

  #countMcuRow({ components, first, last, high, low }: ScanHeader, mcuRow: number): void {
    const { kernel, picture } = this.#kept;
    if (first === 0) {
      kernel.countDc(this.#scan, picture, mcuRow);
      return;
    }
    const count = high === 0 ? kernel.countAcFirst : kernel.countAcRefinement;
    for (const [row, across] of this.#blockRows(components[0]!, mcuRow)) {
      count(this.#scan, row, across, first, last, low);
    }
  }

  *#writeMcuRow(scan: ScanHeader, mcuRow: number): Generator<Uint8Array<ArrayBuffer>> {
    const { kernel, picture, layout } = this.#kept;
    const { components, first, last, high, low } = scan;
    if (first === 0) {
      yield* this.#whole((mcu) => kernel.writeDc(this.#scan, picture, mcuRow, mcu), layout.mcusAcross);
      return;
    }
    const write = high === 0 ? kernel.writeAcFirst : kernel.writeAcRefinement;
    for (const [row, across] of this.#blockRows(components[0]!, mcuRow)) {
      yield* this.#whole((x) => write(this.#scan, row, across, x, first, last, low), across);
    }
  }

  /** The rows of blocks of a component in a row of MCUs, without padding: pointer and number of blocks. */
  *#blockRows(index: number, mcuRow: number): Generator<[row: number, across: number]> {
    const { vertical, across, down } = this.#kept.layout.components[index]!;
    const end = Math.min(down, (mcuRow + 1) * vertical);
    for (let row = mcuRow * vertical; row < end; row++) yield [this.#kept.row(index, row), across];
  }

  /** Writes a row from its first block (or MCU) to its end; a piece leaves whenever there is no room. */
  *#whole(write: (from: number) => number, end: number): Generator<Uint8Array<ArrayBuffer>> {
    for (let at = write(0); at < end; at = write(at)) yield this.#piece();
  }

  /** What was written since the last piece. */
  #piece(): Uint8Array<ArrayBuffer> {
    const { kernel } = this.#kept;
    const { byteOffset } = this.#out;
    const piece = this.#out.slice(0, kernel.written(this.#scan) - byteOffset);
    kernel.setRoom(this.#scan, byteOffset, byteOffset + PIECE_BYTES);
    return piece;
  }
}

/** The codes that fit a progressive scan best, and where it looks for them. */
function placedCodes({ components, first, high }: ScanHeader, { frequencies }: ScanCount): PlacedCode[] {
  if (first > 0) return [{ class: 1, slot: 0, code: huffmanCode(frequencies[1]) }];
  if (high > 0) return [];
  const chroma: PlacedCode[] = components.length > 1 ? [{ class: 0, slot: 1, code: huffmanCode(frequencies[2]) }] : [];
  return [{ class: 0, slot: 0, code: huffmanCode(frequencies[0]) }, ...chroma];
}
