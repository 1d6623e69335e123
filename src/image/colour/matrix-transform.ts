import type { PixelKernel } from '../pixel-kernel.ts';
import type { Curve, SourceColour } from './source-colour.ts';
import { encodeSrgb } from './srgb.ts';
import type { PixelTransform } from './transform.ts';

/** Light is looked up in this many steps: the steepest part of the sRGB curve then moves by 1/20 of an 8-bit step. */
export const LIGHT_STEPS = 65_535;
const VALUES = 256;
/** Red, green and blue light and nothing, 32 bits each. */
const COLUMN = 4;
const COLUMN_BYTES = 3 * VALUES * COLUMN * 4;

export const matrixTransformBytes = COLUMN_BYTES + LIGHT_STEPS + 1;

/** Three tables, summed → table. Colours outside sRGB are clipped channel by channel. */
export function matrixTransform(
  { curves, matrix }: SourceColour & { readonly kind: 'matrix' },
  tables: Uint8Array<ArrayBuffer>,
  kernel: PixelKernel,
): PixelTransform {
  const columns = new Int32Array(tables.buffer, tables.byteOffset, COLUMN_BYTES / 4);
  for (const [channel, curve] of curves.entries()) {
    const factors = [matrix[channel]!, matrix[channel + 3]!, matrix[channel + 6]!];
    fillColumns(curve, factors, columns.subarray(channel * VALUES * COLUMN));
  }
  const encoded = tables.subarray(COLUMN_BYTES);
  for (let light = 0; light <= LIGHT_STEPS; light++) encoded[light] = Math.round(encodeSrgb(light / LIGHT_STEPS) * 255);
  return ({ byteOffset }, count) => kernel.convertMatrix(byteOffset, count, tables.byteOffset, encoded.byteOffset);
}

function fillColumns(curve: Curve, factors: readonly number[], columns: Int32Array): void {
  for (let value = 0; value < VALUES; value++) {
    const light = curve(value / 255) * LIGHT_STEPS;
    for (const [k, factor] of factors.entries()) columns[value * COLUMN + k] = Math.round(bounded(factor * light));
  }
}

/** Curves of a file may lead anywhere; three of these stay within 32 bits. */
function bounded(light: number): number {
  const most = 2 ** 29;
  return Math.min(most, Math.max(-most, light)) || 0;
}
