/**
 * The basic colour terms that pictures are described by: the eleven of Berlin and Kay (Basic Color Terms, 1969), and turquoise
 * and beige, for which each of the languages has a common word.
 */
export const colourNames = [
  'black',
  'grey',
  'white',
  'red',
  'orange',
  'brown',
  'yellow',
  'green',
  'turquoise',
  'blue',
  'purple',
  'pink',
  'beige',
] as const;
export type ColourName = (typeof colourNames)[number];

/** A colour in Oklch: lightness 0 to 1, chroma from 0 (grey) to about 0.32 in sRGB, hue in degrees. */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** Linear light of each 8-bit value of sRGB (IEC 61966-2-1). */
const LINEAR = Float32Array.from({ length: 256 }, (_, value) => {
  const level = value / 255;
  return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
});

/** Converts an 8-bit sRGB colour (matrices of Oklab as in CSS Color Module Level 4, section 9). */
export function toOklch(red: number, green: number, blue: number): Oklch {
  const r = LINEAR[red]!;
  const g = LINEAR[green]!;
  const b = LINEAR[blue]!;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const towardsYellow = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const hue = (Math.atan2(towardsYellow, a) * 180) / Math.PI;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, towardsYellow),
    hue: hue < 0 ? hue + 360 : hue,
  };
}

/** The colour term that most people would use. Borders were set by the named colours of CSS and photographs. */
export function colourName(colour: Oklch): ColourName {
  return isGreyish(colour) ? achromaticName(colour.lightness) : chromaticName(colour);
}

/** Little chroma is seen as none, and in the dark and near white still less is seen. */
function isGreyish({ lightness, chroma }: Oklch): boolean {
  if (lightness < 0.2) return true;
  if (lightness < 0.35) return chroma < 0.045;
  return chroma < (lightness > 0.93 ? 0.028 : 0.033);
}

function achromaticName(lightness: number): ColourName {
  if (lightness < 0.3) return 'black';
  return lightness > 0.9 ? 'white' : 'grey';
}

function chromaticName({ lightness, chroma, hue }: Oklch): ColourName {
  if (hue >= 345 || hue < 40) return reddishName(lightness, chroma, hue);
  if (hue < 118) return yellowishName(lightness, chroma, hue);
  if (hue < 168) return 'green';
  if (hue < 212) return 'turquoise';
  if (hue < 283) return 'blue';
  return hue >= 315 && lightness > 0.65 ? 'pink' : 'purple';
}

function reddishName(lightness: number, chroma: number, hue: number): ColourName {
  const bluish = hue >= 345 || hue < 14;
  if (lightness > (bluish ? 0.63 : 0.72)) return 'pink';
  return !bluish && chroma < 0.1 ? 'brown' : 'red';
}

function yellowishName(lightness: number, chroma: number, hue: number): ColourName {
  if (lightness > 0.74 && chroma < 0.106 && hue < 112) return 'beige';
  if (lightness > 0.9 && chroma < 0.06) return 'beige';
  if (hue < 84) return lightness < 0.6 || (lightness < 0.72 && chroma < 0.14) ? 'brown' : 'orange';
  if (lightness > 0.66) return 'yellow';
  return hue < 100 ? 'brown' : 'green';
}
