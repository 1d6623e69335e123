import { readExifOrientation } from '../../exif.ts';
import type { ImageHeader } from '../../header.ts';
import { type BitstreamHeader, readVp8Header, readVp8lHeader } from './bitstream.ts';
import { brokenWebp, type Chunk, chunksBetween, isWebp, uint24, webpChunks } from './chunks.ts';

/** What the WebP decoder remembers of the header. Chunks are those of the first frame when the file is animated. */
export interface WebpDetail {
  /** VP8L; otherwise VP8. */
  readonly lossless: boolean;
  /** The `VP8 ` or `VP8L` chunk. */
  readonly image: Chunk;
  /** Bytes of the first partition of a VP8 frame; 0 for VP8L. */
  readonly firstPartition: number;
  /** The `ALPH` chunk of a lossy picture with transparency. */
  readonly alphaPlane?: Chunk;
  /** Whether the file starts with a VP8X chunk. */
  readonly extended: boolean;
}

/** WebP's header: `detail` is always a `WebpDetail`. */
export interface WebpHeader extends ImageHeader {
  readonly detail: WebpDetail;
}

/** Whether the bytes start with RIFF, a size and WEBP. */
export function sniffWebp(start: Uint8Array): boolean {
  return isWebp(start);
}

/**
 * Reads a WebP header (RFC 9649): sides and alpha from the bitstream itself, profile, orientation and animation from the
 * extended header's chunks where its flags announce them.
 * @throws FileError broken_image
 */
export function readWebpHeader(file: Uint8Array): WebpHeader {
  const chunks = webpChunks(file);
  const first = chunks.next().value;
  if (first === undefined) throw brokenWebp('it has no picture in it');
  if (first.id === 'VP8X') return extendedHeader(file, first, chunks);
  const still = stillImage(file, [first]);
  if (still === undefined) throw brokenWebp('it has no picture in it');
  return webpHeader(still.bitstream, still.bitstream.alpha, { ...still.detail, extended: false }, {});
}

/** RFC 9649 §2.7.1, the flags byte. */
export const vp8xFlag = { profile: 0x20, alpha: 0x10, exif: 0x08, xmp: 0x04, animation: 0x02 } as const;

interface Canvas {
  readonly flags: number;
  readonly width: number;
  readonly height: number;
}

function extendedHeader(file: Uint8Array, vp8x: Chunk, rest: Iterable<Chunk>): WebpHeader {
  const canvas = readCanvas(file, vp8x);
  const animated = (canvas.flags & vp8xFlag.animation) !== 0;
  const chunks = firstOfEach(rest);
  const still = animated ? firstFrame(file, chunks.get('ANMF')) : stillImage(file, chunks.values());
  if (still === undefined) throw brokenWebp('it has no picture in it');
  const { bitstream } = still;
  if (!animated && (bitstream.width !== canvas.width || bitstream.height !== canvas.height)) {
    throw brokenWebp('its picture and its canvas differ in size');
  }
  const alpha = animated
    ? (canvas.flags & vp8xFlag.alpha) !== 0
    : bitstream.alpha || still.detail.alphaPlane !== undefined;
  return webpHeader(
    canvas,
    alpha,
    { ...still.detail, extended: true },
    { animated, ...announced(file, canvas, chunks) },
  );
}

function webpHeader(
  size: { readonly width: number; readonly height: number },
  alpha: boolean,
  detail: WebpDetail,
  more: Partial<ImageHeader>,
): WebpHeader {
  const { width, height } = size;
  return {
    format: 'webp',
    width,
    height,
    orientation: 1,
    alpha,
    bitDepth: 8,
    model: 'rgb',
    animated: false,
    ...more,
    detail,
  };
}

function readCanvas(file: Uint8Array, { dataStart, end }: Chunk): Canvas {
  if (end - dataStart < 10) throw brokenWebp('its header is cut short');
  return {
    flags: file[dataStart]!,
    width: uint24(file, dataStart + 4) + 1,
    height: uint24(file, dataStart + 7) + 1,
  };
}

/** Chunks that the flags do not announce are ignored, as browsers do. */
function announced(file: Uint8Array, { flags }: Canvas, chunks: ReadonlyMap<string, Chunk>): Partial<ImageHeader> {
  const profile = (flags & vp8xFlag.profile) === 0 ? undefined : chunks.get('ICCP');
  const exif = (flags & vp8xFlag.exif) === 0 ? undefined : chunks.get('EXIF');
  return {
    ...(profile && { profile: { kind: 'icc', bytes: file.subarray(profile.dataStart, profile.end) } }),
    ...(exif && { orientation: readExifOrientation(file.subarray(exif.dataStart, exif.end)) }),
  };
}

const KNOWN = ['ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L', 'EXIF'];

/** The first chunk of each kind that matters, in the file's order; later ones are ignored (RFC 9649 §2.7). */
function firstOfEach(chunks: Iterable<Chunk>): Map<string, Chunk> {
  const first = new Map<string, Chunk>();
  for (const chunk of chunks) {
    if (KNOWN.includes(chunk.id) && !first.has(chunk.id)) first.set(chunk.id, chunk);
  }
  return first;
}

interface Still {
  readonly bitstream: BitstreamHeader;
  readonly detail: Omit<WebpDetail, 'extended'>;
}

/** The picture made by the first bitstream chunk and an ALPH chunk in front of it. */
function stillImage(file: Uint8Array, chunks: Iterable<Chunk>): Still | undefined {
  let alphaPlane: Chunk | undefined;
  for (const chunk of chunks) {
    if (chunk.id === 'ALPH') alphaPlane ??= chunk;
    if (chunk.id === 'VP8L') {
      const bitstream = readVp8lHeader(file, chunk);
      return { bitstream, detail: { lossless: true, image: chunk, firstPartition: 0 } };
    }
    if (chunk.id === 'VP8 ') {
      const bitstream = readVp8Header(file, chunk);
      const { firstPartition } = bitstream;
      const detail = { lossless: false, image: chunk, firstPartition, ...(alphaPlane && { alphaPlane }) };
      return { bitstream, detail };
    }
  }
  return undefined;
}

/** Bytes in front of the chunks inside an ANMF chunk: offset, sides, duration, flags (RFC 9649 §2.7.1.1). */
const ANMF_HEADER_BYTES = 16;

function firstFrame(file: Uint8Array, frame: Chunk | undefined): Still | undefined {
  if (frame === undefined) return undefined;
  return stillImage(file, chunksBetween(file, frame.dataStart + ANMF_HEADER_BYTES, frame.end));
}
