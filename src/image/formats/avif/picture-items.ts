import { findAlphaItems } from './alpha-items.ts';
import { BoxReader } from './box-reader.ts';
import { type Box, brokenAvif, unsupportedAvif } from './boxes.ts';
import { type ItemEntry, readItemEntries } from './item-entries.ts';
import { type Extent, readItemExtents } from './item-extents.ts';
import { type ItemProperty, readItemProperties } from './item-properties.ts';
import { itemReferences } from './item-references.ts';
import { MAX_ITEMS, type MetaBoxes, readMetaBoxes } from './meta-boxes.ts';

/** A coded picture (`av01`) or a grid of them, with all that is needed to show it. */
export interface PictureItem {
  readonly id: number;
  readonly type: 'av01' | 'grid';
  readonly hidden: boolean;
  readonly properties: readonly ItemProperty[];
  /** Never empty. */
  readonly extents: readonly Extent[];
  /** A grid's tiles, row by row; an item may be there more than once. Empty for a coded picture. */
  readonly tiles: readonly PictureItem[];
}

/** The items that make up the picture: everything else in the file (EXIF, XMP, thumbnails, gain maps) is beside it. */
export interface PictureItems {
  readonly primary: PictureItem;
  /** Transparency: one item for the primary item, or one for every distinct tile of a grid. Empty: opaque. */
  readonly alpha: readonly AlphaPicture[];
  /** Whether colours are multiplied by alpha (reference `prem`). */
  readonly premultiplied: boolean;
}

export interface AlphaPicture {
  readonly item: PictureItem;
  /** The item whose transparency it is. */
  readonly of: number;
}

/**
 * Finds the primary picture, its tiles and its alpha plane in a `meta` box. Memory grows with those items alone, not with
 * what else the box declares.
 * @throws FileError broken_image, unsupported_image
 */
export function readPictureItems(file: Uint8Array, meta: Box): PictureItems {
  const metaBoxes = readMetaBoxes(file, meta);
  const { iref } = metaBoxes;
  const primaryId = readPrimaryId(file, metaBoxes.pitm);
  const primaryTiles = tilesOf(file, iref, primaryId);
  const coloured = new Set([primaryId, ...primaryTiles]);
  const alpha = findAlphaItems(file, metaBoxes, primaryId, coloured);
  const tiles = new Map([[primaryId, primaryTiles]]);
  for (const { id } of alpha) tiles.set(id, alpha.length === 1 ? tilesOf(file, iref, id) : []);
  const items = buildItems(file, metaBoxes, tiles);
  return {
    primary: items(primaryId),
    alpha: alpha.map(({ id, of }) => ({ item: items(id), of })),
    premultiplied: isPremultiplied(file, iref, primaryId, alpha[0]?.id),
  };
}

function readPrimaryId(file: Uint8Array, pitm: Box): number {
  const reader = new BoxReader(file, pitm);
  return reader.fullBox().version === 0 ? reader.u16() : reader.u32();
}

/** What a derived item is made of (reference `dimg`), in order. */
function tilesOf(file: Uint8Array, iref: Box | undefined, parent: number): readonly number[] {
  const [first] = itemReferences(file, iref, 'dimg', parent);
  return first?.to ?? [];
}

function isPremultiplied(file: Uint8Array, iref: Box | undefined, primary: number, alpha: number | undefined): boolean {
  if (alpha === undefined) return false;
  for (const { to } of itemReferences(file, iref, 'prem', primary)) {
    if (to.includes(alpha)) return true;
  }
  return false;
}

/** Gives items by id. `tiles` has every item that may be a grid, with its tiles. */
function buildItems(
  file: Uint8Array,
  { iinf, iprp, iloc, idat }: MetaBoxes,
  tiles: ReadonlyMap<number, readonly number[]>,
): (id: number) => PictureItem {
  const wanted = new Set([...tiles.keys(), ...[...tiles.values()].flat()]);
  if (wanted.size > MAX_ITEMS) throw brokenAvif('it has more parts than is possible');
  const entries = readItemEntries(file, iinf, wanted);
  const properties = readItemProperties(file, iprp, wanted);
  const extents = readItemExtents(file, iloc, idat, wanted);
  const built = new Map<number, PictureItem>();
  const build = (id: number, type: PictureItem['type'], parts: readonly PictureItem[]): PictureItem => {
    const item: PictureItem = {
      id,
      type,
      hidden: entries.get(id)?.hidden === true,
      properties: properties.get(id) ?? [],
      extents: extents.get(id) ?? [],
      tiles: parts,
    };
    if (item.extents.length === 0) throw brokenAvif('its picture data is missing');
    refuseUnknownEssentials(item);
    built.set(id, item);
    return item;
  };
  const tile = (id: number): PictureItem => {
    if (pictureType(entries.get(id)) === 'grid') throw unsupportedAvif('has a grid inside a grid');
    return built.get(id) ?? build(id, 'av01', []);
  };
  return (id) => {
    const type = pictureType(entries.get(id));
    return build(id, type, type === 'grid' ? (tiles.get(id) ?? []).map(tile) : []);
  };
}

function pictureType(entry: ItemEntry | undefined): PictureItem['type'] {
  if (entry === undefined) throw brokenAvif('a part of its picture is missing');
  if (entry.type === 'av01' || entry.type === 'grid') return entry.type;
  if (entry.type === 'hvc1') throw unsupportedAvif('is really a HEIC file');
  throw unsupportedAvif('is composed of other pictures or not coded as AV1');
}

/** Properties that may be marked essential: they are honoured here or by the AV1 decoder. */
const UNDERSTOOD = ['ispe', 'pixi', 'av1C', 'colr', 'auxC', 'pasp', 'clap', 'irot', 'imir', 'a1op', 'lsel', 'a1lx'];

function refuseUnknownEssentials(item: PictureItem): void {
  const unknown = item.properties.some(({ box, essential }) => essential && !UNDERSTOOD.includes(box.type));
  if (unknown) throw unsupportedAvif('can only be shown by programs that know its special properties');
}
