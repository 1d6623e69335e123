import type { Orientation } from '../../header.ts';
import { BoxReader } from './box-reader.ts';
import { type ItemProperty, propertyOf } from './item-properties.ts';

/** Indexed by quarter turns anticlockwise. */
const TURNED: readonly Orientation[] = [1, 8, 3, 6];
/** Turned, then top and bottom exchanged (`imir` axis 0). */
const FLIPPED: readonly Orientation[] = [4, 5, 2, 7];
/** Turned, then left and right exchanged (`imir` axis 1). */
const MIRRORED: readonly Orientation[] = [2, 7, 4, 5];

/**
 * `irot` and `imir` (ISO/IEC 23008-12 §6.5.10, §6.5.12) as one EXIF orientation. MIAF fixes their order: crop, turn, mirror.
 * EXIF's own tag has no say in AVIF.
 * @throws FileError broken_image
 */
export function readTransformation(file: Uint8Array, properties: readonly ItemProperty[]): Orientation {
  const irot = propertyOf(properties, 'irot');
  const imir = propertyOf(properties, 'imir');
  const turns = irot === undefined ? 0 : new BoxReader(file, irot).u8() & 3;
  if (imir === undefined) return TURNED[turns]!;
  return ((new BoxReader(file, imir).u8() & 1) === 0 ? FLIPPED : MIRRORED)[turns]!;
}
