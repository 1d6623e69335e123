import wasm from '../../../../../build/vp8l-encode.wasm';
import { aligned } from '../../../kernels/aligned.ts';
import type { Workspace } from '../../../workspace.ts';
import { BitList } from './bit-list.ts';
import { canonicalCodes, codeLengths, writePrefixCode } from './prefix-code.ts';

/** The exports of `kernels/assembly/vp8l-encode.ts`. */
interface AlphaKernel {
  takeAlpha(rgba: number, width: number, out: number): void;
  filterRow(row: number, above: number, width: number, filter: number, out: number): void;
  countRow(row: number, above: number, width: number, counts: number): void;
  writeRow(row: number, above: number, width: number, codes: number, state: number): void;
}

/** None, horizontal, vertical, gradient (RFC 9649 §2.7.1.2). */
const FILTERS = [0, 1, 2, 3] as const;
const GREEN_SYMBOLS = 280;
const DISTANCE_SYMBOLS = 40;
/** Distances that the kernel copies from: the first four of §3.6.2.2. */
const DISTANCES = 4;
const SYMBOLS = GREEN_SYMBOLS + DISTANCES;
const MIB = 1024 * 1024;
/** Planes up to here are kept from the first reading to the second. */
const KEPT = 4 * MIB;
const PIECE_BYTES = 64 * 1024;

interface Size {
  readonly width: number;
  readonly height: number;
}

interface AlphaLayout {
  /** Bytes of a row, with room for reads of 8 at once. */
  readonly row: number;
  /** Of the whole plane, where it is kept; else 0. */
  readonly plane: number;
  readonly tables: number;
  readonly out: number;
}

function alphaLayout({ width, height }: Size): AlphaLayout {
  const row = aligned(width + 8);
  return {
    row,
    plane: width * height <= KEPT ? width * height : 0,
    tables: (FILTERS.length + 1) * SYMBOLS * 4 + 64,
    out: PIECE_BYTES + width * 2 + 64,
  };
}

/** Bytes of the arena that an alpha plane takes to be coded. */
export function alphaEncoderBytes(size: Size): number {
  const { row, plane, tables, out } = alphaLayout(size);
  return row * (2 + 2 * FILTERS.length) + plane + tables + out + 5 * 16;
}

/** Whether the plane is kept, so that the picture need not be read again for it. */
export function alphaIsKept(size: Size): boolean {
  return alphaLayout(size).plane > 0;
}

/**
 * One alpha plane on its way to an ALPH chunk. It is read twice: `count` finds for every filter how often each symbol occurs,
 * `choose` takes the filter that comes out smallest, whose size is known then, and `write` writes.
 */
export class AlphaEncoder {
  readonly #size: Size;
  readonly #kernel: AlphaKernel;
  readonly #rows: Uint8Array;
  readonly #plane: Uint8Array;
  readonly #counts: Uint32Array;
  readonly #codes: Uint32Array;
  readonly #state: Uint32Array;
  readonly #out: Uint8Array;
  readonly #rowBytes: number;
  #next = 0;
  #filter = 0;
  #start: readonly number[] = [];
  #startBits = 0;

  constructor(size: Size, workspace: Workspace) {
    const layout = alphaLayout(size);
    this.#size = size;
    this.#kernel = workspace.kernel<AlphaKernel>(wasm);
    this.#rowBytes = layout.row;
    this.#rows = workspace.arena(layout.row * (2 + 2 * FILTERS.length));
    this.#plane = workspace.arena(layout.plane);
    const tables = workspace.arena(layout.tables);
    const words = (from: number, count: number) => new Uint32Array(tables.buffer, tables.byteOffset + from * 4, count);
    this.#counts = words(0, FILTERS.length * SYMBOLS);
    this.#codes = words(FILTERS.length * SYMBOLS, SYMBOLS);
    this.#state = words((FILTERS.length + 1) * SYMBOLS, 4);
    this.#out = workspace.arena(layout.out);
  }

  /** Counts the symbols of the next row. @param rgba pointer to its pixels */
  count(rgba: number): void {
    const { width } = this.#size;
    const row = this.#take(rgba);
    if (this.#plane.length > 0) this.#plane.set(row.subarray(0, width), this.#next * width);
    for (const filter of FILTERS) {
      const { filtered, above } = this.#filtered(filter);
      this.#kernel.countRow(filtered, above, width, this.#counts.byteOffset + filter * SYMBOLS * 4);
    }
    this.#next++;
  }

  /** Copies a row's alpha to where the row before the last one was. */
  #take(rgba: number): Uint8Array {
    const row = this.#rows.subarray((this.#next & 1) * this.#rowBytes, ((this.#next & 1) + 1) * this.#rowBytes);
    this.#kernel.takeAlpha(rgba, this.#size.width, row.byteOffset);
    return row;
  }

  /** Filters the present row; pointers to the result and to that of the row before. */
  #filtered(filter: number): { filtered: number; above: number } {
    const odd = this.#next & 1;
    const at = (index: number) => this.#rows.byteOffset + index * this.#rowBytes;
    const first = this.#next === 0;
    const filtered = at(2 + 2 * filter + odd);
    this.#kernel.filterRow(at(odd), first ? 0 : at(1 - odd), this.#size.width, filter, filtered);
    return { filtered, above: first ? 0 : at(2 + 2 * filter + 1 - odd) };
  }

  /** Whether no counted pixel was transparent. */
  get opaque(): boolean {
    return this.#counts.subarray(0, 255).every((count) => count === 0);
  }

  /** Chooses the filter, once all rows are counted. @returns bytes of the chunk's payload */
  choose(): number {
    const choices = FILTERS.map((filter) => {
      const counts = this.#counts.subarray(filter * SYMBOLS, (filter + 1) * SYMBOLS);
      return { filter, ...planStream(counts) };
    });
    const best = choices.reduce((least, choice) => (choice.bits < least.bits ? choice : least));
    this.#filter = best.filter;
    this.#codes.set(best.codes);
    this.#start = best.start.bytes;
    this.#startBits = best.start.length;
    this.#next = 0;
    return 1 + Math.ceil(best.bits / 8);
  }

  /** The payload's first byte (§2.7.1.2) and what can be written before the first row. */
  start(): Uint8Array {
    const whole = this.#startBits >> 3;
    this.#state[0] = this.#out.byteOffset;
    this.#state[1] = this.#startBits & 7;
    this.#state[2] = this.#start[whole] ?? 0;
    this.#state[3] = 0;
    // No preprocessing; compressed.
    return Uint8Array.of((this.#filter << 2) | 1, ...this.#start.slice(0, whole));
  }

  /** Writes the next row. @param rgba pointer to its pixels */
  *write(rgba: number): Generator<Uint8Array> {
    this.#take(rgba);
    yield* this.#writeTaken();
  }

  /** Writes all rows of a plane that was kept. */
  *writeKept(): Generator<Uint8Array> {
    const { width, height } = this.#size;
    for (let y = 0; y < height; y++) {
      this.#rows.set(this.#plane.subarray(y * width, (y + 1) * width), (y & 1) * this.#rowBytes);
      yield* this.#writeTaken();
    }
  }

  *#writeTaken(): Generator<Uint8Array> {
    const { filtered, above } = this.#filtered(this.#filter);
    const codes = this.#codes.byteOffset;
    this.#kernel.writeRow(filtered, above, this.#size.width, codes, this.#state.byteOffset);
    this.#next++;
    if (this.#written < PIECE_BYTES) return;
    yield this.#out.slice(0, this.#written);
    this.#state[0] = this.#out.byteOffset;
  }

  get #written(): number {
    return this.#state[0]! - this.#out.byteOffset;
  }

  /** What is left when the last row is written. */
  finish(): Uint8Array {
    const bytes = Math.ceil(this.#state[1]! / 8);
    const rest = new Uint8Array(new Uint32Array([this.#state[2]!, this.#state[3]!]).buffer, 0, bytes);
    return Uint8Array.of(...this.#out.subarray(0, this.#written), ...rest);
  }
}

/** Codes for a plane's symbols, the stream's start that tells them (§3.4, §3.7), and bits of the whole stream. */
function planStream(counts: Uint32Array): { codes: Uint32Array; start: BitList; bits: number } {
  const green = codeLengths(counts.subarray(0, GREEN_SYMBOLS));
  const distanceCounts = new Uint32Array(DISTANCE_SYMBOLS);
  distanceCounts.set(counts.subarray(GREEN_SYMBOLS));
  const distance = codeLengths(distanceCounts);
  const start = new BitList();
  // No transform, no colour cache, one group of prefix codes: green and lengths, red, blue, alpha, distance.
  start.put(0, 3);
  const unused = new Uint8Array(256);
  for (const lengths of [green, unused, unused, unused, distance]) writePrefixCode(start, lengths);
  const codes = new Uint32Array(SYMBOLS);
  codes.set(canonicalCodes(green));
  codes.set(canonicalCodes(distance).subarray(0, DISTANCES), GREEN_SYMBOLS);
  let bits = start.length;
  for (let symbol = 0; symbol < SYMBOLS; symbol++)
    bits += counts[symbol]! * ((codes[symbol]! >>> 16) + extraBits(symbol));
  return { codes, start, bits };
}

function extraBits(symbol: number): number {
  const length = symbol - 256;
  return length < 4 || length >= 24 ? 0 : (length - 2) >> 1;
}
