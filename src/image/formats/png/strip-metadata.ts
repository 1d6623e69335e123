import type { ImageHeader } from '../../header.ts';
import { type Chunk, isDataAt, PNG_SIGNATURE, readChunk, writeChunk } from './chunks.ts';
import type { PngHeader } from './header.ts';

/**
 * The same picture without metadata: IHDR, PLTE, tRNS and IDAT as they are, IEND, and nothing behind it. Returns pieces of the
 * file. A tRNS that the header refused (damaged, out of place) is left out, so that all decoders see what ours saw.
 * @throws FileError broken_image where the file ends within the picture
 */
export function stripPngMetadata(file: Uint8Array, header: ImageHeader): Uint8Array[] {
  const { transparency, dataStart } = (header as PngHeader).detail;
  const pieces = [file.subarray(0, PNG_SIGNATURE.length)];
  let at = PNG_SIGNATURE.length;
  while (at < dataStart || isDataAt(file, at)) {
    const chunk = readChunk(file, at);
    if (isKept(chunk, transparency)) pieces.push(file.subarray(chunk.start, chunk.end));
    at = chunk.end;
  }
  pieces.push(writeChunk('IEND'));
  return joinNeighbours(file, pieces);
}

function isKept(chunk: Chunk, transparency: Uint8Array | undefined): boolean {
  if (chunk.type === 'tRNS') {
    return transparency?.length === chunk.data.length && transparency.every((byte, at) => byte === chunk.data[at]);
  }
  return chunk.type === 'IHDR' || chunk.type === 'PLTE' || chunk.type === 'IDAT';
}

/** Makes one piece of those that touch: a picture can have a million chunks. */
function joinNeighbours(file: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const touches = last?.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset;
    if (!last || !touches) joined.push(piece);
    else {
      const start = last.byteOffset - file.byteOffset;
      joined[joined.length - 1] = file.subarray(start, start + last.length + piece.length);
    }
  }
  return joined;
}
