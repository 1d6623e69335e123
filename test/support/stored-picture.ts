import type { Frame } from '../../src/image/frame.ts';
import type { Orientation } from '../../src/image/header.ts';

/** Where the stored row 0 and column 0 are in the upright picture, in the words of the Exif standard. */
const exif: Record<Orientation, readonly [row: string, column: string]> = {
  1: ['top', 'left'],
  2: ['top', 'right'],
  3: ['bottom', 'right'],
  4: ['bottom', 'left'],
  5: ['left', 'top'],
  6: ['right', 'top'],
  7: ['right', 'bottom'],
  8: ['left', 'bottom'],
};

export const orientations = Object.keys(exif).map(Number) as Orientation[];

/** An upright RGBA picture as a camera that was held in that way stores it. */
export function storedPicture(
  pixels: Uint8Array,
  upright: Frame,
  orientation: Orientation,
): { readonly frame: Frame; readonly pixels: Uint8Array } {
  const [rowEdge, columnEdge] = exif[orientation];
  const sideways = rowEdge === 'left' || rowEdge === 'right';
  const frame = sideways ? { ...upright, width: upright.height, height: upright.width } : upright;
  const out = new Uint8Array(pixels.length);
  const along = (edge: string, step: number) =>
    ({ top: step, left: step, bottom: upright.height - 1 - step, right: upright.width - 1 - step })[edge]!;
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      const [visualX, visualY] = sideways
        ? [along(rowEdge, y), along(columnEdge, x)]
        : [along(columnEdge, x), along(rowEdge, y)];
      const from = (visualY * upright.width + visualX) * 4;
      out.set(pixels.subarray(from, from + 4), (y * frame.width + x) * 4);
    }
  }
  return { frame, pixels: out };
}
