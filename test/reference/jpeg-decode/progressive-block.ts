import type { Scan } from '../../../src/image/formats/jpeg/scan.ts';
import { zigzag } from '../../../src/image/formats/jpeg/zigzag.ts';
import type { EntropyReader } from './entropy-reader.ts';
import type { HuffmanTable } from './huffman-table.ts';
import { extend } from './sequential-block.ts';

/**
 * Decodes one block of the first scan of an AC band (T.81 §G.1.2.2).
 * @returns the highest zig-zag index that is not zero, as far as this scan knows
 */
export function decodeAcFirst(
  reader: EntropyReader,
  table: HuffmanTable,
  scan: Scan,
  coefficients: Int16Array,
  block: number,
): number {
  if (reader.endOfBandRun > 0) {
    reader.endOfBandRun--;
    return 0;
  }
  const { spectralEnd, approximationLow } = scan;
  let last = 0;
  for (let k = scan.spectralStart; k <= spectralEnd; k++) {
    const symbol = reader.readSymbol(table);
    const run = symbol >> 4;
    const size = symbol & 15;
    if (size === 0 && run < 15) {
      reader.endOfBandRun = readEndOfBandRun(reader, run) - 1;
      break;
    }
    k += run;
    if (size === 0) continue;
    const value = extend(reader.readBits(size), size);
    if (k > spectralEnd) {
      reader.invalid = true;
      break;
    }
    coefficients[block + zigzag[k]!] = value << approximationLow;
    last = k;
  }
  return last;
}

/**
 * Decodes one more bit of each coefficient of an AC band (T.81 §G.1.2.3).
 * @param extent the highest zig-zag index that is not zero so far @returns the same behind this scan
 */
export function decodeAcRefinement(
  reader: EntropyReader,
  table: HuffmanTable,
  scan: Scan,
  coefficients: Int16Array,
  block: number,
  extent: number,
): number {
  const { spectralEnd } = scan;
  const known = Math.min(extent, spectralEnd);
  const bit = 1 << scan.approximationLow;
  let k = scan.spectralStart;
  let last = extent;
  while (reader.endOfBandRun === 0 && k <= spectralEnd) {
    const symbol = reader.readSymbol(table);
    const run = symbol >> 4;
    const size = symbol & 15;
    if (size === 0 && run < 15) {
      reader.endOfBandRun = readEndOfBandRun(reader, run);
      break;
    }
    const value = size === 0 ? 0 : reader.readBits(1) === 1 ? bit : -bit;
    k = refineOverZeros(reader, coefficients, block, k, known, run, bit);
    if (value !== 0) {
      if (k > spectralEnd || size > 1) {
        reader.invalid = true;
        return last;
      }
      coefficients[block + zigzag[k]!] = value;
      last = Math.max(last, k);
    }
    k++;
  }
  if (reader.endOfBandRun > 0) {
    refineOverZeros(reader, coefficients, block, k, known, 64, bit);
    reader.endOfBandRun--;
  }
  return last;
}

function readEndOfBandRun(reader: EntropyReader, exponent: number): number {
  return exponent === 0 ? 1 : (1 << exponent) + reader.readBits(exponent);
}

/**
 * Goes on from `from`, refining what is not zero, to the zero coefficient that follows `zeros` others.
 * @param known behind this index every coefficient is zero @returns where it stopped, possibly behind the band
 */
function refineOverZeros(
  reader: EntropyReader,
  coefficients: Int16Array,
  block: number,
  from: number,
  known: number,
  zeros: number,
  bit: number,
): number {
  let { bits, count } = reader;
  let left = zeros;
  let k = from;
  for (; k <= known; k++) {
    const at = block + zigzag[k]!;
    const value = coefficients[at]!;
    if (value === 0) {
      if (left === 0) break;
      left--;
      continue;
    }
    if (count === 0) {
      reader.count = 0;
      reader.refill();
      bits = reader.bits;
      count = reader.count;
    }
    count--;
    if (((bits >> count) & 1) === 1 && (value & bit) === 0) {
      coefficients[at] = value > 0 ? value + bit : value - bit;
    }
  }
  reader.count = count;
  return k > known ? k + left : k;
}
