import type { Orientation } from './header.ts';

const ORIENTATION_TAG = 0x0112;
const ENTRY_BYTES = 12;
/** TIFF 6.0 §2, field types: the three unsigned integer types. The standard says SHORT; some writers use the others. */
const BYTE = 1;
const SHORT = 3;
const LONG = 4;

/**
 * Reads the orientation from an EXIF block (CIPA DC-008 §4.6.4 A, a TIFF 6.0 structure), with or without the `Exif\0\0`
 * prefix. Anything broken or out of range is 1: a damaged note about a picture is no reason to refuse the picture.
 */
export function readExifOrientation(exif: Uint8Array): Orientation {
  const tiff = exif.subarray(tiffOffset(exif));
  if (tiff.length < 8) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const order = view.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return 1;
  const little = order === 0x4949;
  if (view.getUint16(2, little) !== 42) return 1;
  return orientationInDirectory(view, view.getUint32(4, little), little);
}

function orientationInDirectory(view: DataView, directory: number, little: boolean): Orientation {
  if (directory + 2 > view.byteLength) return 1;
  const first = directory + 2;
  const declared = view.getUint16(directory, little);
  const entries = Math.min(declared, Math.floor((view.byteLength - first) / ENTRY_BYTES));
  for (let index = 0; index < entries; index++) {
    const entry = first + index * ENTRY_BYTES;
    if (view.getUint16(entry, little) === ORIENTATION_TAG) return asOrientation(entryValue(view, entry, little));
  }
  return 1;
}

function entryValue(view: DataView, entry: number, little: boolean): number {
  if (view.getUint32(entry + 4, little) !== 1) return 1;
  switch (view.getUint16(entry + 2, little)) {
    case BYTE:
      return view.getUint8(entry + 8);
    case SHORT:
      return view.getUint16(entry + 8, little);
    case LONG:
      return view.getUint32(entry + 8, little);
    default:
      return 1;
  }
}

function asOrientation(value: number): Orientation {
  return value >= 1 && value <= 8 ? (value as Orientation) : 1;
}

/** 6 behind the `Exif\0\0` that JPEG demands and some WebP writers add, else 0. */
function tiffOffset(exif: Uint8Array): number {
  const prefix = [0x45, 0x78, 0x69, 0x66, 0x00];
  return prefix.every((byte, index) => exif[index] === byte) ? 6 : 0;
}
