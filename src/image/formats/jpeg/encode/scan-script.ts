import { type HuffmanCode, huffmanCode } from './huffman-code.ts';
import type { ScanCoder, ScanCount } from './scan-coder.ts';
import type { ScanHeader } from './write-segments.ts';

/** The scans of a picture in their order; `sequential`: one for everything, which small pictures are smaller with. */
export type ScanScript =
  | { readonly kind: 'sequential' }
  | { readonly kind: 'progressive'; readonly scans: ScanHeader[] };

/** Blocks of luma that are enough to choose by. */
const SAMPLED_BLOCKS = 24_576;
/** How many of the lowest bits may be left to refinement scans: of luma, of chroma. */
const MOST_LOW_BITS = [3, 2, 2] as const;
/** Where a band may be divided in two; 63: not at all. As mozjpeg tries them. */
const DIVISIONS = [2, 5, 8, 12, 18, 63] as const;
/** SOS and DHT markers of a scan of one component, without symbols. */
const SCAN_BYTES = 10 + 5 + 16;

/** Chooses by counting, in a sample of the rows, the script that gives the smallest file. */
export function chooseScans(coder: ScanCoder, components: number, lumaBlocks: number): ScanScript {
  const sample = new Sample(coder, Math.max(1, Math.floor(lumaBlocks / SAMPLED_BLOCKS)));
  const dc = scan(
    Array.from({ length: components }, (_, index) => index),
    0,
    0,
    0,
    0,
  );
  const chosen = Array.from({ length: components }, (_, index) => chooseAc(sample, index));
  const progressive = sample.bytes(dc) + chosen.reduce((sum, { bytes }) => sum + bytes, 0);
  if (sample.sequentialBytes() <= progressive) return { kind: 'sequential' };
  return { kind: 'progressive', scans: [dc, ...chosen.flatMap(({ coarse }) => coarse), ...refinements(chosen)] };
}

interface ChosenAc {
  readonly coarse: readonly ScanHeader[];
  readonly fine: readonly ScanHeader[];
  readonly bytes: number;
}

/** What many bits are worth most comes first, of all components. */
function refinements(chosen: readonly ChosenAc[]): ScanHeader[] {
  return chosen.flatMap(({ fine }) => fine).sort((a, b) => b.low - a.low);
}

/** First how many bits to leave to refinement, as long as one more pays; then where to divide the spectrum. */
function chooseAc(sample: Sample, component: number): ChosenAc {
  let best = coarseScans(sample, component, 8, 0);
  let fine: ScanHeader[] = [];
  let fineBytes = 0;
  for (let low = 1; low <= MOST_LOW_BITS[component]!; low++) {
    const more = [scan([component], 1, 63, low, low - 1), ...fine];
    const moreBytes = fineBytes + sample.bytes(more[0]!);
    const coarse = coarseScans(sample, component, 8, low);
    if (coarse.bytes + moreBytes >= best.bytes + fineBytes) break;
    [best, fine, fineBytes] = [coarse, more, moreBytes];
  }
  for (const division of DIVISIONS) {
    if (division === 8) continue;
    const coarse = coarseScans(sample, component, division, fine.length);
    if (coarse.bytes < best.bytes) best = coarse;
  }
  return { coarse: best.scans, fine, bytes: best.bytes + fineBytes };
}

function coarseScans(sample: Sample, component: number, division: number, low: number) {
  const scans = [scan([component], 1, division, 0, low)];
  if (division < 63) scans.push(scan([component], division + 1, 63, 0, low));
  return { scans, bytes: scans.reduce((sum, each) => sum + sample.bytes(each), 0) };
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
    return this.#scaled([1], count, header.high > 0 ? () => 1 : acBits);
  }

  sequentialBytes(): number {
    return this.#scaled([0, 1, 2, 3], this.#coder.countSequential(this.#stride));
  }

  #scaled(tables: readonly number[], { frequencies, corrections }: ScanCount, ac = acBits): number {
    let bits = corrections;
    let header = SCAN_BYTES;
    for (const index of tables) {
      const frequency = frequencies[index]!;
      const code = huffmanCode(frequency);
      bits += codedBits(frequency, code, index % 2 === 0 ? (symbol) => symbol : ac);
      header += code.symbols.length + 17;
    }
    return (bits * this.#stride) / 8 + header;
  }
}

/** Bits behind an AC symbol: of the coefficient, or of the length of a run of blocks. */
function acBits(symbol: number): number {
  const size = symbol & 15;
  return size > 0 || symbol === 0xf0 ? size : symbol >> 4;
}

function codedBits(frequencies: Uint32Array, { table }: HuffmanCode, extra: (symbol: number) => number): number {
  return frequencies.reduce((sum, count, symbol) => sum + count * ((table[symbol]! & 31) + extra(symbol)), 0);
}
