import { apply } from './matrix.ts';
import type { Evaluate } from './source-colour.ts';
import { srgbToD50 } from './srgb.ts';

/** Luminance of the perceptual reference medium's black in version 4 profiles (ICC.1:2022, 6.3.3: Y of 0,0034731). */
export const PERCEPTUAL_BLACK = 0.0034731;

/** Luminance of L* = 50: a device whose black is lighter than that has no black worth scaling to. */
const LIGHTEST_BLACK = 0.1842;

/** Luminance of a device's darkest colour: all inks, or no light. */
export function darkestLuminance(channels: 3 | 4, evaluate: Evaluate): number {
  const light = new Float64Array(3);
  evaluate(new Float64Array(channels).fill(channels === 4 ? 1 : 0), light);
  const [, luminance] = apply(srgbToD50, light[0]!, light[1]!, light[2]!);
  return luminance > 0 ? Math.min(luminance, LIGHTEST_BLACK) : 0;
}

/**
 * Black point compensation (ISO 18619): scales light so that the source's black becomes sRGB's black and white stays. Without it, print
 * profiles turn black into dark grey.
 */
export function compensateBlack(evaluate: Evaluate, black: number): Evaluate {
  const scale = 1 / (1 - black);
  return (device, light) => {
    evaluate(device, light);
    for (let i = 0; i < 3; i++) light[i] = (light[i]! - black) * scale;
  };
}
