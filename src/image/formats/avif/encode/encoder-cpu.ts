import { type Frame, megapixels } from '../../../frame.ts';
import type { Speed } from './encode-rectangle.ts';
import type { ColourSettings } from './encoder-memory.ts';
import type { SequenceParameters } from './sequence-parameters.ts';
import { type TileGrid, tileCount } from './tile-grid.ts';

/**
 * CPU seconds a megapixel of libaom, by chroma (`none`: transparency) and speed, measured with scripts/calibrate-cpu.ts at qualities 40 to
 * 100 on the worst pictures: noise of full strength at the faster speeds, fine grain on soft shapes at speed 6.
 */
const SECONDS: Readonly<Record<SequenceParameters['chroma'], Readonly<Record<Speed, number>>>> = {
  '4:2:0': { 6: 5.2, 8: 2.3, 9: 0.55 },
  '4:4:4': { 6: 9, 8: 4, 9: 1.1 },
  none: { 6: 4, 8: 1.3, 9: 0.4 },
};
/** Of an instance of the library that is made ready for a tile, and of the first one. */
const TILE_SECONDS = 0.02;
const FIXED_SECONDS = 0.6;

/** CPU seconds of encoding a picture. */
export function encoderSeconds(frame: Frame, { chroma, speed }: ColourSettings, grid: TileGrid): number {
  const each = SECONDS[chroma][speed] + (frame.alpha ? SECONDS.none[speed] : 0);
  return FIXED_SECONDS + tileCount(grid) * TILE_SECONDS + megapixels(frame) * each;
}
