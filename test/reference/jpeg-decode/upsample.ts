import type { ComponentLayout } from '../../../src/image/formats/jpeg/layout.ts';

/**
 * Writes row `y` of the picture for one component at the picture's width into `out`, which has room for two samples
 * more. Interpolation is the triangle filter of libjpeg ("fancy upsampling"), rounding included. Rows beside the first
 * and last are those rows again.
 */
export function upsampleRow(
  plane: Uint8ClampedArray,
  layout: ComponentLayout,
  y: number,
  out: Uint8ClampedArray,
): void {
  const { upsampling, down, width } = layout;
  const near = Math.floor((y * down.samples) / down.outOf);
  const nearRow = rowOffset(layout, near);
  if (upsampling === 'across') interpolateAcross(plane, nearRow, width, out);
  else if (upsampling === 'repeat') repeatAcross(plane, nearRow, layout, out);
  else {
    const below = (y & 1) === 1;
    const farRow = rowOffset(layout, below ? near + 1 : near - 1);
    if (upsampling === 'both') interpolateBoth(plane, nearRow, farRow, width, out);
    else interpolateDown(plane, nearRow, farRow, width, below ? 2 : 1, out);
  }
}

/** Where row `y` of a component starts in its plane, which wraps around. */
export function rowOffset(layout: ComponentLayout, y: number): number {
  const inside = Math.min(Math.max(y, 0), layout.height - 1);
  return (inside % layout.planeRows) * layout.stride;
}

function interpolateAcross(plane: Uint8ClampedArray, row: number, width: number, out: Uint8ClampedArray): void {
  let here = plane[row]!;
  out[0] = here;
  for (let x = 1; x < width; x++) {
    const after = plane[row + x]!;
    out[2 * x - 1] = (here * 3 + after + 2) >> 2;
    out[2 * x] = (after * 3 + here + 1) >> 2;
    here = after;
  }
  out[2 * width - 1] = here;
}

function interpolateDown(
  plane: Uint8ClampedArray,
  near: number,
  far: number,
  width: number,
  rounding: number,
  out: Uint8ClampedArray,
): void {
  for (let x = 0; x < width; x++) out[x] = (plane[near + x]! * 3 + plane[far + x]! + rounding) >> 2;
}

function interpolateBoth(
  plane: Uint8ClampedArray,
  near: number,
  far: number,
  width: number,
  out: Uint8ClampedArray,
): void {
  let here = plane[near]! * 3 + plane[far]!;
  out[0] = (here * 4 + 8) >> 4;
  for (let x = 1; x < width; x++) {
    const after = plane[near + x]! * 3 + plane[far + x]!;
    out[2 * x - 1] = (here * 3 + after + 7) >> 4;
    out[2 * x] = (after * 3 + here + 8) >> 4;
    here = after;
  }
  out[2 * width - 1] = (here * 4 + 7) >> 4;
}

function repeatAcross(plane: Uint8ClampedArray, row: number, layout: ComponentLayout, out: Uint8ClampedArray): void {
  const { samples, outOf } = layout.across;
  let at = row;
  let step = 0;
  for (let x = 0; x < out.length; x++) {
    out[x] = plane[at]!;
    step += samples;
    while (step >= outOf) {
      step -= outOf;
      at++;
    }
  }
}
