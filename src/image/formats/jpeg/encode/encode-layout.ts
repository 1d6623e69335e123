import { aligned } from '../../../kernels/aligned.ts';
import { type ChromaSubsampling, chromaSubsampling } from '../../chroma-subsampling.ts';
import type { Cost } from '../../format.ts';
import type { Haste } from '../../haste.ts';
import { type CodingLayout, codingLayout } from './coding-layout.ts';
import { keptPictureBytes, storeBytes } from './kept-picture.ts';
import { pieceBytes, scanCoderBytes } from './scan-coder.ts';
import { libraryBytes, stripFileBytes } from './strip-cost.ts';
import { stripRows } from './strips.ts';

/**
 * Bytes of the arena that an encode shares out: what strips leave of it is for kept coefficients. Those of most pictures of 50
 * megapixels fit at the default quality; beside it there is room for the largest file and its decoder.
 */
const ENCODE_BYTES = 32 * 1024 * 1024;

/** Regions of the arena are multiples of so many bytes. */
const REGION_STEP = 16;

/** How a picture will be encoded, and what that takes. */
export interface EncodeLayout {
  readonly coding: CodingLayout;
  readonly chroma: ChromaSubsampling;
  readonly stripRows: number;
  /** Bytes of the region for a strip's pixels, later its file; of the one for kept coefficients. */
  readonly region: number;
  readonly store: number;
  readonly cost: Cost;
}

/** @param quality 40–100 @param room bytes of the arena that there are; it takes more where it cannot do with so few */
export function encodeLayout(
  width: number,
  height: number,
  quality: number,
  haste: Haste = 0,
  room = Number.POSITIVE_INFINITY,
): EncodeLayout {
  const chroma = chromaSubsampling(quality, haste);
  const coding = codingLayout(width, height, chroma);
  const strip = { width, rows: stripRows(coding, chroma) };
  const file = stripFileBytes(strip, chroma, quality);
  const library = libraryBytes(strip, chroma, quality);
  const region = aligned(Math.max(width * strip.rows * 4, file));
  const fixed = region + keptPictureBytes(coding) + scanCoderBytes;
  const left = Math.min(ENCODE_BYTES, room) - library - fixed;
  const store = storeBytes(coding, left - (left % REGION_STEP));
  const cost = { arena: fixed + store, library, buffers: Math.max(file, pieceBytes) };
  return { coding, chroma, stripRows: strip.rows, region, store, cost };
}
