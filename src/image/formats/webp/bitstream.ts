import { brokenWebp, type Chunk, uint24, uint32 } from './chunks.ts';

/** What the first bytes of a VP8 or VP8L bitstream say. */
export interface BitstreamHeader {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** VP8L's own alpha hint; always false for VP8, whose alpha is in an ALPH chunk. */
  readonly alpha: boolean;
  /** Bytes of VP8's first partition, which is all but the coefficients; 0 for VP8L, which has none. */
  readonly firstPartition: number;
}

/** Bytes of a VP8 frame's tag, start code and sides; the first partition follows. */
export const VP8_HEADER_BYTES = 10;

/** Reads the frame header of a `VP8 ` chunk: RFC 6386 §9.1. @throws FileError broken_image */
export function readVp8Header(file: Uint8Array, chunk: Chunk): BitstreamHeader {
  const at = chunk.dataStart;
  if (chunk.end - at < VP8_HEADER_BYTES) throw brokenWebp('its picture data is cut short');
  const tag = uint24(file, at);
  const keyFrame = (tag & 1) === 0;
  const version = (tag >> 1) & 7;
  const shown = ((tag >> 4) & 1) === 1;
  const firstPartition = tag >> 5;
  const startCode = file[at + 3] === 0x9d && file[at + 4] === 0x01 && file[at + 5] === 0x2a;
  if (!keyFrame || version > 3 || !shown || !startCode) throw brokenWebp('its picture data does not start a picture');
  if (firstPartition > chunk.end - at - VP8_HEADER_BYTES) throw brokenWebp('its picture data is cut short');
  // The two bits above each 14-bit side are an upscaling hint that decoders of pictures ignore.
  const width = (file[at + 6]! | (file[at + 7]! << 8)) & 0x3fff;
  const height = (file[at + 8]! | (file[at + 9]! << 8)) & 0x3fff;
  if (width === 0 || height === 0) throw brokenWebp('its width or height is 0');
  return { width, height, alpha: false, firstPartition };
}

/** Bytes of a VP8L bitstream's signature and sides. */
export const VP8L_HEADER_BYTES = 5;

/** Reads the header of a `VP8L` chunk: RFC 9649 §3.4. @throws FileError broken_image */
export function readVp8lHeader(file: Uint8Array, chunk: Chunk): BitstreamHeader {
  const at = chunk.dataStart;
  if (chunk.end - at < VP8L_HEADER_BYTES) throw brokenWebp('its picture data is cut short');
  const bits = uint32(file, at + 1);
  const version = bits >>> 29;
  if (file[at] !== 0x2f || version !== 0) throw brokenWebp('its picture data does not start a picture');
  return {
    width: (bits & 0x3fff) + 1,
    height: ((bits >>> 14) & 0x3fff) + 1,
    alpha: ((bits >>> 28) & 1) === 1,
    firstPartition: 0,
  };
}
