import { joinBytes } from '../../../join-bytes.ts';
import { vp8xFlag } from '../header.ts';

const CHUNK_HEADER_BYTES = 8;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Start of a WebP file with one lossy picture (RFC 9649 §2.5). */
export function simpleFileStart(frameBytes: number): Uint8Array {
  return joinBytes([riffHeader(chunkBytes(frameBytes)), chunkStart('VP8 ', frameBytes)]);
}

/** Start of a WebP file with an alpha plane (§2.7), up to the bytes of its `ALPH` chunk. */
export function extendedFileStart(size: Size, alphaBytes: number, frameBytes: number): Uint8Array {
  const canvas = new Uint8Array(10);
  canvas[0] = vp8xFlag.alpha;
  const view = new DataView(canvas.buffer);
  view.setUint16(4, size.width - 1, true);
  view.setUint16(7, size.height - 1, true);
  const body = chunkBytes(canvas.length) + chunkBytes(alphaBytes) + chunkBytes(frameBytes);
  return joinBytes([riffHeader(body), chunkStart('VP8X', canvas.length), canvas, chunkStart('ALPH', alphaBytes)]);
}

/** FourCC and size of a chunk (§2.3). */
export function chunkStart(id: string, payloadBytes: number): Uint8Array {
  const start = new Uint8Array(CHUNK_HEADER_BYTES);
  start.set(new TextEncoder().encode(id));
  new DataView(start.buffer).setUint32(4, payloadBytes, true);
  return start;
}

/** Bytes of a chunk with its padding. */
function chunkBytes(payloadBytes: number): number {
  return CHUNK_HEADER_BYTES + payloadBytes + (payloadBytes & 1);
}

function riffHeader(bodyBytes: number): Uint8Array {
  return joinBytes([chunkStart('RIFF', 4 + bodyBytes), new TextEncoder().encode('WEBP')]);
}

/** The uncompressed start of a key frame (RFC 6386 §9.1). */
export function keyFrameStart(size: Size, firstPartition: number): Uint8Array {
  const start = new Uint8Array(10);
  const view = new DataView(start.buffer);
  // Key frame, version 0, shown.
  const tag = 0x10 | (firstPartition << 5);
  start.set([tag & 255, (tag >> 8) & 255, tag >> 16, 0x9d, 0x01, 0x2a]);
  view.setUint16(6, size.width, true);
  view.setUint16(8, size.height, true);
  return start;
}
