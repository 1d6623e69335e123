/**
 * Turns `count` CMYK pixels (255 = full ink) into opaque RGBA in place, for pictures without a usable profile: each ink takes its share of
 * the complementary light, (255 − ink)(255 − black) ∕ 255.
 */
export function convertPlainCmyk(pixels: Uint8Array, count: number): void {
  for (let at = 0, end = count * 4; at < end; at += 4) {
    const light = 255 - pixels[at + 3]!;
    pixels[at] = ((255 - pixels[at]!) * light + 127) / 255;
    pixels[at + 1] = ((255 - pixels[at + 1]!) * light + 127) / 255;
    pixels[at + 2] = ((255 - pixels[at + 2]!) * light + 127) / 255;
    pixels[at + 3] = 255;
  }
}
