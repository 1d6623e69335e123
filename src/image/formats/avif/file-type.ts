import { characters } from './box-writer.ts';
import { type Box, brokenAvif, fileBoxes, fourCc, uint32 } from './boxes.ts';

/** Brands of AVIF itself (AV1 Image File Format §6): stills and sequences. */
const AVIF_BRANDS = ['avif', 'avis'];
/** Brands of the container, which other codecs share (ISO/IEC 23008-12 §10, ISO/IEC 23000-22 §8). */
const CONTAINER_BRANDS = ['mif1', 'mif2', 'miaf', 'msf1'];
/** Brands that say that the pictures inside are of another codec. */
const OTHER_CODECS = [
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'hevm',
  'hevs',
  'avci',
  'avcs',
  'jpeg',
  'j2ki',
  'vvic',
];

/**
 * Whether the bytes start with a file type box of an AVIF file. A file with container brands alone may be one: its
 * primary item decides.
 */
export function sniffAvif(start: Uint8Array): boolean {
  if (start.length < 16 || fourCc(start, 4) !== 'ftyp') return false;
  const brands = brandsBetween(start, 8, Math.min(uint32(start, 0), start.length));
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return true;
  if (brands.some((brand) => OTHER_CODECS.includes(brand))) return false;
  return brands.some((brand) => CONTAINER_BRANDS.includes(brand));
}

/** The major brand and the compatible ones (ISO/IEC 14496-12 §4.3). @throws FileError broken_image */
export function readBrands(file: Uint8Array, ftyp: Box | undefined): string[] {
  if (ftyp?.type !== 'ftyp') throw brokenAvif('it does not start with an AVIF signature');
  return brandsBetween(file, ftyp.dataStart, ftyp.end);
}

/**
 * Makes a file one that is shown as a still picture. Of a file whose major brand says that it is a sequence, libavif would decode
 * the first frame, which need not be the picture that its header describes.
 */
export function showAsStill(file: Uint8Array): void {
  const [ftyp] = fileBoxes(file);
  if (ftyp?.type === 'ftyp' && ftyp.end - ftyp.dataStart >= 4) file.set(characters('avif'), ftyp.dataStart);
}

/** The second word is the minor version. Files list about ten brands; more than 256 are not looked at. */
function brandsBetween(file: Uint8Array, from: number, to: number): string[] {
  const brands: string[] = [];
  for (let at = from; at + 4 <= to && brands.length < 256; at += 4) {
    if (at !== from + 4) brands.push(fourCc(file, at));
  }
  return brands;
}
