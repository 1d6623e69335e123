import { FileError } from '../../../errors.ts';

/** One RIFF chunk (RFC 9649 §2.3). Offsets are in the file, in bytes; `dataStart`–`end` is the payload without padding. */
export interface Chunk {
  readonly id: string;
  /** Of the FourCC. */
  readonly start: number;
  readonly dataStart: number;
  readonly end: number;
}

/** Bytes of `RIFF`, the size and `WEBP` (RFC 9649 §2.4). */
export const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Far more than any file has: to walk more would take long. */
const MAX_CHUNKS = 100_000;

/** Whether the bytes start with a WebP file header. */
export function isWebp(file: Uint8Array): boolean {
  return file.length >= RIFF_HEADER_BYTES && fourCc(file, 0) === 'RIFF' && fourCc(file, 8) === 'WEBP';
}

/**
 * Walks the chunks of a WebP file up to the end that RIFF declares; what follows is not looked at.
 * @throws FileError broken_image when the file is no WebP or shorter than it declares, or a chunk does not fit
 */
export function* webpChunks(file: Uint8Array): Generator<Chunk, void, undefined> {
  if (!isWebp(file)) throw brokenWebp('it does not start with a WebP signature');
  const end = CHUNK_HEADER_BYTES + uint32(file, 4);
  if (end < RIFF_HEADER_BYTES) throw brokenWebp('its declared size is impossible');
  if (end > file.length) throw brokenWebp('it is cut short');
  yield* chunksBetween(file, RIFF_HEADER_BYTES, end);
}

/** Walks the chunks between two offsets. A rest too short for a chunk header ends the walk. @throws FileError broken_image */
export function* chunksBetween(file: Uint8Array, from: number, to: number): Generator<Chunk, void, undefined> {
  let count = 0;
  for (let start = from; start + CHUNK_HEADER_BYTES <= to; ) {
    if (++count > MAX_CHUNKS) throw brokenWebp(`it has more than ${MAX_CHUNKS} parts`);
    const dataStart = start + CHUNK_HEADER_BYTES;
    const end = dataStart + uint32(file, start + 4);
    if (end > to) throw brokenWebp('one of its parts is longer than the file');
    yield { id: fourCc(file, start), start, dataStart, end };
    start = end + ((end - dataStart) & 1);
  }
}

/** Little-endian, as everything in WebP. The caller has checked the bounds. */
export function uint32(file: Uint8Array, at: number): number {
  return (file[at]! | (file[at + 1]! << 8) | (file[at + 2]! << 16) | (file[at + 3]! << 24)) >>> 0;
}

export function uint24(file: Uint8Array, at: number): number {
  return file[at]! | (file[at + 1]! << 8) | (file[at + 2]! << 16);
}

function fourCc(file: Uint8Array, at: number): string {
  return String.fromCharCode(file[at]!, file[at + 1]!, file[at + 2]!, file[at + 3]!);
}

export function brokenWebp(what: string): FileError {
  return new FileError('broken_image', `The WebP file is damaged: ${what}. Export or upload it again.`);
}
