/** Composites `count` straight-alpha RGBA pixels on white, in place: round((a·c + (255 − a)·255) / 255) exactly. */
export function flattenOnWhite(pixels: Uint8Array, count: number): void {
  const end = count * 4;
  for (let at = 0; at < end; at += 4) {
    const alpha = pixels[at + 3]!;
    if (alpha === 255) continue;
    const white = (255 - alpha) * 255 + 127;
    pixels[at] = ((alpha * pixels[at]! + white) / 255) | 0;
    pixels[at + 1] = ((alpha * pixels[at + 1]! + white) / 255) | 0;
    pixels[at + 2] = ((alpha * pixels[at + 2]! + white) / 255) | 0;
    pixels[at + 3] = 255;
  }
}
