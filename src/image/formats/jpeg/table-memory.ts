import { brokenJpeg } from './broken-jpeg.ts';
import type { JpegDetail } from './header.ts';
import type { HuffmanCode } from './huffman-code.ts';
import { huffmanTableBytes, MAX_LOOKAHEAD, writeHuffmanTable } from './huffman-table.ts';
import type { Scan, Scans } from './scan.ts';

/** Bytes of the Huffman tables. A file has 2–14; what more than a hundred of them cost is taken from their lookahead. */
export function tableBytes(detail: JpegDetail): number {
  return detail.progressive ? 448 * 1024 : 144 * 1024;
}

/** Divides its memory among the tables of a file. */
export class TableMemory {
  readonly #memory: Uint8Array;
  readonly #lookahead: number;
  /** Offsets, of tables without and with values. */
  readonly #offsets: readonly Map<HuffmanCode, number>[] = [new Map(), new Map()];
  #taken = 0;

  constructor(memory: Uint8Array, { scans }: Scans) {
    this.#memory = memory;
    const codes: readonly Set<HuffmanCode>[] = [new Set(), new Set()];
    for (const scan of scans) {
      for (const { dcTable, acTable } of scan.components) {
        for (const code of [dcTable, acTable]) if (code !== undefined) codes[Number(valuesFollow(scan))]!.add(code);
      }
    }
    const count = codes[0]!.size + codes[1]!.size;
    let lookahead = MAX_LOOKAHEAD;
    while (lookahead > 0 && count * huffmanTableBytes(lookahead) > memory.length) lookahead--;
    if (lookahead === 0) throw brokenJpeg('it has more Huffman tables than a picture needs');
    this.#lookahead = lookahead;
  }

  /** The address of a scan's table, written when it is first asked for; 0 for none. */
  address(code: HuffmanCode | undefined, scan: Scan): number {
    if (code === undefined) return 0;
    const values = valuesFollow(scan);
    const offsets = this.#offsets[Number(values)]!;
    const offset = offsets.get(code) ?? this.#write(code, values);
    offsets.set(code, offset);
    return this.#memory.byteOffset + offset;
  }

  #write(code: HuffmanCode, values: boolean): number {
    const offset = this.#taken;
    this.#taken += huffmanTableBytes(this.#lookahead);
    writeHuffmanTable(code, values, this.#lookahead, this.#memory.subarray(offset, this.#taken));
    return offset;
  }
}

/** Whether a symbol's low half is the length of a value that follows, so that a table may hold both. */
function valuesFollow({ progressive, spectralStart, approximationHigh }: Scan): boolean {
  return !progressive || (spectralStart > 0 && approximationHigh === 0);
}
