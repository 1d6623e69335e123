/**
 * Reads the entropy-coded data of sequential JPEG strips, keeps their coefficients in a form that is fast to read again, and
 * codes them as scans of one JPEG (ITU-T T.81): progressive, each scan with the Huffman codes that fit it best, or sequential.
 * Each scan is made twice by the same code: `count…` says how often each symbol occurs, `write…` writes with given codes.
 */
import { codeAcFirst } from './jpeg-transcode/ac-first-scan';
import { codeAcRefinement } from './jpeg-transcode/ac-refinement-scan';
import { codeDc } from './jpeg-transcode/dc-scan';
import { endRun } from './jpeg-transcode/eob-run';
import { Counting, flushBits, Scan, Writing } from './jpeg-transcode/scan';
import { codeSequential } from './jpeg-transcode/sequential-scan';

export { readCodeTable } from './jpeg-transcode/code-table';
export { keepMcuRow, readMcuRow, startStrip } from './jpeg-transcode/strip-reader';

/** Starts a scan. `tables` are wiped by who counts and filled by who writes; `corrections` takes what waits for a run's end. */
export function startScan(scan: usize, tables: usize, corrections: usize): void {
  memory.fill(scan, 0, offsetof<Scan>());
  changetype<Scan>(scan).tables = tables;
  changetype<Scan>(scan).corrections = corrections;
}

/** Gives a scan that is written the room from `out` on; blocks may start up to `limit`. */
export function setRoom(scan: usize, out: usize, limit: usize): void {
  changetype<Scan>(scan).out = out;
  changetype<Scan>(scan).limit = limit;
}

/** Where the next byte goes. */
export function written(scan: usize): usize {
  return changetype<Scan>(scan).out;
}

/** Correction bits of a refinement scan. */
export function corrected(scan: usize): u32 {
  return changetype<Scan>(scan).corrected;
}

export function countDc(scan: usize, picture: usize, mcuRow: u32): void {
  codeDc<Counting>(changetype<Scan>(scan), picture, mcuRow, 0);
}

export function writeDc(scan: usize, picture: usize, mcuRow: u32, mcu: u32): u32 {
  return codeDc<Writing>(changetype<Scan>(scan), picture, mcuRow, mcu);
}

export function countAcFirst(scan: usize, row: usize, across: u32, first: i32, last: i32, low: i32): void {
  codeAcFirst<Counting>(changetype<Scan>(scan), row, across, 0, first, last, low);
}

export function writeAcFirst(scan: usize, row: usize, across: u32, x: u32, first: i32, last: i32, low: i32): u32 {
  return codeAcFirst<Writing>(changetype<Scan>(scan), row, across, x, first, last, low);
}

export function countAcRefinement(scan: usize, row: usize, across: u32, first: i32, last: i32, low: i32): void {
  codeAcRefinement<Counting>(changetype<Scan>(scan), row, across, 0, first, last, low);
}

export function writeAcRefinement(scan: usize, row: usize, across: u32, x: u32, first: i32, last: i32, low: i32): u32 {
  return codeAcRefinement<Writing>(changetype<Scan>(scan), row, across, x, first, last, low);
}

export function countSequential(scan: usize, picture: usize, mcuRow: u32, ends: usize): void {
  codeSequential<Counting>(changetype<Scan>(scan), picture, mcuRow, 0, ends);
}

export function writeSequential(scan: usize, picture: usize, mcuRow: u32, mcu: u32, ends: usize): u32 {
  return codeSequential<Writing>(changetype<Scan>(scan), picture, mcuRow, mcu, ends);
}

/** Ends a scan that was counted. */
export function endCount(scan: usize): void {
  endRun<Counting>(changetype<Scan>(scan));
}

/** Ends a scan that was written: the run at its end, and the last byte. */
export function endWrite(scan: usize): void {
  endRun<Writing>(changetype<Scan>(scan));
  flushBits(changetype<Scan>(scan));
}
