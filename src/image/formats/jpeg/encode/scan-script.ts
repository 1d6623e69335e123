import type { ScanHeader } from './header-segments.ts';
import { type HuffmanCode, huffmanCode } from './huffman-code.ts';
import type { ScanCoder, ScanCount } from './scan-coder.ts';

/** The scans of a picture in their order; `sequential`: one for everything, which small pictures are smaller with. */
export type ScanScript =
  | { readonly kind: 'sequential' }
  | { readonly kind: 'progressive'; readonly scans: ScanHeader[] };

/** Blocks of luma that are enough to choose by. */
const SAMPLED_BLOCKS = 12_288;
/** How many of the lowest bits may be left to refinement scans: of luma, of chroma. */
const MOST_LOW_BITS = [3, 2, 2] as const;
/** Where the spectrum may be divided in two (63: not at all), as mozjpeg tries it: first for every number of bits, then for the best. */
const USUAL_DIVISIONS = [2, 8, 63] as const;
const OTHER_DIVISIONS = [5, 12, 18] as const;
/** SOS and DHT markers of a scan of one component, without symbols. */
const SCAN_BYTES = 10 + 5 + 16;

/** Chooses by counting, in a sample of the rows, the script that gives the smallest file. */
export function chooseScans(coder: ScanCoder, components: number, lumaBlocks: number): ScanScript {
  const sample = new Sample(coder, Math.max(1, Math.floor(lumaBlocks / SAMPLED_BLOCKS)));
  const all = Array.from({ length: components }, (_, index) => index);
  const dc = scan(all, 0, 0, 0, 0);
  const chosen = all.map((index) => chooseAc(sample, index));
  const progressive = sample.bytes(dc) + chosen.reduce((sum, { bytes }) => sum + bytes, 0);
  if (sample.sequentialBytes() <= progressive) return { kind: 'sequential' };
  return { kind: 'progressive', scans: [dc, ...chosen.flatMap(({ coarse }) => coarse), ...refinements(chosen)] };
}

/** Scans of one component: first those of the coarse values, then a bit more of all of them at a time. */
interface AcScans {
  readonly coarse: readonly ScanHeader[];
  readonly fine: readonly ScanHeader[];
  readonly fineBytes: number;
  readonly bytes: number;
}

/** What many bits are worth most comes first, of all components. */
function refinements(chosen: readonly AcScans[]): ScanHeader[] {
  return chosen.flatMap(({ fine }) => fine).sort((a, b) => b.low - a.low);
}

/** First how many bits to leave to refinement, then where to divide the spectrum. */
function chooseAc(sample: Sample, component: number): AcScans {
  let fine: Pick<AcScans, 'fine' | 'fineBytes'> = { fine: [], fineBytes: 0 };
  let best: AcScans | undefined;
  for (let low = 0; low <= MOST_LOW_BITS[component]!; low++) {
    if (low > 0) fine = refinedFrom(sample, component, low, fine);
    for (const division of USUAL_DIVISIONS) best = smaller(best, dividedAt(sample, component, division, fine));
  }
  for (const division of OTHER_DIVISIONS) best = smaller(best, dividedAt(sample, component, division, best!));
  return best!;
}

function smaller(a: AcScans | undefined, b: AcScans): AcScans {
  return a !== undefined && a.bytes <= b.bytes ? a : b;
}

/** Leaves one bit more to refinement. */
function refinedFrom(
  sample: Sample,
  component: number,
  low: number,
  { fine, fineBytes }: Pick<AcScans, 'fine' | 'fineBytes'>,
): Pick<AcScans, 'fine' | 'fineBytes'> {
  const more = scan([component], 1, 63, low, low - 1);
  return { fine: [more, ...fine], fineBytes: fineBytes + sample.bytes(more) };
}

/** The coarse values in one scan, or in two. */
function dividedAt(
  sample: Sample,
  component: number,
  division: number,
  { fine, fineBytes }: Pick<AcScans, 'fine' | 'fineBytes'>,
): AcScans {
  const coarse = [scan([component], 1, division, 0, fine.length)];
  if (division < 63) coarse.push(scan([component], division + 1, 63, 0, fine.length));
  const bytes = coarse.reduce((sum, each) => sum + sample.bytes(each), fineBytes);
  return { coarse, fine, fineBytes, bytes };
}

function scan(components: readonly number[], first: number, last: number, high: number, low: number): ScanHeader {
  return { components, first, last, high, low };
}

/** Estimates the bytes of scans. */
class Sample {
  readonly #coder: ScanCoder;
  readonly #stride: number;

  constructor(coder: ScanCoder, stride: number) {
    this.#coder = coder;
    this.#stride = stride;
  }

  bytes(header: ScanHeader): number {
    const count = this.#coder.count(header, this.#stride);
    if (header.first === 0) return this.#scaled([0, 2], count);
    return this.#scaled([1], count);
  }

  sequentialBytes(): number {
    return this.#scaled([0, 1, 2, 3], this.#coder.countSequential(this.#stride));
  }

  #scaled(tables: readonly number[], { frequencies, corrections }: ScanCount): number {
    let bits = corrections;
    let header = SCAN_BYTES;
    for (const index of tables) {
      const frequency = frequencies[index]!;
      const code = huffmanCode(frequency);
      bits += codedBits(frequency, code, index % 2 === 0 ? (symbol) => symbol : acBits);
      header += code.symbols.length + 17;
    }
    return (bits * this.#stride) / 8 + header;
  }
}

/** Bits behind an AC symbol: of the coefficient (its sign in refinement scans), or of the length of a run of blocks. */
function acBits(symbol: number): number {
  const size = symbol & 15;
  return size > 0 || symbol === 0xf0 ? size : symbol >> 4;
}

function codedBits(frequencies: Uint32Array, { table }: HuffmanCode, extra: (symbol: number) => number): number {
  return frequencies.reduce((sum, count, symbol) => sum + count * ((table[symbol]! & 31) + extra(symbol)), 0);
}
