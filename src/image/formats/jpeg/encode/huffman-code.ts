/** A Huffman code as DHT stores it, and by symbol. */
export interface HuffmanCode {
  /** Number of codes of 1 … 16 bits. */
  readonly counts: Uint8Array;
  /** In order of their codes. */
  readonly symbols: Uint8Array;
  /** By symbol: code << 5 | length; 0 where there is none. */
  readonly table: Uint32Array;
}

const LONGEST = 16;

/**
 * The Huffman code that fits symbols best that occur so often (T.81 K.2): no code is longer than 16 bits, and none is all ones. At
 * most 256 symbols; what does not occur gets no code.
 */
export function huffmanCode(frequencies: Uint32Array): HuffmanCode {
  const lengths = codeLengths(frequencies);
  const used = [...lengths.keys()].filter((symbol) => symbol < 256 && lengths[symbol]! > 0);
  used.sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  const counts = limitedCounts(lengths);
  return { counts, symbols: Uint8Array.from(used), table: codes(counts, used) };
}

/**
 * Lengths of the codes of an unlimited Huffman code by symbol. Two queues: symbols by weight, and pairs, which come about in the
 * order of their weight. A 257th symbol, lighter than all, reserves the code that is all ones.
 */
function codeLengths(frequencies: Uint32Array): Uint8Array {
  const used = [...frequencies.keys()].filter((symbol) => frequencies[symbol]! > 0);
  used.sort((a, b) => frequencies[a]! - frequencies[b]! || b - a);
  const leaves = [256, ...used];
  const weights = leaves.map((symbol) => (symbol === 256 ? 0 : frequencies[symbol]!));
  const parents: number[] = [];
  let leaf = 0;
  let pair = leaves.length;
  const takeLightest = () =>
    leaf < leaves.length && (pair >= weights.length || weights[leaf]! <= weights[pair]!) ? leaf++ : pair++;
  while (weights.length < 2 * leaves.length - 1) {
    const lighter = takeLightest();
    const heavier = takeLightest();
    parents[lighter] = weights.length;
    parents[heavier] = weights.length;
    weights.push(weights[lighter]! + weights[heavier]!);
  }
  const depths = new Uint8Array(weights.length);
  for (let node = weights.length - 2; node >= 0; node--) depths[node] = depths[parents[node]!]! + 1;
  const lengths = new Uint8Array(257);
  leaves.forEach((symbol, index) => {
    lengths[symbol] = depths[index]!;
  });
  return lengths;
}

/** Codes by length, brought down to 16 bits (T.81 figure K.3), without the reserved one. */
function limitedCounts(lengths: Uint8Array): Uint8Array {
  const counts = new Array<number>(258).fill(0);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  for (let length = 257; length > LONGEST; length--) {
    while (counts[length]! > 0) {
      let shorter = length - 2;
      while (counts[shorter] === 0) shorter--;
      counts[length]! -= 2;
      counts[length - 1]!++;
      counts[shorter + 1]! += 2;
      counts[shorter]!--;
    }
  }
  let longest = LONGEST;
  while (longest > 0 && counts[longest] === 0) longest--;
  counts[longest]!--;
  return Uint8Array.from(counts.slice(1, LONGEST + 1));
}

/** The codes themselves (T.81 C.2). */
function codes(counts: Uint8Array, symbols: readonly number[]): Uint32Array {
  const table = new Uint32Array(256);
  let code = 0;
  let next = 0;
  counts.forEach((count, index) => {
    for (let i = 0; i < count; i++) table[symbols[next++]!] = (code++ << 5) | (index + 1);
    code <<= 1;
  });
  return table;
}
