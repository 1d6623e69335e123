import { characters, u16, u32, writeBox, writeFullBox } from '../box-writer.ts';
import { codePoints, profileOf, type SequenceParameters } from './sequence-parameters.ts';

/** An item's data in the file: runs of bytes, in order. */
export interface ItemLocation {
  readonly offset: number;
  readonly length: number;
}

/** A coded picture as the container describes it. */
export interface StillItem {
  readonly sequence: SequenceParameters;
  readonly level: number;
  /** The sequence header as a unit, for `av1C`. */
  readonly sequenceHeader: Uint8Array;
  readonly locations: readonly ItemLocation[];
}

const COLOUR_ID = 1;
const ALPHA_ID = 2;
const ALPHA_URN = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha';
/** Levels up to which an item belongs to the profiles of AVIF 1.1 §8: 5.1 for Baseline, 6.0 for Advanced (as seq_level_idx). */
const MAX_LEVEL = { MA1B: 13, MA1A: 16 };

/** `ftyp` of a still picture (AV1 Image File Format 1.1 §6). */
export function writeStillFileType({ sequence, level }: Pick<StillItem, 'sequence' | 'level'>): Uint8Array {
  const profile = profileOf(sequence) === 0 ? 'MA1B' : 'MA1A';
  const brands = ['avif', 'mif1', 'miaf', ...(level <= MAX_LEVEL[profile] ? [profile] : [])];
  return writeBox('ftyp', characters('avif'), u32(0), characters(brands.join('')));
}

/** `meta` of a picture of one item, or of two when it has transparency (ISO/IEC 23008-12 §6, AV1 Image File Format 1.1 §2 and §4). */
export function writeStillMeta(colour: StillItem, alpha: StillItem | undefined): Uint8Array {
  const items = alpha === undefined ? [colour] : [colour, alpha];
  return writeFullBox(
    'meta',
    0,
    0,
    writeFullBox('hdlr', 0, 0, u32(0), characters('pict'), u32(0), u32(0), u32(0), [0]),
    writeFullBox('pitm', 0, 0, u16(COLOUR_ID)),
    writeLocations(items),
    writeEntries(items.length),
    ...(alpha === undefined
      ? []
      : [writeFullBox('iref', 0, 0, writeBox('auxl', u16(ALPHA_ID), u16(1), u16(COLOUR_ID)))]),
    writeProperties(colour, alpha),
  );
}

/** ISO/IEC 14496-12 §8.11.3: 32-bit offsets and lengths. */
function writeLocations(items: readonly StillItem[]): Uint8Array {
  const entries = items.flatMap(({ locations }, index) => [
    ...[...u16(index + 1), ...u16(0), ...u16(locations.length)],
    ...locations.flatMap(({ offset, length }) => [...u32(offset), ...u32(length)]),
  ]);
  return writeFullBox('iloc', 0, 0, [0x44, 0x00], u16(items.length), entries);
}

/** ISO/IEC 14496-12 §8.11.6. */
function writeEntries(count: number): Uint8Array {
  const names = ['Color', 'Alpha'].slice(0, count);
  const entries = names.map((name, index) =>
    writeFullBox('infe', 2, 0, u16(index + 1), u16(0), characters(`av01${name}`), [0]),
  );
  return writeFullBox('iinf', 0, 0, u16(count), ...entries);
}

/** ISO/IEC 23008-12 §9.3; both items share the sides. What a decoder must understand to show the item is essential. */
function writeProperties(colour: StillItem, alpha: StillItem | undefined): Uint8Array {
  const { width, height } = colour.sequence;
  const boxes = [
    writeFullBox('ispe', 0, 0, u32(width), u32(height)),
    writePixelInformation(3),
    writeConfiguration(colour),
    writeColourInformation(),
  ];
  const associations = [[...u16(COLOUR_ID), 4, 1, 2, ESSENTIAL | 3, 4]];
  if (alpha !== undefined) {
    boxes.push(writePixelInformation(1), writeConfiguration(alpha));
    boxes.push(writeFullBox('auxC', 0, 0, characters(ALPHA_URN), [0]));
    associations.push([...u16(ALPHA_ID), 4, 1, 5, ESSENTIAL | 6, 7]);
  }
  const ipma = writeFullBox('ipma', 0, 0, u32(associations.length), associations.flat());
  return writeBox('iprp', writeBox('ipco', ...boxes), ipma);
}

const ESSENTIAL = 0x80;

function writePixelInformation(channels: number): Uint8Array {
  return writeFullBox('pixi', 0, 0, [channels, ...Array.from({ length: channels }, () => 8)]);
}

/** AV1CodecConfigurationBox (AV1 Codec ISO Media File Format Binding 1.2 §2.3). */
function writeConfiguration({ sequence, level, sequenceHeader }: StillItem): Uint8Array {
  const { chroma } = sequence;
  const flags = chroma === 'none' ? 0b1_1100 : chroma === '4:2:0' ? 0b0_1100 : 0; // monochrome, subsampling across, down
  return writeBox('av1C', [0x81, (profileOf(sequence) << 5) | level, flags, 0], sequenceHeader);
}

/** ISO/IEC 14496-12 §12.1.5: code points, full range. */
function writeColourInformation(): Uint8Array {
  const { primaries, transfer, matrix } = codePoints;
  return writeBox('colr', characters('nclx'), u16(primaries), u16(transfer), u16(matrix), [0x80]);
}
