import { crc32 } from 'node:zlib';
import { brokenPng } from './broken-png.ts';

/** The eight bytes that every PNG starts with (third edition, 5.2). */
export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Bytes of a chunk beside its data: length, type, CRC. */
export const CHUNK_OVERHEAD = 12;

/** The letters of IDAT. */
const DATA_TYPE = [0x49, 0x44, 0x41, 0x54];

/** One chunk as it lies in the file (third edition, 5.3). */
export interface Chunk {
  readonly type: string;
  /** Offset of the chunk in the file; its length field is there. */
  readonly start: number;
  readonly data: Uint8Array;
  /** Offset of the first byte after the CRC. */
  readonly end: number;
}

/**
 * The chunk at `start`. Its data is a view of the file, so a declared length allocates nothing.
 * @throws FileError broken_image where the chunk is not whole or its type is not four letters
 */
export function readChunk(file: Uint8Array, start: number): Chunk {
  if (start + CHUNK_OVERHEAD > file.length) throw brokenPng('it ends before the picture does');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const type = chunkType(file, start + 4);
  const end = start + CHUNK_OVERHEAD + view.getUint32(start);
  if (end > file.length) throw brokenPng(`its ${type} chunk runs past the end of the file`);
  return { type, start, data: file.subarray(start + 8, end - 4), end };
}

function chunkType(file: Uint8Array, offset: number): string {
  const letters = file.subarray(offset, offset + 4);
  for (const letter of letters) {
    const upper = letter & ~0x20;
    if (upper < 0x41 || upper > 0x5a) throw brokenPng('something other than a chunk lies between its chunks');
  }
  return String.fromCharCode(...letters);
}

/** Whether a chunk of picture data starts here. What follows the last one cannot break the picture, not even by missing. */
export function isDataAt(file: Uint8Array, start: number): boolean {
  return DATA_TYPE.every((letter, index) => file[start + 4 + index] === letter);
}

/** Whether the chunk's CRC is right; it covers type and data. */
export function isIntact(file: Uint8Array, chunk: Chunk): boolean {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  return crc32(file.subarray(chunk.start + 4, chunk.end - 4)) === view.getUint32(chunk.end - 4);
}

/** Whether a decoder that does not know the chunk must give up: bit 5 of the first letter is clear (5.4). */
export function isCritical(chunk: Chunk): boolean {
  return (chunk.type.charCodeAt(0) & 0x20) === 0;
}

/** A whole chunk around the concatenation of `parts`. */
export function writeChunk(type: string, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const chunk = new Uint8Array(length + CHUNK_OVERHEAD);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, length);
  for (let index = 0; index < 4; index++) chunk[4 + index] = type.charCodeAt(index);
  let at = 8;
  for (const part of parts) {
    chunk.set(part, at);
    at += part.length;
  }
  view.setUint32(at, crc32(chunk.subarray(4, at)));
  return chunk;
}
