import { BoxReader } from './box-reader.ts';
import { type Box, brokenAvif, child, children } from './boxes.ts';

/** A property as one item has it (ISO/IEC 23008-12 §9.3). */
export interface ItemProperty {
  readonly box: Box;
  /** Whether a reader that does not know the property must not show the item. */
  readonly essential: boolean;
}

/** An index into `ipco` has at most 15 bits. */
const MAX_PROPERTIES = 0x7fff;
/** A still has about ten, a tile about five; more in all than this is no picture under 100 megapixels. */
const MAX_ASSOCIATIONS = 524_288;

/** Reads the properties of the wanted items, in the order of their association. @throws FileError broken_image */
export function readItemProperties(
  file: Uint8Array,
  iprp: Box,
  wanted: ReadonlySet<number>,
): Map<number, ItemProperty[]> {
  const properties = readContainer(file, child(file, iprp, 'ipco'));
  const byItem = new Map<number, ItemProperty[]>();
  let budget = MAX_ASSOCIATIONS;
  for (const box of children(file, iprp)) {
    if (box.type !== 'ipma') continue;
    for (const { item, associations } of associationsIn(file, box, wanted)) {
      budget -= associations.length;
      if (budget < 0) throw brokenAvif('it has more properties than is possible');
      const known = byItem.get(item) ?? [];
      for (const { index, essential } of associations) {
        const property = properties[index - 1];
        // Index 0 means no property; one that does not exist is somebody's bug.
        if (property !== undefined) known.push({ box: property, essential });
        else if (index > 0) throw brokenAvif('one of its properties is missing');
      }
      byItem.set(item, known);
    }
  }
  return byItem;
}

/** The first property of a type. */
export function propertyOf(properties: readonly ItemProperty[], type: string): Box | undefined {
  return properties.find(({ box }) => box.type === type)?.box;
}

function readContainer(file: Uint8Array, ipco: Box | undefined): Box[] {
  if (ipco === undefined) throw brokenAvif('its properties are missing');
  const properties: Box[] = [];
  for (const box of children(file, ipco)) {
    if (properties.length === MAX_PROPERTIES) break;
    properties.push(box);
  }
  return properties;
}

interface Association {
  readonly index: number;
  readonly essential: boolean;
}

function* associationsIn(file: Uint8Array, ipma: Box, wanted: ReadonlySet<number>) {
  const reader = new BoxReader(file, ipma);
  const { version, flags } = reader.fullBox();
  const wideIndex = (flags & 1) === 1;
  const count = reader.u32();
  if (count > MAX_ASSOCIATIONS) throw brokenAvif('it has more properties than is possible');
  for (let entry = 0; entry < count; entry++) {
    const item = version === 0 ? reader.u16() : reader.u32();
    const length = reader.u8();
    if (wanted.has(item)) yield { item, associations: Array.from({ length }, () => association(reader, wideIndex)) };
    else reader.skip(wideIndex ? length * 2 : length);
  }
}

/** The top bit says essential, the rest is the 1-based index. */
function association(reader: BoxReader, wideIndex: boolean): Association {
  const field = wideIndex ? reader.u16() : reader.u8();
  const top = wideIndex ? 0x8000 : 0x80;
  return { index: field & (top - 1), essential: (field & top) !== 0 };
}
