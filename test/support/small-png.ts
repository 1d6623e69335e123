import { ihdr, makePng } from '../image/formats/png/make-png.ts';

/** An opaque RGB PNG with a gradient in it; another `seed` makes another picture. `before` are chunks ahead of the pixels. */
export function smallPng(
  width: number,
  height: number,
  seed = 0,
  ...before: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const stride = 1 + width * 3;
  const rows = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows.set([x * 3 + seed, y * 3, (x * y + seed * 7) & 255], y * stride + 1 + x * 3);
    }
  }
  return makePng(ihdr(width, height, 8, 2), rows, ...before);
}
