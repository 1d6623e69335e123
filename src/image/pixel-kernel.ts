import wasm from '../../build/pixels.wasm';
import type { Workspace } from './workspace.ts';

/** Exports of `kernels/assembly/pixels.ts`, where they are described. Pointers and counts. */
export interface PixelKernel {
  convertMatrix(pixels: number, count: number, columns: number, encoded: number): void;
  convertGrey(pixels: number, count: number, table: number): void;
  convertPlainCmyk(pixels: number, count: number): void;
  flatten(pixels: number, count: number): void;
}

export function pixelKernel(workspace: Workspace): PixelKernel {
  return workspace.kernel<PixelKernel>(wasm);
}
