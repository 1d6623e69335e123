import { codeTables, fileEnd, fileStart, frameHeader, type PlacedCode, scanHeader } from './header-segments.ts';
import { type HuffmanCode, huffmanCode } from './huffman-code.ts';
import type { KeptPicture } from './kept-picture.ts';
import type { ScanCoder, ScanCount } from './scan-coder.ts';
import { chooseScans } from './scan-script.ts';

type Piece = Uint8Array<ArrayBuffer>;

/** DC sizes and AC symbols that 8-bit samples can make (T.81 tables F.1 and F.2; one DC size more than the table for good measure). */
const dcSymbols = Array.from({ length: 13 }, (_, size) => size);
const acSymbols = Array.from({ length: 256 }, (_, symbol) => symbol).filter((symbol) => {
  const size = symbol & 15;
  return size === 0 ? symbol === 0 || symbol === 0xf0 : size <= 10;
});

/**
 * Writes the file of a picture that is kept. One that is too much to be kept whole is written sequentially on the way, with
 * Huffman codes that fit what is there when room runs out.
 */
export class JpegWriter {
  readonly #kept: KeptPicture;
  readonly #coder: ScanCoder;
  #spilled = false;

  constructor(kept: KeptPicture, coder: ScanCoder) {
    this.#kept = kept;
    this.#coder = coder;
  }

  /** Writes what is kept and forgets it: there is no room for more. */
  *spill(): Generator<Piece> {
    if (!this.#spilled) yield* this.#startSequential(this.#coder.countSequential(), true);
    this.#spilled = true;
    yield* this.#coder.writeSequential();
    this.#kept.forget();
  }

  /** Writes the rest, once the whole picture was kept or written. */
  *finish(): Generator<Piece> {
    if (this.#spilled) {
      yield* this.#coder.writeSequential();
      yield* this.#coder.end();
    } else {
      yield* this.#writeWhole();
    }
    yield fileEnd.slice();
  }

  *#writeWhole(): Generator<Piece> {
    const { components } = this.#kept.layout;
    const [luma] = components;
    const script = chooseScans(this.#coder, components.length, luma!.across * luma!.down);
    if (script.kind === 'sequential') {
      yield* this.#startSequential(this.#coder.countSequential(), false);
      yield* this.#coder.writeSequential();
      yield* this.#coder.end();
      return;
    }
    yield this.#fileHeader(true);
    for (const scan of script.scans) yield* this.#coder.write(scan);
  }

  /** @param more whether symbols may come that were not counted */
  *#startSequential({ frequencies }: ScanCount, more: boolean): Generator<Piece> {
    const codes = frequencies.map((frequency, index): PlacedCode => {
      const kind = index % 2 === 0 ? 0 : 1;
      const code = more ? codeOfAll(frequency, kind === 0 ? dcSymbols : acSymbols) : huffmanCode(frequency);
      return { class: kind, slot: index >> 1, code };
    });
    yield this.#fileHeader(false);
    yield codeTables(codes);
    const components = this.#kept.layout.components.map((_, index) => index);
    yield scanHeader({ components, first: 0, last: 63, high: 0, low: 0 });
    this.#coder.begin(codes);
  }

  #fileHeader(progressive: boolean): Piece {
    const { layout, quantTables } = this.#kept;
    if (quantTables === undefined) throw new RangeError('a picture without strips');
    const header = frameHeader(layout, progressive);
    const whole = new Uint8Array(fileStart.length + quantTables.length + header.length);
    whole.set(fileStart);
    whole.set(quantTables, fileStart.length);
    whole.set(header, fileStart.length + quantTables.length);
    return whole;
  }
}

/** A code for all symbols, also for those that have not occurred yet. */
function codeOfAll(frequencies: Uint32Array, symbols: readonly number[]): HuffmanCode {
  const padded = frequencies.slice();
  for (const symbol of symbols) padded[symbol]!++;
  return huffmanCode(padded);
}
