import type { PixelKernel } from '../pixel-kernel.ts';
import { cmykGridBytes, cmykGridTransform } from './cmyk-grid-transform.ts';
import { greyTransform, greyTransformBytes } from './grey-transform.ts';
import { matrixTransform, matrixTransformBytes } from './matrix-transform.ts';
import { rgbGridBytes, rgbGridTransform } from './rgb-grid-transform.ts';
import type { SourceColour } from './source-colour.ts';
import type { PixelTransform } from './transform.ts';

/** Bytes of the tables that `pixelTransform` fills. */
export function pixelTransformBytes(source: SourceColour): number {
  if (source.kind === 'matrix') return matrixTransformBytes;
  if (source.kind === 'grey') return greyTransformBytes;
  return source.channels === 4 ? cmykGridBytes : rgbGridBytes;
}

/** Builds the fast form of a conversion in `tables`: `pixelTransformBytes` bytes of the arena. */
export function pixelTransform(
  source: SourceColour,
  tables: Uint8Array<ArrayBuffer>,
  kernel: PixelKernel,
): PixelTransform {
  if (source.kind === 'matrix') return matrixTransform(source, tables, kernel);
  if (source.kind === 'grey') return greyTransform(source.curve, tables, kernel);
  return source.channels === 4 ? cmykGridTransform(source.evaluate, tables) : rgbGridTransform(source.evaluate, tables);
}
