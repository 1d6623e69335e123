import type { ScanHeader } from '../../../src/image/formats/jpeg/encode/header-segments.ts';
import type { Coefficients } from './coefficients.ts';

/** A symbol of the table at `table` (DC and AC of luma, DC and AC of chroma; -1: none) and the bits behind it. */
export interface Token {
  readonly table: number;
  readonly symbol: number;
  readonly bits: string;
}

/** Correction bits that the kernel lets wait before it ends a run of blocks (its own choice: T.81 leaves it open). */
const MOST_WAITING = 900;

/** One scan of a progressive JPEG as T.81 annex G says it, coefficient by coefficient. */
export function progressiveTokens(picture: Coefficients, scan: ScanHeader): Token[] {
  if (scan.first === 0) return dcTokens(picture);
  return scan.high === 0 ? acFirstTokens(picture, scan) : acRefinementTokens(picture, scan);
}

/** One scan of everything, as T.81 annex F says it. @param rows rows of MCUs, from … to − 1 */
export function sequentialTokens(picture: Coefficients, from: number, to: number): Token[] {
  return [...interleaved(picture, from, to)].flatMap(({ component, block, before }) => {
    const chroma = component === 0 ? 0 : 2;
    const dc = dcToken(chroma, block === undefined ? 0 : block[0]! - before);
    return block === undefined
      ? [dc, { table: chroma + 1, symbol: 0, bits: '' }]
      : [dc, ...acTokens(chroma + 1, block)];
  });
}

function dcTokens(picture: Coefficients): Token[] {
  return [...interleaved(picture, 0, picture.layout.mcusDown)].map(({ component, block, before }) =>
    dcToken(component === 0 ? 0 : 2, block === undefined ? 0 : block[0]! - before),
  );
}

/** Blocks in the order of MCUs, undefined where they are padding, with the DC coefficient before. */
function* interleaved({ layout, blocks }: Coefficients, from: number, to: number) {
  const before = layout.components.map(() => 0);
  for (let mcu = from * layout.mcusAcross; mcu < to * layout.mcusAcross; mcu++) {
    const mcuX = mcu % layout.mcusAcross;
    const mcuY = Math.floor(mcu / layout.mcusAcross);
    for (const [component, { horizontal, vertical, across, down }] of layout.components.entries()) {
      for (let index = 0; index < horizontal * vertical; index++) {
        const x = mcuX * horizontal + (index % horizontal);
        const y = mcuY * vertical + Math.floor(index / horizontal);
        const at = (y * across + x) * 64;
        const block = x < across && y < down ? blocks[component]!.subarray(at, at + 64) : undefined;
        yield { component, block, before: before[component]! };
        if (block !== undefined) before[component] = block[0]!;
      }
    }
  }
}

function dcToken(table: number, difference: number): Token {
  return { table, symbol: sizeOf(difference), bits: signedBits(difference) };
}

function acTokens(table: number, block: Int16Array): Token[] {
  const tokens: Token[] = [];
  let run = 0;
  for (let k = 1; k < 64; k++) {
    const value = block[k]!;
    if (value === 0) run++;
    else {
      for (; run > 15; run -= 16) tokens.push({ table, symbol: 0xf0, bits: '' });
      tokens.push({ table, symbol: run * 16 + sizeOf(value), bits: signedBits(value) });
      run = 0;
    }
  }
  if (run > 0) tokens.push({ table, symbol: 0, bits: '' });
  return tokens;
}

/** A run of blocks that end before the band does, with the correction bits that wait for its end. */
class Run {
  readonly tokens: Token[];
  blocks = 0;
  waiting = '';

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  add(corrections: string): void {
    this.blocks++;
    this.waiting += corrections;
    if (this.blocks === 0x7fff || this.waiting.length > MOST_WAITING) this.end();
  }

  end(): void {
    if (this.blocks === 0) return;
    const binary = this.blocks.toString(2);
    this.tokens.push({ table: 1, symbol: (binary.length - 1) * 16, bits: binary.slice(1) + this.waiting });
    this.blocks = 0;
    this.waiting = '';
  }
}

function acFirstTokens({ blocks }: Coefficients, { components, first, last, low }: ScanHeader): Token[] {
  const tokens: Token[] = [];
  const run = new Run(tokens);
  const values = blocks[components[0]!]!;
  for (let at = 0; at < values.length; at += 64) {
    let zeros = 0;
    for (let k = first; k <= last; k++) {
      const value = shifted(values[at + k]!, low);
      if (value === 0) zeros++;
      else {
        run.end();
        for (; zeros > 15; zeros -= 16) tokens.push({ table: 1, symbol: 0xf0, bits: '' });
        tokens.push({ table: 1, symbol: zeros * 16 + sizeOf(value), bits: signedBits(value) });
        zeros = 0;
      }
    }
    if (zeros > 0) run.add('');
  }
  run.end();
  return tokens;
}

function acRefinementTokens({ blocks }: Coefficients, { components, first, last, low }: ScanHeader): Token[] {
  const tokens: Token[] = [];
  const run = new Run(tokens);
  const values = blocks[components[0]!]!;
  for (let at = 0; at < values.length; at += 64) {
    const band = Array.from(values.subarray(at + first, at + last + 1), (value) => shifted(value, low));
    const lastNew = band.findLastIndex((value) => Math.abs(value) === 1);
    let zeros = 0;
    let corrections = '';
    for (const [k, value] of band.entries()) {
      if (value === 0) {
        zeros++;
        continue;
      }
      for (; zeros > 15 && k <= lastNew; zeros -= 16) {
        run.end();
        tokens.push({ table: 1, symbol: 0xf0, bits: corrections });
        corrections = '';
      }
      if (Math.abs(value) > 1) corrections += Math.abs(value) & 1;
      else {
        run.end();
        tokens.push({ table: 1, symbol: zeros * 16 + 1, bits: (value > 0 ? '1' : '0') + corrections });
        corrections = '';
        zeros = 0;
      }
    }
    if (zeros > 0 || corrections !== '') run.add(corrections);
  }
  run.end();
  return tokens;
}

/** Divided by 2^low, towards zero (T.81 G.1.2.1). */
function shifted(value: number, low: number): number {
  return Math.trunc(value / 2 ** low);
}

function sizeOf(value: number): number {
  return value === 0 ? 0 : Math.abs(value).toString(2).length;
}

/** T.81 F.1.2.1: negative values as their complement of ones. */
function signedBits(value: number): string {
  if (value === 0) return '';
  const binary = Math.abs(value).toString(2);
  return value > 0 ? binary : [...binary].map((bit) => (bit === '0' ? '1' : '0')).join('');
}
