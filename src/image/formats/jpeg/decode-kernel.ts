import wasm from '../../../../build/jpeg-decode.wasm';
import type { Workspace } from '../../workspace.ts';

/** The kernel `jpeg-decode`. `decoder` is the address that `prepareDecoder` gives. */
export interface DecodeKernel {
  /** The address at which the entropy-coded data from `from` on ends, `end` at the latest. */
  findDataEnd(from: number, end: number): number;
  /** Drops fill bytes (0xFF before 0xFF) and moves the rest up to `end`. @returns the address at which it starts now */
  dropFillBytes(from: number, end: number): number;
  /**
   * Decodes the next row of MCUs. @returns 0; 1: more of a scan must be there before the same call goes on (`DecoderMemory.scan`);
   * −1: the data ends before enough of the picture is there; −2: it is corrupt
   */
  decodeRow(decoder: number): number;
  /** Writes rows of the picture that are ready as four bytes a pixel, and up to 60 bytes behind them. */
  writeRows(decoder: number, y: number, rows: number, pixels: number): void;
}

/** The kernel on a job's arena. */
export function decodeKernel(workspace: Workspace): DecodeKernel {
  return workspace.kernel<DecodeKernel>(wasm);
}
