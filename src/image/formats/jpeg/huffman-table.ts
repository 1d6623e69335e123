import type { HuffmanCode } from './huffman-code.ts';

/** Bytes of a kernel's table before its lookup: lookahead, limits and offsets by code length, symbols. */
const FIXED_BYTES = 400;
const LIMITS = 1;
const OFFSETS = 18;
const SYMBOLS = 140;

/** Bits of lookahead with which a table is largest. More do not pay: the tables must stay in the first cache. */
export const MAX_LOOKAHEAD = 10;

/** Bytes of one table. @param lookahead bits of code that one look covers, 1–10 */
export function huffmanTableBytes(lookahead: number): number {
  return FIXED_BYTES + (4 << lookahead);
}

/**
 * Writes a table as the kernel `jpeg-decode` reads it (`assembly/jpeg-decode/bits.ts` describes it) into zeroed, 4-byte
 * aligned memory of `huffmanTableBytes`.
 * @param values whether entries hold the value behind a code too: for scans in which the low half of a symbol is a length
 */
export function writeHuffmanTable(code: HuffmanCode, values: boolean, lookahead: number, memory: Uint8Array): void {
  const words = new Int32Array(memory.buffer, memory.byteOffset, FIXED_BYTES / 4);
  const lookup = new Int32Array(memory.buffer, memory.byteOffset + FIXED_BYTES, 1 << lookahead);
  words[0] = lookahead;
  memory.set(code.symbols, SYMBOLS);
  let next = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    words[OFFSETS + length] = index - next;
    for (let left = code.counts[length - 1]!; left > 0; left--) {
      if (length <= lookahead) fillEntries(lookup, next, length, code.symbols[index]!, values, lookahead);
      next++;
      index++;
    }
    words[LIMITS + length] = next << (16 - length);
    next <<= 1;
  }
}

/** Every way in which the lookahead may go on behind one code. */
function fillEntries(
  lookup: Int32Array,
  code: number,
  length: number,
  symbol: number,
  values: boolean,
  lookahead: number,
): void {
  const room = lookahead - length;
  const size = values ? symbol & 15 : 0;
  for (let behind = 0; behind < 1 << room; behind++) {
    const entry = (symbol << 8) | length;
    lookup[(code << room) | behind] =
      size > 0 && size <= room ? (signedValue(behind >> (room - size), size) << 16) | (entry + size) : entry;
  }
}

/** T.81 table F.1 backwards. */
function signedValue(bits: number, size: number): number {
  return bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}
