import { BoxReader } from './box-reader.ts';
import { characters, u16, u32, writeBox, writeFullBox } from './box-writer.ts';
import type { Box } from './boxes.ts';
import type { ItemProperty } from './item-properties.ts';
import type { PictureItem, PictureItems } from './picture-items.ts';

/** An item and where its bytes are, counted from the start of the coded data. */
export interface PlacedItem {
  readonly item: PictureItem;
  readonly offset: number;
  readonly length: number;
}

/** Writes the `meta` box of a picture whose coded data starts at `dataStart` in its new file. Ids stay as they were. */
export function writeMeta(
  file: Uint8Array,
  items: PictureItems,
  placed: readonly PlacedItem[],
  dataStart: number,
): Uint8Array {
  const wide = placed.some(({ item }) => item.id > 0xffff);
  const id = wide ? u32 : u16;
  const version = wide ? 1 : 0;
  return writeFullBox(
    'meta',
    0,
    0,
    writeFullBox('hdlr', 0, 0, u32(0), characters('pict'), u32(0), u32(0), u32(0), [0]),
    writeFullBox('pitm', version, 0, id(items.primary.id)),
    writeLocations(placed, dataStart, wide),
    writeEntries(placed, wide),
    ...writeReferences(items, version, id),
    writeProperties(file, placed, version, id),
  );
}

/** ISO/IEC 14496-12 §8.11.3: 32-bit offsets and lengths, one extent an item. Version 2 is the one with 32-bit ids. */
function writeLocations(placed: readonly PlacedItem[], dataStart: number, wide: boolean): Uint8Array {
  const entries = placed.flatMap(({ item, offset, length }) => [
    ...(wide ? [...u32(item.id), ...u16(0)] : u16(item.id)),
    ...u16(0),
    ...u16(1),
    ...u32(dataStart + offset),
    ...u32(length),
  ]);
  return writeFullBox('iloc', wide ? 2 : 0, 0, [0x44, 0x00], wide ? u32(placed.length) : u16(placed.length), entries);
}

/** ISO/IEC 14496-12 §8.11.6, without names. */
function writeEntries(placed: readonly PlacedItem[], wide: boolean): Uint8Array {
  const entries = placed.map(({ item }) => {
    const id = wide ? u32(item.id) : u16(item.id);
    return writeFullBox('infe', wide ? 3 : 2, item.hidden ? 1 : 0, id, u16(0), characters(item.type), [0]);
  });
  return writeFullBox('iinf', wide ? 1 : 0, 0, wide ? u32(placed.length) : u16(placed.length), ...entries);
}

/** ISO/IEC 14496-12 §8.11.12: grids to tiles, alpha to what it belongs to. No box when there are none. */
function writeReferences(
  { primary, alpha, premultiplied }: PictureItems,
  version: number,
  id: (value: number) => number[],
): Uint8Array[] {
  const reference = (type: string, from: number, to: readonly number[]) =>
    writeBox(type, id(from), u16(to.length), to.flatMap(id));
  const grids = [primary, ...alpha.map(({ item }) => item)].filter(({ type }) => type === 'grid');
  const references = [
    ...grids.map((grid) =>
      reference(
        'dimg',
        grid.id,
        grid.tiles.map((tile) => tile.id),
      ),
    ),
    ...alpha.map(({ item, of }) => reference('auxl', item.id, [of])),
    ...(premultiplied ? [reference('prem', primary.id, [alpha[0]!.item.id])] : []),
  ];
  return references.length === 0 ? [] : [writeFullBox('iref', version, 0, ...references)];
}

/** Properties that decide how an item is decoded and shown. */
const KEPT = [
  ...['ispe', 'pixi', 'av1C', 'auxC', 'pasp', 'clap', 'irot', 'imir', 'a1op', 'lsel', 'a1lx'],
  ...['clli', 'mdcv', 'cclv', 'amve'],
];

/** ISO/IEC 23008-12 §9.3. Items that share a property go on sharing it. */
function writeProperties(
  file: Uint8Array,
  placed: readonly PlacedItem[],
  version: number,
  id: (value: number) => number[],
): Uint8Array {
  const numbers = new Map<number, number>();
  const kept: Uint8Array[] = [];
  const numberOf = (box: Box): number => {
    const known = numbers.get(box.start);
    if (known !== undefined) return known;
    kept.push(file.subarray(box.start, box.end));
    numbers.set(box.start, kept.length);
    return kept.length;
  };
  const associated = placed
    .toSorted((a, b) => a.item.id - b.item.id)
    .map(({ item }) => ({
      id: item.id,
      properties: item.properties
        .filter((property) => isKept(file, property))
        .slice(0, 255)
        .map(({ box, essential }) => ({ number: numberOf(box), essential })),
    }));
  const wide = kept.length > 0x7f;
  const entries = associated.flatMap(({ id: item, properties }) => [
    ...id(item),
    properties.length,
    ...properties.flatMap(({ number, essential }) =>
      wide ? u16(number | (essential ? 0x8000 : 0)) : [number | (essential ? 0x80 : 0)],
    ),
  ]);
  const ipma = writeFullBox('ipma', version, wide ? 1 : 0, u32(placed.length), entries);
  return writeBox('iprp', writeBox('ipco', ...kept), ipma);
}

/** Of colour information the code points stay and profiles go. */
function isKept(file: Uint8Array, { box }: ItemProperty): boolean {
  if (box.type !== 'colr') return KEPT.includes(box.type);
  return new BoxReader(file, box).fourCc() === 'nclx';
}
