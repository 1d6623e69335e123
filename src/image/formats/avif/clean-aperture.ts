import { BoxReader } from './box-reader.ts';
import { type Box, brokenAvif, unsupportedAvif } from './boxes.ts';

/** A rectangle inside the coded picture, in pixels. */
export interface CropRectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Turns a clean aperture (ISO/IEC 14496-12 §12.1.4: fractions for the size and for the offset between the centres) into
 * the rectangle that it cuts out of `width` × `height` pixels.
 * @throws FileError broken_image when it is no rectangle inside the picture, unsupported_image when not of whole pixels
 */
export function readCleanAperture(file: Uint8Array, clap: Box, width: number, height: number): CropRectangle {
  const reader = new BoxReader(file, clap);
  const across = { size: fraction(reader), full: width };
  const down = { size: fraction(reader), full: height };
  const horizontal = range(across.size, fraction(reader), width);
  const vertical = range(down.size, fraction(reader), height);
  return { left: horizontal.from, top: vertical.from, width: horizontal.length, height: vertical.length };
}

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Numerators of offsets are signed; a size above 2³¹ is impossible anyway and so may be read as negative. */
function fraction(reader: BoxReader): Fraction {
  const numerator = BigInt(reader.i32());
  const denominator = BigInt(reader.u32());
  if (denominator === 0n) throw brokenAvif('its crop rectangle cannot be read');
  return { numerator, denominator };
}

/** (full − size) ÷ 2 + offset, exactly: products of 32-bit numbers do not fit a double. */
function range(size: Fraction, offset: Fraction, full: number): { from: number; length: number } {
  const length = whole(size.numerator, size.denominator);
  const numerator = (BigInt(full) - length) * offset.denominator + 2n * offset.numerator;
  const from = whole(numerator, 2n * offset.denominator);
  if (length <= 0n || from < 0n || from + length > BigInt(full)) {
    throw brokenAvif('its crop rectangle is not inside the picture');
  }
  return { from: Number(from), length: Number(length) };
}

function whole(numerator: bigint, denominator: bigint): bigint {
  if (numerator % denominator !== 0n) throw unsupportedAvif('is cropped between pixels');
  return numerator / denominator;
}
