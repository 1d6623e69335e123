import { type HuffmanTable, LOOKAHEAD_BITS } from './huffman-table.ts';

/** Fewer bits than this are never left by `refill`: a code and its extra bits fit. */
const FULL_BITS = 25;

/**
 * Reads entropy-coded data bit by bit (T.81 §F.2.2.5). At a marker or at the end it goes on with zeros and knows it:
 * `damaged` tells afterwards whether bits were used that are not in the file. Fields are open because the block decoders
 * keep them in locals while they run.
 */
export class EntropyReader {
  readonly data: Uint8Array;
  /** Next byte to read, and the end of the scan. */
  position: number;
  readonly end: number;
  /** The lowest `count` bits are those not yet used. */
  bits = 0;
  count = 0;
  /** A code was met that the table does not have, or a coefficient behind the last. */
  invalid = false;
  /** Blocks still to come whose band of this progressive scan has nothing new in it (EOBRUN, T.81 §G.1.2.2). */
  endOfBandRun = 0;
  /** Zero bits put in so far because the data had ended. */
  private padding = 0;

  constructor(data: Uint8Array, start: number, end: number) {
    this.data = data;
    this.position = start;
    this.end = end;
  }

  /** Whether what was read since the start or the last restart cannot be right. */
  get damaged(): boolean {
    return this.invalid || this.overrun;
  }

  /** Whether bits were used that are not in the data. */
  get overrun(): boolean {
    return this.count < this.padding;
  }

  /** Makes at least 25 bits ready. */
  refill(): void {
    let { bits, count, position } = this;
    const { data, end } = this;
    while (count < FULL_BITS) {
      let byte = 0;
      if (position < end) byte = data[position++]!;
      else this.padding += 8;
      if (byte === 0xff) {
        let next = position;
        while (next < end && data[next] === 0xff) next++;
        if (next < end && data[next] === 0) position = next + 1;
        else {
          position--;
          byte = 0;
          this.padding += 8;
        }
      }
      bits = (bits << 8) | byte;
      count += 8;
    }
    this.bits = bits;
    this.count = count;
    this.position = position;
  }

  /** The next `length` bits, 1–16, as an unsigned number. */
  readBits(length: number): number {
    if (this.count < length) this.refill();
    this.count -= length;
    return (this.bits >> this.count) & ((1 << length) - 1);
  }

  /** The next Huffman code's symbol; 0 and `invalid` when there is no such code. */
  readSymbol(table: HuffmanTable): number {
    if (this.count < 16) this.refill();
    const entry = table.lookup[(this.bits >> (this.count - LOOKAHEAD_BITS)) & ((1 << LOOKAHEAD_BITS) - 1)]!;
    if (entry === 0) return this.readLongSymbol(table);
    this.count -= entry >> 8;
    return entry & 255;
  }

  /** As `readSymbol`, for codes that the lookup does not hold; at least 16 bits are ready. */
  readLongSymbol(table: HuffmanTable): number {
    const code = (this.bits >> (this.count - 16)) & 0xffff;
    for (let length = LOOKAHEAD_BITS + 1; length <= 16; length++) {
      if (code < table.limit[length]!) {
        this.count -= length;
        return table.symbols[(code >> (16 - length)) + table.offset[length]!]!;
      }
    }
    this.invalid = true;
    this.count -= 16;
    return 0;
  }

  /** Drops what is left up to the next marker of the scan. @returns its number, 0–7; -1 at the end of the scan's data */
  nextRestartNumber(): number {
    const { data, end } = this;
    for (let at = data.indexOf(0xff, this.position); at >= 0 && at + 1 < end; at = data.indexOf(0xff, at + 1)) {
      const code = data[at + 1]!;
      if (code === 0 || code === 0xff) continue;
      this.position = at;
      return code & 7;
    }
    return -1;
  }

  /** Starts afresh. @param skipMarker whether the marker that the reader stands at is left behind */
  restart(skipMarker: boolean): void {
    if (skipMarker) this.position += 2;
    this.bits = 0;
    this.count = 0;
    this.padding = 0;
    this.invalid = false;
    this.endOfBandRun = 0;
  }
}
