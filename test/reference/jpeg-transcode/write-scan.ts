import {
  codeTables,
  fileEnd,
  fileStart,
  frameHeader,
  type PlacedCode,
  type ScanHeader,
  scanHeader,
} from '../../../src/image/formats/jpeg/encode/header-segments.ts';
import { type HuffmanCode, huffmanCode } from '../../../src/image/formats/jpeg/encode/huffman-code.ts';
import type { Coefficients } from './coefficients.ts';
import { progressiveTokens, sequentialTokens, type Token } from './tokens.ts';

/** How often each symbol of the four tables occurs. */
export function frequenciesOf(tokens: readonly Token[]): Uint32Array[] {
  const frequencies = Array.from({ length: 4 }, () => new Uint32Array(256));
  for (const { table, symbol } of tokens) frequencies[table]![symbol]!++;
  return frequencies;
}

/** A progressive scan with its tables and its header. */
export function writeProgressive(picture: Coefficients, scan: ScanHeader): Uint8Array {
  const tokens = progressiveTokens(picture, scan);
  return withTables(tokens, scan);
}

/** A whole sequential file of rows of MCUs `from` … `to` − 1, with quantisation tables of ones. */
export function writeSequential(picture: Coefficients, from: number, to: number): Uint8Array {
  const { layout } = picture;
  const height = Math.min(layout.height, to * layout.mcuSide) - from * layout.mcuSide;
  const components = layout.components.map((_, index) => index);
  const scan = { components, first: 0, last: 63, high: 0, low: 0 };
  const table = (slot: number) => [0xff, 0xdb, 0, 67, slot, ...new Array<number>(64).fill(1)];
  return joined([
    fileStart,
    Uint8Array.from([...table(0), ...table(1)]),
    frameHeader({ ...layout, height }, false),
    withTables(sequentialTokens(picture, from, to), scan),
    fileEnd,
  ]);
}

function withTables(tokens: readonly Token[], scan: ScanHeader): Uint8Array {
  const codes: (HuffmanCode | undefined)[] = frequenciesOf(tokens).map((frequency) =>
    frequency.some((count) => count > 0) ? huffmanCode(frequency) : undefined,
  );
  const placed = codes.flatMap((code, index): PlacedCode[] =>
    code === undefined ? [] : [{ class: index % 2 === 0 ? 0 : 1, slot: index >> 1, code }],
  );
  const tables = placed.length > 0 ? [codeTables(placed)] : [];
  return joined([...tables, scanHeader(scan), entropyCoded(tokens, codes)]);
}

/** Bits to bytes: filled up with ones, a zero behind every 0xFF. */
export function entropyCoded(tokens: readonly Token[], codes: readonly (HuffmanCode | undefined)[]): Uint8Array {
  const words = tokens.map(({ table, symbol, bits }) => {
    const entry = codes[table]!.table[symbol]!;
    return (entry >> 5).toString(2).padStart(entry & 31, '0') + bits;
  });
  const all = words.join('');
  const filled = all.padEnd(Math.ceil(all.length / 8) * 8, '1');
  const bytes: number[] = [];
  for (let at = 0; at < filled.length; at += 8) {
    const byte = Number.parseInt(filled.slice(at, at + 8), 2);
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
  }
  return Uint8Array.from(bytes);
}

export function joined(parts: Iterable<Uint8Array>): Uint8Array {
  const all = [...parts];
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
