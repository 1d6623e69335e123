import { FileError } from '../../../errors.ts';
import type { ImageHeader } from '../../header.ts';
import { readAv1SequenceHeader } from './av1-sequence-header.ts';
import { BoxReader } from './box-reader.ts';
import { type Box, brokenAvif, fileBoxes, unsupportedAvif } from './boxes.ts';
import { type CropRectangle, readCleanAperture } from './clean-aperture.ts';
import { countCodedFrames } from './coded-frames.ts';
import { readColourProfile } from './colour-information.ts';
import { readBrands } from './file-type.ts';
import { readGrid } from './grid.ts';
import { itemHead } from './item-bytes.ts';
import { propertyOf } from './item-properties.ts';
import { type AlphaPicture, type PictureItem, readPictureItems } from './picture-items.ts';
import { hasSeveralFrames } from './sequence-track.ts';
import { readTransformation } from './transformation.ts';

/** What the AVIF decoder remembers of the header. */
export interface AvifDetail {
  /** Pixels that the decoder puts out, before the crop. */
  readonly coded: { readonly width: number; readonly height: number };
  /** The clean aperture, when the picture is smaller than what is coded. */
  readonly crop?: CropRectangle;
  /** A picture in tiles; the sides are those of one tile. */
  readonly grid?: { readonly rows: number; readonly columns: number; readonly width: number; readonly height: number };
  /** How often chroma is sampled; 400: there is none. */
  readonly subsampling: '400' | '420' | '422' | '444';
  /** Bytes of the file that hold transparency. Only where there is some. */
  readonly alphaBytes?: number;
}

/** AVIF's header: `detail` is always an `AvifDetail`. */
export interface AvifHeader extends ImageHeader {
  readonly detail: AvifDetail;
}

/**
 * Reads an AVIF header (AV1 Image File Format 1.1 over HEIF, ISO/IEC 23008-12, and MIAF, ISO/IEC 23000-22) and checks that
 * the bytes of every item of the picture are there. Gain maps, thumbnails and metadata items are not looked at.
 * @throws FileError broken_image, unsupported_image, animated_image (a sequence without a still picture)
 */
export function readAvifHeader(file: Uint8Array): AvifHeader {
  const { meta, animated } = readFileBoxes(file);
  const { primary, alpha } = readPictureItems(file, meta);
  const size = pictureSize(file, primary);
  for (const { item } of alpha) checkAlphaSize(size.coded, pictureSize(file, item).coded);
  const { properties } = primary;
  const av1C = readAv1Configuration(file, primary);
  const clap = propertyOf(properties, 'clap');
  const crop = clap && readCleanAperture(file, clap, size.coded.width, size.coded.height);
  const profile = readColourProfile(file, properties, sequenceHeaderOf(file, primary.tiles[0] ?? primary));
  return {
    format: 'avif',
    width: crop?.width ?? size.coded.width,
    height: crop?.height ?? size.coded.height,
    orientation: readTransformation(file, properties),
    alpha: alpha.length > 0,
    bitDepth: av1C.bitDepth,
    model: av1C.subsampling === '400' ? 'grey' : 'rgb',
    animated,
    ...(profile && { profile }),
    detail: {
      ...size,
      ...(crop && { crop }),
      subsampling: av1C.subsampling,
      ...(alpha.length > 0 && { alphaBytes: bytesOf(alpha) }),
    },
  };
}

/** The `meta` box of a file whose first box is `ftyp`, and whether a sequence is meant. @throws FileError */
export function readFileBoxes(file: Uint8Array): { readonly meta: Box; readonly animated: boolean } {
  const first = new Map<string, Box>();
  let brands: string[] | undefined;
  for (const box of fileBoxes(file)) {
    brands ??= readBrands(file, box);
    if (!first.has(box.type)) first.set(box.type, box);
  }
  const meta = first.get('meta');
  const moov = first.get('moov');
  const animated = brands?.includes('avis') === true && moov !== undefined && hasSeveralFrames(file, moov);
  if (meta !== undefined) return { meta, animated };
  if (animated) throw new FileError('animated_image', 'Animated AVIF is not supported yet. Send a still picture.');
  throw brokenAvif('it has no picture in it');
}

interface PictureSize {
  readonly coded: { readonly width: number; readonly height: number };
  readonly grid?: { readonly rows: number; readonly columns: number; readonly width: number; readonly height: number };
}

/** The declared sides, checked against the grid and against the coded data, so that plans may rely on them. */
function pictureSize(file: Uint8Array, item: PictureItem): PictureSize {
  const coded = declaredSize(file, item);
  if (item.type === 'av01') {
    checkCodedSize(file, item, coded);
    return { coded };
  }
  const { rows, columns, width, height } = readGrid(file, item);
  const tile = declaredSize(file, item.tiles[0]!);
  for (const each of new Set(item.tiles)) {
    const { width: tileWidth, height: tileHeight } = declaredSize(file, each);
    if (tileWidth !== tile.width || tileHeight !== tile.height) throw brokenAvif('its tiles differ in size');
    checkCodedSize(file, each, tile);
  }
  const covers = tile.width * columns >= width && tile.height * rows >= height;
  const noneSpare = tile.width * (columns - 1) < width && tile.height * (rows - 1) < height;
  if (!covers || !noneSpare || width !== coded.width || height !== coded.height) {
    throw brokenAvif('its tiles do not make up the picture');
  }
  return { coded, grid: { rows, columns, ...tile } };
}

/** A plan counts on an alpha plane that is not larger than the picture; one that is smaller is the decoder's to judge. */
function checkAlphaSize(picture: PictureSize['coded'], alpha: PictureSize['coded']): void {
  if (alpha.width > picture.width || alpha.height > picture.height) {
    throw brokenAvif('its transparency is larger than its picture');
  }
}

/** `ispe` (ISO/IEC 23008-12 §6.5.3): every picture item must have one. */
function declaredSize(file: Uint8Array, item: PictureItem): { width: number; height: number } {
  const ispe = propertyOf(item.properties, 'ispe');
  if (ispe === undefined) throw brokenAvif('the size of its picture or of its transparency is missing');
  const reader = new BoxReader(file, ispe);
  reader.skip(4);
  const width = reader.u32();
  const height = reader.u32();
  if (width === 0 || height === 0) throw brokenAvif('its width or height is 0');
  return { width, height };
}

/**
 * Frames of one item at the most: a picture in layers has up to four (AV1 Image File Format §2.3.2), each of which may take a hidden
 * frame. Decoders decode all that there are, so a file of 20 MB could keep one busy for hours.
 */
const MAX_FRAMES = 8;

/** A file that declares less than it decodes to would break the memory plan, or take far more time than its size says. */
function checkCodedSize(file: Uint8Array, item: PictureItem, size: { width: number; height: number }): void {
  const sequence = sequenceHeaderOf(file, item);
  if (sequence !== undefined && (sequence.width > size.width || sequence.height > size.height)) {
    throw brokenAvif('its picture is larger than it declares');
  }
  if (countCodedFrames(file, item.extents, MAX_FRAMES + 1) > MAX_FRAMES) {
    throw unsupportedAvif('codes its picture in more frames than a still picture has');
  }
}

/** MIAF demands it in front of the coded data; the copy in `av1C` is optional. */
function sequenceHeaderOf(file: Uint8Array, item: PictureItem) {
  return readAv1SequenceHeader(itemHead(file, item.extents, 128));
}

/** `av1C` (AV1 in ISOBMFF §2.3) of the item or of its first tile. */
function readAv1Configuration(file: Uint8Array, item: PictureItem) {
  const av1C = propertyOf(item.properties, 'av1C') ?? propertyOf(item.tiles[0]?.properties ?? [], 'av1C');
  if (av1C === undefined) throw brokenAvif('the configuration of its AV1 data is missing');
  const reader = new BoxReader(file, av1C);
  if (reader.u8() !== 0x81) throw unsupportedAvif('has a newer AV1 configuration');
  reader.skip(1);
  const bits = reader.u8();
  const bitDepth = (bits & 0x40) === 0 ? 8 : (bits & 0x20) === 0 ? 10 : 12;
  return { bitDepth, subsampling: subsampling(bits) };
}

function subsampling(bits: number): AvifDetail['subsampling'] {
  if ((bits & 0x10) !== 0) return '400';
  if ((bits & 0x08) === 0) return '444';
  return (bits & 0x04) === 0 ? '422' : '420';
}

function bytesOf(alpha: readonly AlphaPicture[]): number {
  const items = new Set(alpha.flatMap(({ item }) => [item, ...item.tiles]));
  return [...items].flatMap(({ extents }) => extents).reduce((sum, { start, end }) => sum + end - start, 0);
}
