import type { HuffmanCode } from '../../../src/image/formats/jpeg/huffman-code.ts';

/** Codes of up to this many bits are found by one look into `HuffmanTable.lookup`. */
export const LOOKAHEAD_BITS = 9;

/** A Huffman code prepared for decoding (T.81 annex C and §F.2.2.3). */
export interface HuffmanTable {
  /** By the next 9 bits: code length << 8 | symbol; 0 when the code is longer. */
  readonly lookup: Uint16Array;
  /** By code length: the first value, left-aligned to 16 bits, that is above every code of this length. */
  readonly limit: Int32Array;
  /** By code length: what to add to a code for the index of its symbol. */
  readonly offset: Int32Array;
  readonly symbols: Uint8Array;
}

/** Prepares a code. */
export function buildHuffmanTable({ counts, symbols }: HuffmanCode): HuffmanTable {
  const lookup = new Uint16Array(1 << LOOKAHEAD_BITS);
  const limit = new Int32Array(17);
  const offset = new Int32Array(17);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    offset[length] = index - code;
    for (let left = counts[length - 1]!; left > 0; left--) {
      if (length <= LOOKAHEAD_BITS) fillLookup(lookup, code, length, symbols[index]!);
      code++;
      index++;
    }
    limit[length] = code << (16 - length);
    code <<= 1;
  }
  return { lookup, limit, offset, symbols: symbols.slice() };
}

function fillLookup(lookup: Uint16Array, code: number, length: number, symbol: number): void {
  const shift = LOOKAHEAD_BITS - length;
  lookup.fill((length << 8) | symbol, code << shift, (code + 1) << shift);
}
