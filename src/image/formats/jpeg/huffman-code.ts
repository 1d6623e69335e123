import { brokenJpeg } from './broken-jpeg.ts';

/** A Huffman code as DHT stores it (T.81 §B.2.4.2), known to be a prefix code. */
export interface HuffmanCode {
  /** Number of codes of 1 … 16 bits. */
  readonly counts: Uint8Array;
  /** At most 256, in order of their codes. */
  readonly symbols: Uint8Array;
}

/**
 * Checks and copies a code: the code words are numbered through within a length, and doubled from one to the next
 * (T.81 annex C). @throws FileError broken_image when the lengths make no prefix code
 */
export function huffmanCode(counts: Uint8Array, symbols: Uint8Array): HuffmanCode {
  let next = 0;
  counts.forEach((count, index) => {
    next += count;
    if (next > 2 << index) throw brokenJpeg('one of its Huffman tables is impossible');
    next *= 2;
  });
  return { counts: counts.slice(), symbols: symbols.slice() };
}
