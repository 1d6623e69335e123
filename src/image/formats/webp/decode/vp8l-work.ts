/** The furthest that a copy reaches back (RFC 9649 §3.6.2.2: 2^20 − 120 pixels), as a power of two. */
const WINDOW_PIXELS = 2 ** 20;
/** The fewest pixels that the ring must hold: a palette. */
const LEAST_PIXELS = 256;
/** What `vp8l-decode.ts` lays out at the start of its work region whatever the picture, in bytes. */
const FIXED_BYTES = 24_576;
/** Rows that the kernel keeps beside the ring. */
const ROWS = 4;

const MIB = 1024 * 1024;
/**
 * Bytes for a file's own prefix codes and the maps that choose among them. Encoders make some hundred groups of codes of
 * about 3 KiB, cwebp 2600 at the very most; the format allows 65,536.
 */
const CODE_BYTES = 6 * MIB;
/** The largest group of codes: five tables, the first for 2328 symbols. */
const GROUP_BYTES = 12_288;
/**
 * Bytes that a file's maps of transforms and codes take for each of their blocks. The format has blocks of 4 pixels a side
 * and more; encoders use 8 and more (most 16 and more) where the picture is not small.
 */
const BLOCK_BYTES = 6;

/** Pixels of the ring of decoded pixels: all of a small picture. */
export function vp8lRingPixels(width: number, height: number): number {
  const all = 2 ** Math.ceil(Math.log2(width * height));
  return Math.min(WINDOW_PIXELS, Math.max(LEAST_PIXELS, all));
}

/**
 * Bytes of the VP8L decoder's work region. What a file's own tables take is known only while they are read; up to about
 * half a million pixels there is room for whatever the format allows, above that for what encoders make and more.
 */
export function vp8lWorkBytes(width: number, height: number): number {
  const rowBytes = Math.ceil((width * 4 + 16) / 16) * 16;
  return FIXED_BYTES + vp8lRingPixels(width, height) * 4 + ROWS * rowBytes + tableBytes(width, height);
}

function tableBytes(width: number, height: number): number {
  const smallest = Math.ceil(width / 4) * Math.ceil(height / 4);
  const most = (smallest + 1) * (BLOCK_BYTES + GROUP_BYTES) + 16_384;
  const usual = CODE_BYTES + Math.ceil(width / 8) * Math.ceil(height / 8) * BLOCK_BYTES;
  return Math.min(most, usual);
}
