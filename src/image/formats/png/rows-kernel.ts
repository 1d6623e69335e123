import wasm from '../../../../build/png-rows.wasm';
import { aligned } from '../../kernels/aligned.ts';
import type { Workspace } from '../../workspace.ts';
import type { PngDetail } from './header.ts';

/** The kernel that works on rows in the arena; all but numbers of bytes and pixels are addresses. */
export interface RowsKernel {
  unfilter(source: number, above: number, out: number, bytes: number, distance: number): number;
  expandRgb(row: number, out: number, width: number): void;
  expandDeepRgb(row: number, out: number, width: number): void;
  upperBytes(row: number, out: number, samples: number): void;
}

/** Whether rows of a layout become RGBA of 8 bits by vectors, or are that. */
export function hasRowsKernel({ layout, transparency }: PngDetail): boolean {
  const { colourType, bitDepth } = layout;
  return bitDepth >= 8 && (colourType === 6 || (colourType === 2 && !transparency));
}

/** Bytes of the arena that a row takes: the kernel reads and writes whole vectors. */
export function rowRoom(rowBytes: number): number {
  return aligned(rowBytes) + 16;
}

export function rowsKernel(workspace: Workspace): RowsKernel {
  return workspace.kernel<RowsKernel>(wasm);
}
