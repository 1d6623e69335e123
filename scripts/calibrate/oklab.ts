import type { Picture } from './picture.ts';

/** One channel of a picture, row by row. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/**
 * A picture in Oklab (Björn Ottosson, "A perceptual color space for image processing", 2020): lightness 0–1 and two opponent
 * colours of about ±0.3, in which equal distances look about equally large.
 */
export function toOklab({ width, height, rgba }: Picture): readonly [lightness: Plane, a: Plane, b: Plane] {
  const planes = [0, 1, 2].map(() => ({ width, height, values: new Float32Array(width * height) }));
  const [lightness, a, b] = planes as [Plane, Plane, Plane];
  for (let at = 0; at < width * height; at++) {
    const red = linear[rgba[at * 4]!]!;
    const green = linear[rgba[at * 4 + 1]!]!;
    const blue = linear[rgba[at * 4 + 2]!]!;
    const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    lightness.values[at] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
    a.values[at] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
    b.values[at] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  }
  return [lightness, a, b];
}

/** IEC 61966-2-1. */
const linear = Float64Array.from({ length: 256 }, (_, code) => {
  const value = code / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
