import type { BitList } from './bit-list.ts';

/** The longest code of VP8L (RFC 9649 §3.7.2.1). */
const LONGEST = 15;

/**
 * Lengths of the prefix code that codes symbols of these counts shortest, none longer than `longest` bits; 0 for symbols that
 * do not occur. Rare symbols are taken for less rare until the code is short enough.
 */
export function codeLengths(counts: Uint32Array, longest = LONGEST): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  for (let least = 1; ; least *= 2) {
    huffman(counts, least, lengths);
    if (lengths.every((length) => length <= longest)) return lengths;
  }
}

interface Node {
  readonly weight: number;
  readonly symbols: readonly number[];
}

function huffman(counts: Uint32Array, least: number, lengths: Uint8Array): void {
  lengths.fill(0);
  const used = [...counts.keys()].filter((symbol) => counts[symbol]! > 0);
  if (used.length === 1) lengths[used[0]!] = 1;
  let nodes: Node[] = used.map((symbol) => ({ weight: Math.max(counts[symbol]!, least), symbols: [symbol] }));
  nodes.sort((a, b) => a.weight - b.weight);
  while (nodes.length > 1) {
    const [a, b, ...rest] = nodes as [Node, Node, ...Node[]];
    const merged = { weight: a.weight + b.weight, symbols: [...a.symbols, ...b.symbols] };
    for (const symbol of merged.symbols) lengths[symbol]!++;
    const at = rest.findIndex(({ weight }) => weight > merged.weight);
    nodes = at < 0 ? [...rest, merged] : [...rest.slice(0, at), merged, ...rest.slice(at)];
  }
}

/** Canonical codes (§3.7.2): bits with the first lowest, and the length from bit 16 on. A lone symbol takes no bits. */
export function canonicalCodes(lengths: Uint8Array): Uint32Array {
  const codes = new Uint32Array(lengths.length);
  if (lengths.filter((length) => length > 0).length < 2) return codes;
  let code = 0;
  for (let length = 1; length <= LONGEST; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] === length) codes[symbol] = reversed(code++, length) | (length << 16);
    }
    code <<= 1;
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let bits = 0;
  for (let i = 0; i < length; i++) bits |= ((code >> i) & 1) << (length - 1 - i);
  return bits;
}

/** Order in which the lengths of the code for code lengths are written (§3.7.2.1.2). */
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const LONGEST_LENGTH_CODE = 7;

/** Writes a prefix code (§3.7.2.1): the short form for one literal or none, the lengths otherwise. */
export function writePrefixCode(to: BitList, lengths: Uint8Array): void {
  const used = [...lengths.keys()].filter((symbol) => lengths[symbol]! > 0);
  if (used.length < 2 && (used[0] ?? 0) < 256) {
    to.put(1, 1);
    to.put(0, 1);
    to.put(1, 1);
    to.put(used[0] ?? 0, 8);
    return;
  }
  const steps = lengthSteps(lengths);
  const counts = new Uint32Array(19);
  for (const { symbol } of steps) counts[symbol]!++;
  const ofLengths = codeLengths(counts, LONGEST_LENGTH_CODE);
  const codes = canonicalCodes(ofLengths);
  const written = Math.max(4, LENGTH_ORDER.findLastIndex((symbol) => ofLengths[symbol]! > 0) + 1);
  to.put(0, 1);
  to.put(written - 4, 4);
  for (const symbol of LENGTH_ORDER.slice(0, written)) to.put(ofLengths[symbol]!, 3);
  to.put(0, 1);
  for (const { symbol, extra, bits } of steps) {
    to.put(codes[symbol]! & 0xffff, codes[symbol]! >>> 16);
    to.put(extra, bits);
  }
}

interface LengthStep {
  readonly symbol: number;
  readonly extra: number;
  readonly bits: number;
}

/** Code lengths with runs of zeros shortened (symbols 17 and 18). */
function lengthSteps(lengths: Uint8Array): LengthStep[] {
  const steps: LengthStep[] = [];
  for (let at = 0; at < lengths.length; ) {
    let zeros = 0;
    while (zeros < 138 && lengths[at + zeros] === 0) zeros++;
    if (zeros >= 11) steps.push({ symbol: 18, extra: zeros - 11, bits: 7 });
    else if (zeros >= 3) steps.push({ symbol: 17, extra: zeros - 3, bits: 3 });
    else steps.push({ symbol: lengths[at]!, extra: 0, bits: 0 });
    at += zeros >= 3 ? zeros : 1;
  }
  return steps;
}
