import { type Curve, interpolate } from '../../interpolate.ts';
import type { RectangleSettings } from './encode-rectangle.ts';
import type { SequenceParameters } from './sequence-parameters.ts';

/** Bytes whatever the size: a stack of 5 MiB, static data, the encoder's contexts and tables. */
const STATIC_BYTES = 8_000_000;
/** libaom keeps its frames in whole superblocks, with a border around them. */
const SUPERBLOCK = 64;
const BORDER = 24;
/** Bytes a pixel of such a frame, as measured, by libaom's speed; brightness alone takes less than half the chroma. */
const BYTES_PER_PIXEL = { '4:2:0': { 6: 42, 8: 36, 9: 36 }, '4:4:4': { 6: 61, 8: 50, 9: 50 } } as const;
/** Bytes for each byte of output, as measured: the buffer is copied as it grows. */
const BYTES_PER_OUTPUT_BYTE = 1.9;
/** Output bytes a pixel of noise, the worst case, by libavif's quality; between the measured ones the truth is convex. */
const OUTPUT_BYTES_PER_PIXEL: Readonly<Record<SequenceParameters['chroma'], Curve>> = {
  '4:2:0': [
    [60, 0.7],
    [95, 1.3],
    [100, 1.75],
  ],
  '4:4:4': [
    [60, 1.5],
    [95, 2.7],
    [100, 4.3],
  ],
  none: [
    [60, 0.6],
    [95, 1.2],
    [100, 1.6],
  ],
};
/** Bytes of a file's boxes and headers. */
const CONTAINER_BYTES = 1000;

/** Settings for rectangles with colours; screen content is in the figures. */
export interface ColourSettings extends Omit<RectangleSettings, 'screenContent'> {
  readonly chroma: '4:2:0' | '4:4:4';
}

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** The library's part of the arena that encoding a rectangle takes at the most. */
export function rectangleMemory(sides: Sides, settings: ColourSettings): number {
  const pixels = codedSide(sides.width) * codedSide(sides.height);
  const output = rectangleOutput(sides, settings) * BYTES_PER_OUTPUT_BYTE;
  return Math.ceil(STATIC_BYTES + pixels * BYTES_PER_PIXEL[settings.chroma][settings.speed] + output);
}

/** The most bytes that a rectangle can become. */
export function rectangleOutput(
  { width, height }: Sides,
  { quality, chroma }: Pick<RectangleSettings, 'quality' | 'chroma'>,
): number {
  return Math.ceil(CONTAINER_BYTES + width * height * interpolate(OUTPUT_BYTES_PER_PIXEL[chroma], quality));
}

function codedSide(side: number): number {
  return Math.ceil(side / SUPERBLOCK) * SUPERBLOCK + BORDER;
}
