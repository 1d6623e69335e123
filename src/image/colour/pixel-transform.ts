import { cmykGridBytes, cmykGridTransform } from './cmyk-grid-transform.ts';
import { greyTransform, greyTransformBytes } from './grey-transform.ts';
import { matrixTransform, matrixTransformBytes } from './matrix-transform.ts';
import { rgbGridBytes, rgbGridTransform } from './rgb-grid-transform.ts';
import type { SourceColour } from './source-colour.ts';

/** Converts `count` four-byte pixels to sRGB RGBA in place. Alpha stays; CMYK becomes opaque. */
export type PixelTransform = (pixels: Uint8Array, count: number) => void;

/** Bytes of the tables that `pixelTransform` fills. */
export function pixelTransformBytes(source: SourceColour): number {
  if (source.kind === 'matrix') return matrixTransformBytes;
  if (source.kind === 'grey') return greyTransformBytes;
  return source.channels === 4 ? cmykGridBytes : rgbGridBytes;
}

/** Builds the fast form of a conversion in `tables`, which has `pixelTransformBytes` bytes. */
export function pixelTransform(source: SourceColour, tables: Uint8Array<ArrayBuffer>): PixelTransform {
  if (source.kind === 'matrix') return matrixTransform(source.curves, source.matrix, tables);
  if (source.kind === 'grey') return greyTransform(source.curve, tables);
  return source.channels === 4 ? cmykGridTransform(source.evaluate, tables) : rgbGridTransform(source.evaluate, tables);
}
