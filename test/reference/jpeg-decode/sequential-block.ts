import { zigzag } from '../../../src/image/formats/jpeg/zigzag.ts';
import type { EntropyReader } from './entropy-reader.ts';
import { type HuffmanTable, LOOKAHEAD_BITS } from './huffman-table.ts';

const LOOKAHEAD_MASK = (1 << LOOKAHEAD_BITS) - 1;

/**
 * Decodes one block of a sequential scan (T.81 §F.2.2) into zeroed coefficients in natural order; the DC coefficient is
 * stored as difference. @returns the highest zig-zag index that is not zero
 */
export function decodeSequentialBlock(
  reader: EntropyReader,
  dcTable: HuffmanTable,
  acTable: HuffmanTable,
  coefficients: Int16Array,
  block: number,
): number {
  const dcSize = reader.readSymbol(dcTable);
  if (dcSize > 0) coefficients[block] = extend(reader.readBits(dcSize), dcSize);
  const { lookup } = acTable;
  let { bits, count } = reader;
  let last = 0;
  for (let k = 1; k < 64; k++) {
    if (count < 16) {
      reader.count = count;
      reader.refill();
      bits = reader.bits;
      count = reader.count;
    }
    let symbol = lookup[(bits >> (count - LOOKAHEAD_BITS)) & LOOKAHEAD_MASK]!;
    if (symbol !== 0) {
      count -= symbol >> 8;
      symbol &= 255;
    } else {
      reader.count = count;
      symbol = reader.readLongSymbol(acTable);
      count = reader.count;
    }
    const size = symbol & 15;
    if (size === 0) {
      if (symbol !== 0xf0) break;
      k += 15;
      continue;
    }
    k += symbol >> 4;
    if (count < size) {
      reader.count = count;
      reader.refill();
      bits = reader.bits;
      count = reader.count;
    }
    count -= size;
    const value = (bits >> count) & ((1 << size) - 1);
    if (k > 63) {
      reader.invalid = true;
      break;
    }
    coefficients[block + zigzag[k]!] = value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
    last = k;
  }
  reader.count = count;
  return last;
}

/** Table F.1 backwards: the signed number that `size` bits stand for. */
export function extend(value: number, size: number): number {
  return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}
