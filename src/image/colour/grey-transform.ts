import type { Curve } from './source-colour.ts';
import { encodeSrgb } from './srgb.ts';

export const greyTransformBytes = 256;

/** One table for all three channels, which hold the same value. */
export function greyTransform(curve: Curve, table: Uint8Array): (pixels: Uint8Array, count: number) => void {
  for (let value = 0; value < 256; value++) table[value] = Math.round(encodeSrgb(curve(value / 255)) * 255);
  return (pixels, count) => {
    for (let at = 0, end = count * 4; at < end; at += 4) {
      const value = table[pixels[at]!]!;
      pixels[at] = value;
      pixels[at + 1] = value;
      pixels[at + 2] = value;
    }
  };
}
