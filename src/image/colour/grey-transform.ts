import type { PixelKernel } from '../pixel-kernel.ts';
import type { Curve } from './source-colour.ts';
import { encodeSrgb } from './srgb.ts';
import type { PixelTransform } from './transform.ts';

export const greyTransformBytes = 256;

/** One table for all three channels, which hold the same value. */
export function greyTransform(curve: Curve, table: Uint8Array, kernel: PixelKernel): PixelTransform {
  for (let value = 0; value < 256; value++) table[value] = Math.round(encodeSrgb(curve(value / 255)) * 255);
  return ({ byteOffset }, count) => kernel.convertGrey(byteOffset, count, table.byteOffset);
}
