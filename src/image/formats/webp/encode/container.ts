const CHUNK_HEADER_BYTES = 8;

/** Start of a WebP file with one lossy picture (RFC 9649 §2.5), up to the bytes of the `VP8 ` chunk. */
export function simpleFileStart(frameBytes: number): Uint8Array {
  const start = new Uint8Array(12 + CHUNK_HEADER_BYTES);
  const view = new DataView(start.buffer);
  fourCc(start, 0, 'RIFF');
  view.setUint32(4, 4 + CHUNK_HEADER_BYTES + frameBytes + (frameBytes & 1), true);
  fourCc(start, 8, 'WEBP');
  fourCc(start, 12, 'VP8 ');
  view.setUint32(16, frameBytes, true);
  return start;
}

/** The uncompressed start of a key frame (RFC 6386 §9.1). */
export function keyFrameStart(size: { readonly width: number; readonly height: number }, firstPartition: number) {
  const start = new Uint8Array(10);
  const view = new DataView(start.buffer);
  // Key frame, version 0, shown.
  const tag = 0x10 | (firstPartition << 5);
  start.set([tag & 255, (tag >> 8) & 255, tag >> 16, 0x9d, 0x01, 0x2a]);
  view.setUint16(6, size.width, true);
  view.setUint16(8, size.height, true);
  return start;
}

function fourCc(bytes: Uint8Array, at: number, name: string): void {
  for (let i = 0; i < 4; i++) bytes[at + i] = name.charCodeAt(i);
}
