import type { DecodeLayout } from '../../../src/image/formats/jpeg/layout.ts';

/** The coefficients of one component for one row of MCUs. */
export interface CoefficientRows {
  /** 64 a block in natural order; `vertical` rows of `paddedAcross` blocks. */
  readonly values: Int16Array;
  /** By block: the highest zig-zag index that may be other than zero. */
  readonly extents: Uint8Array;
}

/** Bytes that `coefficientRows` takes of its memory. */
export function coefficientBytes(layout: DecodeLayout): number {
  return layout.components.reduce((sum, component) => sum + aligned(blocksInRow(component) * 129), 0);
}

/** Divides `memory` into the rows of all components. */
export function coefficientRows(layout: DecodeLayout, memory: Uint8Array): CoefficientRows[] {
  let offset = memory.byteOffset;
  return layout.components.map((component) => {
    const blocks = blocksInRow(component);
    const values = new Int16Array(memory.buffer, offset, blocks * 64);
    const extents = new Uint8Array(memory.buffer, offset + blocks * 128, blocks);
    offset += aligned(blocks * 129);
    return { values, extents };
  });
}

function blocksInRow(component: { readonly vertical: number; readonly paddedAcross: number }): number {
  return component.vertical * component.paddedAcross;
}

function aligned(bytes: number): number {
  return (bytes + 15) & ~15;
}
