import type { ImageHeader } from '../../header.ts';
import { characters, u32, writeBox } from './box-writer.ts';
import { brokenAvif, fileBoxes } from './boxes.ts';
import { readBrands } from './file-type.ts';
import { readFileBoxes } from './header.ts';
import type { Extent } from './item-extents.ts';
import { type PictureItem, type PictureItems, readPictureItems } from './picture-items.ts';
import { type PlacedItem, writeMeta } from './write-meta.ts';

/**
 * A new file with nothing in it but the picture: primary item, tiles, alpha plane, the properties that decide how they are
 * shown, and their coded data byte for byte. EXIF, XMP, profiles, thumbnails, gain maps, sequences and unknown boxes stay
 * behind.
 * @throws FileError broken_image when items overlap so much that the copy would outgrow the file
 */
export function stripAvifMetadata(file: Uint8Array, _header: ImageHeader): Uint8Array[] {
  const items = readPictureItems(file, readFileBoxes(file).meta);
  const { placed, payload } = placeItems(allItems(items), file.length);
  const ftyp = writeFileType(file);
  const meta = (dataStart: number) => writeMeta(file, items, placed, dataStart);
  const dataStart = ftyp.length + meta(0).length + MDAT_HEADER_BYTES;
  const dataBytes = payload.reduce((sum, { start, end }) => sum + end - start, 0);
  return [
    ftyp,
    meta(dataStart),
    Uint8Array.from([...u32(MDAT_HEADER_BYTES + dataBytes), ...characters('mdat')]),
    ...payload.map(({ start, end }) => file.subarray(start, end)),
  ];
}

const MDAT_HEADER_BYTES = 8;
/** AVIF's own brands; others announce what is no longer there (sequences, gain maps) or say nothing new. */
const KEPT_BRANDS = ['MA1A', 'MA1B'];

function writeFileType(file: Uint8Array): Uint8Array {
  const [ftyp] = fileBoxes(file);
  const profiles = readBrands(file, ftyp).filter((brand) => KEPT_BRANDS.includes(brand));
  const compatible = ['avif', 'mif1', 'miaf', ...new Set(profiles)];
  return writeBox('ftyp', characters('avif'), u32(0), characters(compatible.join('')));
}

/** Every item once: a tile may be in a grid several times and in two grids. */
function allItems({ primary, alpha }: PictureItems): PictureItem[] {
  const items = new Map<number, PictureItem>();
  for (const item of [primary, ...alpha.map((each) => each.item)]) {
    for (const each of [item, ...item.tiles]) items.set(each.id, each);
  }
  return [...items.values()];
}

/**
 * Lays the items' data out in the order that it has in the file, each as one run. Items that share their data go on sharing
 * it. Lengths and offsets are in bytes from the start of the data.
 */
function placeItems(items: readonly PictureItem[], limit: number): { placed: PlacedItem[]; payload: Extent[] } {
  const inFileOrder = items.toSorted((a, b) => a.extents[0]!.start - b.extents[0]!.start);
  const known = new Map<string, { offset: number; length: number }>();
  const payload: Extent[] = [];
  let total = 0;
  const placed = inFileOrder.map((item) => {
    const key = item.extents.map(({ start, end }) => `${start}-${end}`).join();
    const place = known.get(key) ?? { offset: total, length: itemLength(item.extents) };
    if (!known.has(key)) {
      known.set(key, place);
      payload.push(...item.extents);
      total += place.length;
    }
    return { item, ...place };
  });
  if (total > limit) throw brokenAvif('its parts overlap');
  return { placed, payload };
}

function itemLength(extents: readonly Extent[]): number {
  return extents.reduce((sum, { start, end }) => sum + end - start, 0);
}
