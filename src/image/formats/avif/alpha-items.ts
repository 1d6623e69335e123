import { BoxReader } from './box-reader.ts';
import { type Box, brokenAvif } from './boxes.ts';
import { type ItemProperty, propertyOf, readItemProperties } from './item-properties.ts';
import { itemReferences } from './item-references.ts';
import { MAX_ITEMS, type MetaBoxes } from './meta-boxes.ts';

/** Auxiliary types that mean transparency: ISO/IEC 23000-22 §7.3.5.2 and the HEVC one that older writers use. */
const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1'];

/** An alpha item and the item whose transparency it is. */
export interface AlphaItem {
  readonly id: number;
  readonly of: number;
}

/**
 * Finds the alpha item of the primary item; where a grid has none, those of its tiles, when every one of them has its own.
 * @param coloured the primary item and its tiles
 * @throws FileError broken_image
 */
export function findAlphaItems(
  file: Uint8Array,
  { iref, iprp }: MetaBoxes,
  primary: number,
  coloured: ReadonlySet<number>,
): AlphaItem[] {
  const auxiliaries = readAuxiliaries(file, iref, coloured);
  const properties = readItemProperties(file, iprp, new Set(auxiliaries.map(({ id }) => id)));
  const alphaOf = new Map<number, AlphaItem>();
  for (const auxiliary of auxiliaries) {
    const isAlpha = ALPHA_TYPES.includes(auxiliaryType(file, properties.get(auxiliary.id) ?? []));
    if (isAlpha && !alphaOf.has(auxiliary.of)) alphaOf.set(auxiliary.of, auxiliary);
  }
  const ofPrimary = alphaOf.get(primary);
  if (ofPrimary !== undefined) return [ofPrimary];
  const everyTile = coloured.size > 1 && alphaOf.size === coloured.size - 1;
  return everyTile ? [...alphaOf.values()] : [];
}

/** Pairs of the reference `auxl` that lead to one of the items: alpha, depth maps and others. */
function readAuxiliaries(file: Uint8Array, iref: Box | undefined, items: ReadonlySet<number>): AlphaItem[] {
  const auxiliaries: AlphaItem[] = [];
  for (const { from, to } of itemReferences(file, iref, 'auxl')) {
    if (items.has(from)) continue;
    auxiliaries.push(...to.filter((id) => items.has(id)).map((of) => ({ id: from, of })));
    if (auxiliaries.length > MAX_ITEMS) throw brokenAvif('it has more parts than is possible');
  }
  return auxiliaries;
}

/** The zero-terminated name in `auxC` (ISO/IEC 23008-12 §6.5.8). */
function auxiliaryType(file: Uint8Array, properties: readonly ItemProperty[]): string {
  const auxC = propertyOf(properties, 'auxC');
  if (auxC === undefined) return '';
  const reader = new BoxReader(file, auxC);
  reader.skip(4);
  const name = reader.rest().subarray(0, 64);
  const end = name.indexOf(0);
  return String.fromCharCode(...(end < 0 ? name : name.subarray(0, end)));
}
