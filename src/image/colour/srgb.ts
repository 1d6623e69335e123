import { type Chromaticities, invert, type Matrix, primariesToD50 } from './matrix.ts';

/** IEC 61966-2-1, the same as ITU-R BT.709. */
export const srgbPrimaries: Chromaticities = {
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  white: [0.3127, 0.329],
};

/** Linear sRGB → XYZ (D50). */
export const srgbToD50: Matrix = primariesToD50(srgbPrimaries);

/** XYZ (D50) → linear sRGB. */
export const d50ToSrgb: Matrix = invert(srgbToD50);

/** sRGB value 0 … 1 → light 0 … 1 (IEC 61966-2-1). */
export function decodeSrgb(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Light → sRGB value; what is outside 0 … 1 is clipped. */
export function encodeSrgb(light: number): number {
  if (!(light > 0)) return 0;
  if (light >= 1) return 1;
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}
