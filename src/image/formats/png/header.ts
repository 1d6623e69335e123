import { FileError } from '../../../errors.ts';
import { readExifOrientation } from '../../exif.ts';
import type { ColourProfile, ImageHeader, Orientation } from '../../header.ts';
import { brokenPng } from './broken-png.ts';
import { type Chunk, isCritical, isIntact, PNG_SIGNATURE, readChunk } from './chunks.ts';
import { readCicpChunk, readIccChunk } from './colour-chunks.ts';
import { type Layout, layoutOf } from './layout.ts';

/** What the PNG decoder remembers of a header. */
export interface PngDetail {
  readonly layout: Layout;
  readonly interlaced: boolean;
  /** PLTE: three bytes an entry. Present where the colour type is 3. */
  readonly palette?: Uint8Array;
  /** tRNS: alpha of the first palette entries, or the transparent grey or RGB as 16-bit samples. */
  readonly transparency?: Uint8Array;
  /** Offset of the first IDAT chunk. */
  readonly dataStart: number;
}

/** A header whose detail is known to be a PNG's. */
export type PngHeader = ImageHeader & { readonly detail: PngDetail };

/** Chunks in front of the image data, and those behind its start that are searched for an orientation: more only make work. */
const MAX_LEADING_CHUNKS = 10_000;
const MAX_TRAILING_CHUNKS = 100_000;

/** What the chunks read so far have said. */
interface Findings {
  palette?: Uint8Array;
  transparency: Uint8Array | undefined;
  /** Of the first iCCP chunk, which alone counts: others, which the standard does not allow, would each be inflated. */
  icc: { readonly profile: ColourProfile | undefined } | undefined;
  cicp?: ReturnType<typeof readCicpChunk>;
  orientation?: Orientation;
  frames: number;
}

/** Whether these are the first bytes of a PNG. */
export function sniffPng(start: Uint8Array): boolean {
  return PNG_SIGNATURE.every((byte, index) => start[index] === byte);
}

/**
 * Reads the header of a PNG (third edition, clause 11) from the whole file: all chunks before the first IDAT, and eXIf wherever it
 * is. A damaged ancillary chunk is ignored, as a decoder that does not know it would.
 * @throws FileError broken_image; unsupported_image for Apple's iOS variant
 */
export function readPngHeader(file: Uint8Array): PngHeader {
  if (!sniffPng(file)) throw brokenPng('it does not start as a PNG does');
  const first = readChunk(file, PNG_SIGNATURE.length);
  const ihdr = readIhdr(file, first);
  const findings: Findings = { transparency: undefined, icc: undefined, frames: 0 };
  const dataStart = readLeadingChunks(file, first.end, ihdr.layout, findings);
  if (ihdr.layout.colourType === 3 && findings.palette === undefined) throw brokenPng('its palette is missing');
  findings.orientation ??= findTrailingOrientation(file, dataStart);
  return assembleHeader(ihdr, findings, dataStart);
}

interface Ihdr {
  readonly width: number;
  readonly height: number;
  readonly layout: Layout;
  readonly interlaced: boolean;
}

function readIhdr(file: Uint8Array, chunk: Chunk): Ihdr {
  if (chunk.type === 'CgBI') {
    throw new FileError(
      'unsupported_image',
      'This is a PNG in the private form of iOS apps (CgBI), not a standard one. Export it as a standard PNG and send that.',
    );
  }
  if (chunk.type !== 'IHDR' || chunk.data.length !== 13) throw brokenPng('its IHDR chunk is missing');
  requireIntact(file, chunk);
  const view = new DataView(chunk.data.buffer, chunk.data.byteOffset, 13);
  const width = view.getUint32(0);
  const height = view.getUint32(4);
  const layout = layoutOf(view.getUint8(9), view.getUint8(8));
  const interlace = view.getUint8(12);
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff) throw brokenPng('it has no valid size');
  if (!layout) throw brokenPng('its colour type and bit depth do not go together');
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0 || interlace > 1) {
    throw brokenPng('it declares a compression, filter or interlace method that PNG does not have');
  }
  return { width, height, layout, interlaced: interlace === 1 };
}

/** Reads the chunks between IHDR and the first IDAT; returns where that is. */
function readLeadingChunks(file: Uint8Array, start: number, layout: Layout, findings: Findings): number {
  let at = start;
  for (let count = 0; ; count++) {
    if (count > MAX_LEADING_CHUNKS)
      throw brokenPng(`it has more than ${MAX_LEADING_CHUNKS} chunks before its image data`);
    const chunk = readChunk(file, at);
    if (chunk.type === 'IDAT') return at;
    if (isCritical(chunk)) readCritical(file, chunk, layout, findings);
    else if (isIntact(file, chunk)) readAncillary(chunk, layout, findings);
    at = chunk.end;
  }
}

function readCritical(file: Uint8Array, chunk: Chunk, layout: Layout, findings: Findings): void {
  if (chunk.type === 'IEND') throw brokenPng('it holds no picture data');
  if (chunk.type !== 'PLTE') throw brokenPng(`its ${chunk.type} chunk is unknown or out of place`);
  requireIntact(file, chunk);
  const { length } = chunk.data;
  // Only a suggestion elsewhere, and invalid in grey pictures: neither stops a decoder.
  if (layout.colourType !== 3) return;
  if (findings.palette) throw brokenPng('it has two palettes');
  if (length === 0 || length % 3 !== 0 || length > 768) throw brokenPng('its palette has no valid size');
  findings.palette = chunk.data.slice(0, 3 << layout.bitDepth);
}

function readAncillary({ type, data }: Chunk, layout: Layout, findings: Findings): void {
  switch (type) {
    case 'tRNS':
      findings.transparency ??= usableTransparency(data, layout, findings.palette);
      break;
    case 'iCCP':
      if (!findings.palette) findings.icc ??= { profile: readIccChunk(data, layout.colourType) };
      break;
    case 'cICP':
      if (!findings.palette) findings.cicp ??= readCicpChunk(data);
      break;
    case 'eXIf':
      findings.orientation ??= readExifOrientation(data);
      break;
    case 'acTL':
      if (data.length === 8) findings.frames = new DataView(data.buffer, data.byteOffset).getUint32(0);
      break;
  }
}

/** A tRNS chunk's data, or undefined where it is out of place or of the wrong size (11.3.1.1). */
function usableTransparency(data: Uint8Array, layout: Layout, palette: Uint8Array | undefined): Uint8Array | undefined {
  switch (layout.colourType) {
    case 0:
      return data.length === 2 ? data.slice() : undefined;
    case 2:
      return data.length === 6 ? data.slice() : undefined;
    case 3:
      return palette && data.length > 0 && data.length <= palette.length / 3 ? data.slice() : undefined;
    default:
      return undefined;
  }
}

/** The orientation of an eXIf chunk behind the picture data, where some programs put it. Nothing there can break the picture. */
function findTrailingOrientation(file: Uint8Array, dataStart: number): Orientation {
  try {
    let chunk = readChunk(file, dataStart);
    for (let count = 0; count < MAX_TRAILING_CHUNKS && chunk.type !== 'IEND'; count++) {
      if (chunk.type === 'eXIf' && isIntact(file, chunk)) return readExifOrientation(chunk.data);
      chunk = readChunk(file, chunk.end);
    }
  } catch {
    // Whether the picture itself is whole is for the decoder to say.
  }
  return 1;
}

function assembleHeader(ihdr: Ihdr, findings: Findings, dataStart: number): PngHeader {
  const { width, height, layout, interlaced } = ihdr;
  const { palette, transparency, icc, cicp } = findings;
  const profile = cicp?.valid ? cicp.profile : icc?.profile;
  return {
    format: 'png',
    width,
    height,
    orientation: findings.orientation ?? 1,
    alpha: layout.colourType >= 4 || transparency !== undefined,
    bitDepth: layout.bitDepth,
    model: layout.colourType === 3 ? 'palette' : layout.colourType === 0 || layout.colourType === 4 ? 'grey' : 'rgb',
    animated: findings.frames > 1,
    ...(profile && { profile }),
    detail: {
      layout,
      interlaced,
      dataStart,
      ...(palette && { palette }),
      ...(transparency && { transparency }),
    },
  };
}

function requireIntact(file: Uint8Array, chunk: Chunk): void {
  if (!isIntact(file, chunk)) throw brokenPng(`its ${chunk.type} chunk fails its checksum`);
}
