import { type ColourName, colourName, colourNames, toOklch } from './colour-name.ts';

/** What can be measured of a picture without knowing what it shows. */
export interface PictureTraits {
  /** A panorama is at least twice as wide as high; a square's sides differ by 5 % at most. */
  readonly shape: 'landscape' | 'portrait' | 'square' | 'panorama';
  /** One to three, most first; none where nothing can be seen through full transparency. */
  readonly colours: readonly ColourName[];
  /** By the mean lightness of what can be seen. */
  readonly brightness: 'dark' | 'medium' | 'bright';
  /** Whether the picture has transparency. */
  readonly transparent: boolean;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels that are looked at, evenly spread: more change no name, and cost time. */
const SAMPLES = 16_384;
/** Alpha, 0 to 255, from which on a pixel counts. */
const VISIBLE = 128;
/** Share of the visible pixels that a second or third colour needs. */
const LEAST_SHARE = 0.1;
const MOST_COLOURS = 3;

/**
 * Measures a picture. The same pixels always give the same traits.
 * @param pixels sRGB, RGBA, 8 bits, straight alpha, rows × width × 4
 * @param transparent whether the source has transparency
 */
export function measureTraits(pixels: Uint8Array, size: Size, transparent: boolean): PictureTraits {
  const counts = new Map<ColourName, number>(colourNames.map((name) => [name, 0]));
  let visible = 0;
  let lightness = 0;
  for (const offset of sampleOffsets(size)) {
    if (pixels[offset + 3]! < VISIBLE) continue;
    const colour = toOklch(pixels[offset]!, pixels[offset + 1]!, pixels[offset + 2]!);
    const name = colourName(colour);
    counts.set(name, counts.get(name)! + 1);
    lightness += colour.lightness;
    visible++;
  }
  return {
    shape: shapeOf(size),
    colours: mostOf(counts, visible),
    brightness: brightnessOf(lightness, visible),
    transparent,
  };
}

/** Byte offsets of pixels on a grid that is as fine both ways. */
function* sampleOffsets({ width, height }: Size): Generator<number> {
  const step = Math.max(1, Math.ceil(Math.sqrt((width * height) / SAMPLES)));
  for (let y = Math.min(step >> 1, height - 1); y < height; y += step) {
    for (let x = Math.min(step >> 1, width - 1); x < width; x += step) yield (y * width + x) * 4;
  }
}

function shapeOf({ width, height }: Size): PictureTraits['shape'] {
  if (width >= height * 2) return 'panorama';
  if (Math.max(width, height) <= Math.min(width, height) * 1.05) return 'square';
  return width > height ? 'landscape' : 'portrait';
}

function mostOf(counts: ReadonlyMap<ColourName, number>, visible: number): ColourName[] {
  // The sort is stable: colours that are equally frequent stay in the order of the list.
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .filter(([, count], place) => place === 0 || count >= visible * LEAST_SHARE)
    .slice(0, MOST_COLOURS)
    .map(([name]) => name);
}

function brightnessOf(lightness: number, visible: number): PictureTraits['brightness'] {
  const mean = visible === 0 ? 0.5 : lightness / visible;
  if (mean < 0.4) return 'dark';
  return mean > 0.75 ? 'bright' : 'medium';
}
