import { type Planes, planesOf } from './planes.ts';

/** RGBA in whole macroblocks to luma and half chroma: BT.601 in 16–235 and 16–240, chroma of the mean of 2×2 pixels. */
export function convertPicture(rgba: Uint8Array, mbWidth: number, mbHeight: number): Planes {
  const planes = planesOf(mbWidth, mbHeight);
  const width = mbWidth * 16;
  const sample = (x: number, y: number, channel: number) => rgba[(y * width + x) * 4 + channel]!;
  for (let y = 0; y < mbHeight * 16; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = [sample(x, y, 0), sample(x, y, 1), sample(x, y, 2)];
      planes.y.samples[y * width + x] = (16_839 * r + 33_059 * g + 6420 * b + 16.5 * 65_536) / 65_536;
    }
  }
  for (let y = 0; y < mbHeight * 8; y++) {
    for (let x = 0; x < width / 2; x++) {
      const sum = (channel: number) =>
        sample(2 * x, 2 * y, channel) +
        sample(2 * x + 1, 2 * y, channel) +
        sample(2 * x, 2 * y + 1, channel) +
        sample(2 * x + 1, 2 * y + 1, channel);
      const [r, g, b] = [sum(0), sum(1), sum(2)];
      const at = (y * width) / 2 + x;
      planes.u.samples[at] = (-9719 * r - 19_081 * g + 28_800 * b + 128.5 * 262_144) / 262_144;
      planes.v.samples[at] = (28_800 * r - 24_116 * g - 4684 * b + 128.5 * 262_144) / 262_144;
    }
  }
  return planes;
}
