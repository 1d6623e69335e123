import { joinBytes } from '../../../join-bytes.ts';
import { marker, segments } from '../segments.ts';

/** Where the parts of a strip's file are, in bytes. */
export interface StripFile {
  /** All DQT segments, one behind the other. */
  readonly quantTables: Uint8Array;
  /** Huffman tables: class << 4 | slot, and where the 16 counts begin; they must be read up to `end`. */
  readonly codes: readonly { readonly place: number; readonly start: number; readonly end: number }[];
  /** Of the entropy-coded data, which goes on to the end of the file. */
  readonly dataStart: number;
}

/** Finds the parts of a sequential JPEG that a library made. @throws TypeError when it is none, or has more tables than baseline has */
export function readStripFile(file: Uint8Array): StripFile {
  const quantTables: Uint8Array[] = [];
  const codes: { place: number; start: number; end: number }[] = [];
  for (const { code, start, dataStart, end } of segments(file)) {
    if (code === marker.DQT) quantTables.push(file.slice(start, end));
    else if (code === marker.DHT) codes.push(...codesOf(file, dataStart, end));
    else if (code === marker.SOS) return { quantTables: joinBytes(quantTables), codes, dataStart: end };
  }
  throw new TypeError('a strip without a scan');
}

function* codesOf(file: Uint8Array, from: number, end: number): Generator<StripFile['codes'][number]> {
  let at = from;
  while (at + 17 <= end) {
    const place = file[at]!;
    // The kernel has two tables of each class, and a place is an address there.
    if ((place & ~0x11) !== 0) throw new TypeError('a strip with a Huffman table in an impossible place');
    yield { place, start: at + 1, end };
    const symbols = file.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
    at += 17 + symbols;
  }
}
