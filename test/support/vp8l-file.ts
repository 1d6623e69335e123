import { webpChunk, webpFile } from './webp-file.ts';

/** Bits, the lowest of each byte first, as VP8L has them. */
class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;
  #count = 0;

  write(value: number, count: number): void {
    for (let i = 0; i < count; i++) {
      this.#bits |= ((value >> i) & 1) << this.#count;
      if (++this.#count < 8) continue;
      this.#bytes.push(this.#bits);
      this.#bits = this.#count = 0;
    }
  }

  finish(): Uint8Array {
    if (this.#count > 0) this.write(0, 8 - this.#count);
    return Uint8Array.from(this.#bytes);
  }
}

/** A simple code of one symbol: it takes no bits. */
function oneSymbol(bits: BitWriter, symbol: number): void {
  bits.write(1, 1);
  bits.write(0, 1);
  bits.write(1, 1);
  bits.write(symbol, 8);
}

/** A normal code that gives symbols 0–255 eight bits each, in an alphabet of `alphabet`. */
function allSymbols(bits: BitWriter, alphabet: number): void {
  bits.write(0, 1);
  // Twelve lengths of the lengths' code, of which only the last, that of length 8, is used: lengths take no bits.
  bits.write(12 - 4, 4);
  bits.write(0, 33);
  bits.write(1, 3);
  bits.write(alphabet > 256 ? 1 : 0, 1);
  if (alphabet > 256) {
    bits.write(3, 3);
    bits.write(256 - 2, 8);
  }
}

/** A symbol of such a code: canonical codes come with their highest bit first. */
function symbol(bits: BitWriter, value: number): void {
  for (let i = 7; i >= 0; i--) bits.write(value >> i, 1);
}

/**
 * A lossless WebP whose blocks of 4×4 pixels take turns with `groups` groups of codes. With `large` codes every group can
 * code every pixel, which takes tables of 2 KiB, and all pixels are 0; otherwise group i codes only the pixel (i >> 8, i & 255, 7, 255).
 */
export function manyGroupsWebp(side: number, groups: number, large: boolean): Uint8Array {
  const bits = new BitWriter();
  bits.write(0x2f, 8);
  bits.write(side - 1, 14);
  bits.write(side - 1, 14);
  bits.write(large ? 1 : 0, 1);
  bits.write(0, 3);
  // No transform, no colour cache, meta prefix codes for blocks of 4 pixels a side.
  bits.write(0, 2);
  bits.write(1, 1);
  bits.write(0, 3);
  writeGroupMap(bits, Math.ceil(side / 4), groups);
  for (let i = 0; i < groups; i++) writeGroup(bits, i, large);
  if (large) bits.write(0, side * side * 32);
  return webpFile(webpChunk('VP8L', bits.finish()));
}

function writeGroupMap(bits: BitWriter, blocks: number, groups: number): void {
  // No colour cache; green and red with all symbols.
  bits.write(0, 1);
  allSymbols(bits, 280);
  allSymbols(bits, 256);
  for (let i = 0; i < 3; i++) oneSymbol(bits, 0);
  for (let block = 0; block < blocks * blocks; block++) {
    const group = block % groups;
    symbol(bits, group & 255);
    symbol(bits, group >> 8);
  }
}

function writeGroup(bits: BitWriter, group: number, large: boolean): void {
  if (large) {
    allSymbols(bits, 280);
    for (let i = 0; i < 3; i++) allSymbols(bits, 256);
  } else {
    for (const value of [group & 255, group >> 8, 7, 255]) oneSymbol(bits, value);
  }
  oneSymbol(bits, 0);
}
