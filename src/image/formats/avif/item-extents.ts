import { BoxReader } from './box-reader.ts';
import { type Box, brokenAvif, unsupportedAvif } from './boxes.ts';

/** A run of an item's bytes. Offsets are in the file, whether the bytes are in `mdat` or in `idat`. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Encoders write one extent, or one a layer; this many in all is far beyond any of them and still little memory. */
const MAX_EXTENTS = 262_144;

/**
 * Reads where the wanted items' bytes are (ISO/IEC 14496-12 §8.11.3), each run checked to be inside the file.
 * @throws FileError broken_image, unsupported_image
 */
export function readItemExtents(
  file: Uint8Array,
  iloc: Box,
  idat: Box | undefined,
  wanted: ReadonlySet<number>,
): Map<number, Extent[]> {
  const reader = new BoxReader(file, iloc);
  const sizes = readFieldSizes(reader);
  const located = new Map<number, Extent[]>();
  const count = sizes.version < 2 ? reader.u16() : reader.u32();
  let budget = MAX_EXTENTS;
  for (let index = 0; index < count; index++) {
    const entry = readLocation(reader, sizes);
    if (!wanted.has(entry.id) || located.has(entry.id)) {
      reader.skip(entry.extentCount * (sizes.index + sizes.offset + sizes.length));
      continue;
    }
    budget -= entry.extentCount;
    if (budget < 0) throw brokenAvif('its data is in more pieces than is possible');
    located.set(entry.id, readExtents(reader, sizes, entry, sourceOf(file, idat, entry)));
  }
  return located;
}

interface FieldSizes {
  readonly version: number;
  readonly offset: number;
  readonly length: number;
  readonly base: number;
  readonly index: number;
}

function readFieldSizes(reader: BoxReader): FieldSizes {
  const { version } = reader.fullBox();
  if (version > 2) throw unsupportedAvif('has a newer item location box');
  const high = reader.u8();
  const low = reader.u8();
  return { version, offset: high >> 4, length: high & 15, base: low >> 4, index: version === 0 ? 0 : low & 15 };
}

interface Location {
  readonly id: number;
  readonly constructionMethod: number;
  readonly dataReference: number;
  readonly base: number;
  readonly extentCount: number;
}

function readLocation(reader: BoxReader, sizes: FieldSizes): Location {
  return {
    id: sizes.version < 2 ? reader.u16() : reader.u32(),
    constructionMethod: sizes.version === 0 ? 0 : reader.u16() & 15,
    dataReference: reader.u16(),
    base: reader.sized(sizes.base),
    extentCount: reader.u16(),
  };
}

/** What offsets count from and where the source ends. */
function sourceOf(file: Uint8Array, idat: Box | undefined, entry: Location): Extent {
  if (entry.dataReference !== 0) throw unsupportedAvif('keeps its picture in another file');
  if (entry.constructionMethod === 0) return { start: 0, end: file.length };
  if (entry.constructionMethod !== 1) throw unsupportedAvif('makes its picture data out of other items');
  if (idat === undefined) throw brokenAvif('its picture data is missing');
  return { start: idat.dataStart, end: idat.end };
}

function readExtents(reader: BoxReader, sizes: FieldSizes, entry: Location, source: Extent): Extent[] {
  const extents: Extent[] = [];
  for (let index = 0; index < entry.extentCount; index++) {
    reader.skip(sizes.index);
    const start = source.start + entry.base + reader.sized(sizes.offset);
    const end = start + reader.sized(sizes.length);
    if (end > source.end) throw brokenAvif('it is cut short');
    if (end > start) extents.push({ start, end });
  }
  return extents;
}
