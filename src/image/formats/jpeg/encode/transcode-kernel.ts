/** The exports of `kernels/assembly/jpeg-transcode`; pointers are offsets in the arena. */
export interface TranscodeKernel {
  readCodeTable(table: number, counts: number, end: number): number;
  startStrip(reader: number, at: number, end: number): void;
  readMcuRow(reader: number, picture: number, tables: number, scratch: number, ends: number): number;
  keepMcuRow(picture: number, scratch: number, ends: number, at: number, mcuRow: number, blockRows: number): void;
  startScan(scan: number, tables: number, corrections: number): void;
  setRoom(scan: number, out: number, limit: number): void;
  written(scan: number): number;
  corrected(scan: number): number;
  countDc(scan: number, picture: number, mcuRow: number): void;
  writeDc(scan: number, picture: number, mcuRow: number, mcu: number): number;
  countAcFirst(scan: number, row: number, across: number, first: number, last: number, low: number): void;
  writeAcFirst(scan: number, row: number, across: number, x: number, first: number, last: number, low: number): number;
  countAcRefinement(scan: number, row: number, across: number, first: number, last: number, low: number): void;
  writeAcRefinement(
    scan: number,
    row: number,
    across: number,
    x: number,
    first: number,
    last: number,
    low: number,
  ): number;
  countSequential(scan: number, picture: number, mcuRow: number, ends: number): void;
  writeSequential(scan: number, picture: number, mcuRow: number, mcu: number, ends: number): number;
  endCount(scan: number): void;
  endWrite(scan: number): void;
}
