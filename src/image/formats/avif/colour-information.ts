import type { ColourProfile } from '../../header.ts';
import { BoxReader } from './box-reader.ts';
import type { ItemProperty } from './item-properties.ts';

/** Code points of ITU-T H.273. */
export interface ColourCodePoints {
  readonly primaries: number;
  readonly transfer: number;
}

/**
 * Primaries of BT.709 or unspecified, and the transfers whose curve is BT.709's (1, 6, 14, 15) or sRGB's (13) or
 * unspecified: all are shown as sRGB by browsers.
 */
const SRGB_PRIMARIES = [1, 2];
const SRGB_TRANSFERS = [1, 2, 6, 13, 14, 15];

/**
 * The colour of an item from its `colr` properties (ISO/IEC 14496-12 §12.1.5): an ICC profile wins, then code points, then
 * those of the coded data itself. Undefined: sRGB.
 * @throws FileError broken_image
 */
export function readColourProfile(
  file: Uint8Array,
  properties: readonly ItemProperty[],
  coded: ColourCodePoints | undefined,
): ColourProfile | undefined {
  let points = coded;
  let nclx = false;
  for (const { box } of properties) {
    if (box.type !== 'colr') continue;
    const reader = new BoxReader(file, box);
    const kind = reader.fourCc();
    if (kind === 'prof' || kind === 'rICC') return { kind: 'icc', bytes: reader.rest() };
    if (kind !== 'nclx' || nclx) continue;
    nclx = true;
    points = { primaries: reader.u16(), transfer: reader.u16() };
  }
  if (points === undefined || isSrgb(points)) return undefined;
  return { kind: 'cicp', primaries: points.primaries, transfer: points.transfer };
}

function isSrgb({ primaries, transfer }: ColourCodePoints): boolean {
  return SRGB_PRIMARIES.includes(primaries) && SRGB_TRANSFERS.includes(transfer);
}
