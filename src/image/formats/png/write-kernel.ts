import wasm from '../../../../build/png-write.wasm';
import type { Workspace } from '../../workspace.ts';

/** Exports of `kernels/assembly/png-write.ts`, where they are described. Addresses and counts. */
export interface WriteKernel {
  addPixels(census: number, at: number, count: number, bits: number): void;
  setColours(census: number, colours: number, count: number): void;
  indexPixels(census: number, at: number, out: number, count: number): void;
  expandIndexes(census: number, at: number, out: number, count: number): void;
  expandGreys(at: number, out: number, count: number): void;
  selectBytes(at: number, out: number, count: number, pattern: number, pixelBytes: number, kept: number): void;
  packBits(at: number, out: number, count: number, bits: number, shift: number): void;
  filterRow(type: number, row: number, above: number, out: number, bytes: number, distance: number): void;
  leastSum(row: number, above: number, bytes: number, distance: number, last: number): number;
  leastEntropy(
    row: number,
    above: number,
    trial: number,
    bytes: number,
    distance: number,
    last: number,
    counts: number,
    logs: number,
  ): number;
}

export function writeKernel(workspace: Workspace): WriteKernel {
  return workspace.kernel<WriteKernel>(wasm);
}

/** Bytes of a vector: kernels read and write so many at once, also behind the end of a row. */
export const VECTOR_BYTES = 16;

/** Fills `pattern` for `selectBytes`: the bytes of a pixel that are kept, and how many the pixel has. */
export function setPattern(pattern: Uint8Array, kept: readonly number[], pixelBytes: number): void {
  pattern.fill(VECTOR_BYTES);
  let to = 0;
  for (let pixel = 0; pixel < VECTOR_BYTES; pixel += pixelBytes) {
    for (const byte of kept) pattern[to++] = pixel + byte;
  }
}
