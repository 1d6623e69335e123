import type { ImageHeader } from '../../header.ts';
import { type Chunk, RIFF_HEADER_BYTES, webpChunks } from './chunks.ts';
import { vp8xFlag, type WebpHeader } from './header.ts';

/**
 * The same bitstream without profile, EXIF, XMP, unknown chunks and trailing bytes: a simple file where the picture is one
 * chunk, an extended one (RFC 9649 §2.7) where there is an alpha plane or an animation.
 */
export function stripWebpMetadata(file: Uint8Array, header: ImageHeader): Uint8Array[] {
  const chunks = (header as WebpHeader).animated ? animationChunks(file) : stillChunks(header as WebpHeader);
  const body = chunks.flatMap((chunk) => padded(file, chunk));
  if (chunks.length > 1) body.unshift(vp8x(header));
  const bytes = body.reduce((sum, piece) => sum + piece.length, 0);
  return [riffHeader(bytes), ...body];
}

function stillChunks({ detail }: WebpHeader): Chunk[] {
  return detail.alphaPlane === undefined ? [detail.image] : [detail.alphaPlane, detail.image];
}

function animationChunks(file: Uint8Array): Chunk[] {
  return [...webpChunks(file)].filter(({ id }) => id === 'ANIM' || id === 'ANMF');
}

/** The chunk as it is, with its padding byte made zero, or made up where the file ends without it. */
function padded(file: Uint8Array, { start, dataStart, end }: Chunk): Uint8Array[] {
  const chunk = file.subarray(start, end);
  return (end - dataStart) & 1 ? [chunk, new Uint8Array(1)] : [chunk];
}

function vp8x({ width, height, alpha, animated }: ImageHeader): Uint8Array {
  const chunk = new Uint8Array(18);
  const view = new DataView(chunk.buffer);
  chunk.set(new TextEncoder().encode('VP8X'));
  view.setUint32(4, 10, true);
  chunk[8] = (alpha ? vp8xFlag.alpha : 0) | (animated ? vp8xFlag.animation : 0);
  // Two 24-bit numbers; the first one's top byte is overwritten by the second.
  view.setUint32(12, width - 1, true);
  view.setUint16(15, (height - 1) & 0xffff, true);
  chunk[17] = (height - 1) >> 16;
  return chunk;
}

function riffHeader(bodyBytes: number): Uint8Array {
  const header = new Uint8Array(RIFF_HEADER_BYTES);
  header.set(new TextEncoder().encode('RIFF'));
  new DataView(header.buffer).setUint32(4, bodyBytes + 4, true);
  header.set(new TextEncoder().encode('WEBP'), 8);
  return header;
}
