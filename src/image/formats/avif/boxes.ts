import { FileError } from '../../../errors.ts';

/** One box of an ISO base media file (ISO/IEC 14496-12 §4.2). Offsets are in the file, in bytes. */
export interface Box {
  readonly type: string;
  readonly start: number;
  /** Behind size, type and a 64-bit size; a full box's version and flags are the first four bytes of its data. */
  readonly dataStart: number;
  readonly end: number;
}

const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;
/** Boxes in one container: more than twice as many as the largest grid with transparency has. To walk them takes a tenth of a second. */
const MAX_BOXES = 150_000;

/**
 * Walks the boxes between two offsets. A rest too short for a box header ends the walk; size 0 means up to the end.
 * @throws FileError broken_image when a box is longer than its container
 */
export function* boxes(file: Uint8Array, from: number, to: number): Generator<Box, void, undefined> {
  let count = 0;
  for (let start = from; start + HEADER_BYTES <= to; ) {
    if (++count > MAX_BOXES) throw brokenAvif('it has more boxes than is possible');
    const box = boxAt(file, start, to);
    if (box.end > to) throw brokenAvif('one of its boxes is longer than what contains it');
    yield box;
    start = box.end;
  }
}

/**
 * Walks the boxes of the file itself. A last box that is cut short is yielded as far as it goes when it only holds coded
 * data: whether the part that counts is there is known when the items are located.
 * @throws FileError broken_image when a box with structure in it is cut short
 */
export function* fileBoxes(file: Uint8Array): Generator<Box, void, undefined> {
  for (let start = 0; start + HEADER_BYTES <= file.length; ) {
    const box = boxAt(file, start, file.length);
    const complete = box.end <= file.length;
    if (!complete && STRUCTURE.includes(box.type)) throw brokenAvif('it is cut short');
    yield complete ? box : { ...box, end: file.length };
    start = box.end;
  }
}

const STRUCTURE = ['ftyp', 'meta', 'moov'];

/** The boxes inside a box, from `skip` bytes behind the start of its data (4 for a full box). @throws FileError broken_image */
export function children(file: Uint8Array, box: Box, skip = 0): Generator<Box, void, undefined> {
  return boxes(file, box.dataStart + skip, box.end);
}

/** The first box of a type inside a box. @throws FileError broken_image */
export function child(file: Uint8Array, box: Box | undefined, type: string, skip = 0): Box | undefined {
  if (box === undefined) return undefined;
  for (const inner of children(file, box, skip)) {
    if (inner.type === type) return inner;
  }
  return undefined;
}

function boxAt(file: Uint8Array, start: number, to: number): Box {
  const type = fourCc(file, start + 4);
  const size = uint32(file, start);
  if (size === 0) return { type, start, dataStart: start + HEADER_BYTES, end: to };
  if (size !== 1) return sized(type, start, HEADER_BYTES, size);
  if (start + LARGE_HEADER_BYTES > to) throw brokenAvif('it is cut short');
  const large = uint32(file, start + 8) * 2 ** 32 + uint32(file, start + 12);
  return sized(type, start, LARGE_HEADER_BYTES, large);
}

function sized(type: string, start: number, headerBytes: number, size: number): Box {
  if (size < headerBytes) throw brokenAvif('one of its boxes has an impossible size');
  return { type, start, dataStart: start + headerBytes, end: start + size };
}

/** Big-endian, as everything in the container; the caller has checked the bounds. */
export function uint32(file: Uint8Array, at: number): number {
  return ((file[at]! << 24) | (file[at + 1]! << 16) | (file[at + 2]! << 8) | file[at + 3]!) >>> 0;
}

/** Four characters; the caller has checked the bounds. */
export function fourCc(file: Uint8Array, at: number): string {
  return String.fromCharCode(file[at]!, file[at + 1]!, file[at + 2]!, file[at + 3]!);
}

export function brokenAvif(what: string): FileError {
  return new FileError('broken_image', `The AVIF file is damaged: ${what}. Export or upload it again.`);
}

export function unsupportedAvif(what: string): FileError {
  return new FileError(
    'unsupported_image',
    `This AVIF file ${what}, which is not supported. Save it as an ordinary still AVIF, JPEG, PNG or WebP.`,
  );
}
