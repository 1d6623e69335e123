import { brokenPng } from './broken-png.ts';
import { isDataAt, isIntact, readChunk } from './chunks.ts';

/**
 * The compressed picture data: what the IDAT chunks hold, which is one zlib stream (third edition, clause 10). Their checksums are
 * verified.
 * @throws FileError broken_image
 */
export function* imageData(file: Uint8Array, dataStart: number): Generator<Uint8Array, undefined> {
  for (let start = dataStart; isDataAt(file, start); ) {
    const chunk = readChunk(file, start);
    if (!isIntact(file, chunk)) throw brokenPng('its picture data fails its checksum');
    yield chunk.data;
    start = chunk.end;
  }
}

/** The peak of one deflater in bytes: its window, hash tables and symbol buffer, and the output that the stream holds ready. */
export const DEFLATER_BYTES = 768 * 1024;
