import { type Box, brokenAvif, children } from './boxes.ts';

/**
 * Items of one picture at the most. MIAF tiles are at least 64 pixels a side (ISO/IEC 23000-22 §7.3.11.4.2), so 100
 * megapixels with alpha are at most 48,828 tiles.
 */
export const MAX_ITEMS = 65_536;

/** The boxes of `meta` that describe items (ISO/IEC 14496-12 §8.11). */
export interface MetaBoxes {
  readonly pitm: Box;
  readonly iinf: Box;
  readonly iloc: Box;
  readonly iprp: Box;
  readonly iref: Box | undefined;
  readonly idat: Box | undefined;
}

/** Finds them; of a repeated box the first counts. @throws FileError broken_image */
export function readMetaBoxes(file: Uint8Array, meta: Box): MetaBoxes {
  const first = new Map<string, Box>();
  const wanted = ['pitm', 'iloc', 'iinf', 'iref', 'iprp', 'idat'];
  for (const box of children(file, meta, 4)) {
    if (wanted.includes(box.type) && !first.has(box.type)) first.set(box.type, box);
  }
  const required = (type: string): Box => {
    const box = first.get(type);
    if (box === undefined) throw brokenAvif(`its ${type} box is missing`);
    return box;
  };
  return {
    pitm: required('pitm'),
    iinf: required('iinf'),
    iloc: required('iloc'),
    iprp: required('iprp'),
    iref: first.get('iref'),
    idat: first.get('idat'),
  };
}
