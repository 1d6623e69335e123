import { LIGHT_STEPS } from '../../../src/image/colour/matrix-transform.ts';
import type { SourceColour } from '../../../src/image/colour/source-colour.ts';
import { encodeSrgb } from '../../../src/image/colour/srgb.ts';

/** Curves, matrix and curve in the kernel's steps of light, without tables: what `convertMatrix` must give. */
export function convertMatrix(pixels: Uint8Array, { curves, matrix }: SourceColour & { kind: 'matrix' }): Uint8Array {
  return pixels.map((sample, at) => {
    const out = at & 3;
    if (out === 3) return sample;
    const lights = [0, 1, 2].map((channel) => {
      const light = curves[channel]!(pixels[at - out + channel]! / 255);
      return Math.round(matrix[out * 3 + channel]! * light * LIGHT_STEPS);
    });
    const light = Math.min(LIGHT_STEPS, Math.max(0, lights[0]! + lights[1]! + lights[2]!));
    return Math.round(encodeSrgb(light / LIGHT_STEPS) * 255);
  });
}
