import type { Matrix } from './matrix.ts';
import type { Curve } from './source-colour.ts';
import { encodeSrgb } from './srgb.ts';

/** Light is looked up in this many steps: the steepest part of the sRGB curve then moves by 1/20 of an 8-bit step. */
const LIGHT_STEPS = 65_535;
const FLOATS = 3 * 256 * 4;

export const matrixTransformBytes = FLOATS + LIGHT_STEPS + 1;

/** Table → matrix → table. Colours outside sRGB are clipped channel by channel. */
export function matrixTransform(
  curves: readonly [Curve, Curve, Curve],
  matrix: Matrix,
  tables: Uint8Array<ArrayBuffer>,
): (pixels: Uint8Array, count: number) => void {
  const light = new Float32Array(tables.buffer, tables.byteOffset, 3 * 256);
  for (let i = 0; i < 3 * 256; i++) light[i] = curves[i >> 8]!((i & 255) / 255);
  const encoded = tables.subarray(FLOATS);
  for (let i = 0; i <= LIGHT_STEPS; i++) encoded[i] = Math.round(encodeSrgb(i / LIGHT_STEPS) * 255);
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = matrix.map((cell) => cell * LIGHT_STEPS) as unknown as Matrix;
  return (pixels, count) => {
    for (let at = 0, end = count * 4; at < end; at += 4) {
      const r = light[pixels[at]!]!;
      const g = light[256 + pixels[at + 1]!]!;
      const b = light[512 + pixels[at + 2]!]!;
      pixels[at] = encoded[step(m0 * r + m1 * g + m2 * b)]!;
      pixels[at + 1] = encoded[step(m3 * r + m4 * g + m5 * b)]!;
      pixels[at + 2] = encoded[step(m6 * r + m7 * g + m8 * b)]!;
    }
  };
}

function step(light: number): number {
  if (light <= 0) return 0;
  return light >= LIGHT_STEPS ? LIGHT_STEPS : (light + 0.5) | 0;
}
