import { aligned } from '../../../kernels/aligned.ts';

/** The furthest that a copy reaches back (RFC 9649 §3.6.2.2: 2^20 − 120 pixels), as a power of two. */
const WINDOW_PIXELS = 2 ** 20;
/** The fewest pixels that the ring must hold: a palette. */
const LEAST_PIXELS = 256;
/** What `vp8l-decode.ts` lays out at the start of its work region whatever the picture, in bytes. */
const FIXED_BYTES = 24_576;
/** Rows that the kernel keeps beside the ring. */
const ROWS = 4;

const MIB = 1024 * 1024;
/** The largest group of codes: five tables, the first for 2328 symbols. */
const GROUP_BYTES = 12_288;

/**
 * Room for what only the file says while it is read. `codes` are bytes for prefix codes: encoders make some hundred groups
 * of about 3 KiB for pictures (cwebp 2600 at the very most, the format allows 65,536) and of about 1 KiB for alpha planes. `block`
 * is what the maps of transforms and groups take for each of their blocks: predictor 1, colour 3, group 2. The format has
 * blocks of 4 pixels a side and more; in pictures that are not small encoders use 16 and more. `maps` is the least for them all.
 */
const rooms = {
  picture: { codes: 4 * MIB, block: 6, maps: 2 * MIB },
  alpha: { codes: 2 * MIB, block: 3, maps: MIB },
} as const;
export type Vp8lUse = keyof typeof rooms;

/** Pixels of the ring of decoded pixels: all of a small picture. */
export function vp8lRingPixels(width: number, height: number): number {
  const all = 2 ** Math.ceil(Math.log2(width * height));
  return Math.min(WINDOW_PIXELS, Math.max(LEAST_PIXELS, all));
}

/**
 * Bytes of the VP8L decoder's work region. Small pictures have room for whatever the format allows, larger ones for what
 * encoders make and more.
 */
export function vp8lWorkBytes(width: number, height: number, use: Vp8lUse): number {
  const rowBytes = aligned(width * 4 + 16);
  return FIXED_BYTES + vp8lRingPixels(width, height) * 4 + ROWS * rowBytes + tableBytes(width, height, use);
}

function tableBytes(width: number, height: number, use: Vp8lUse): number {
  const { codes, block, maps } = rooms[use];
  const most = (blocks(width, height, 4) + 1) * (block + GROUP_BYTES) + 16_384;
  const usual = codes + Math.max(maps, blocks(width, height, 16) * block);
  return Math.min(most, usual);
}

function blocks(width: number, height: number, side: number): number {
  return Math.ceil(width / side) * Math.ceil(height / side);
}
