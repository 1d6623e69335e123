import { Layout } from './state';

/** Bits of a symbol in an entry to be sorted by frequency. */
const SYMBOL_BITS: i32 = 9;

@inline
function at(base: usize, index: i32): usize {
  return base + (<usize>index << 2);
}

/** Collects the symbols that occur, two at the least: a code of a single symbol is not complete. Returns how many. */
function collect(work: usize, tally: usize, symbols: i32): i32 {
  const sorted = work + Layout.sorted;
  let used = 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const frequency = load<u32>(at(tally, symbol));
    if (frequency > 0) store<u32>(at(sorted, used++), (frequency << SYMBOL_BITS) | <u32>symbol);
  }
  for (let symbol = 0; used < 2; symbol++) {
    if (load<u32>(at(tally, symbol)) == 0) store<u32>(at(sorted, used++), (1 << SYMBOL_BITS) | <u32>symbol);
  }
  return used;
}

/** Shell sort, the rarest first. */
function sort(list: usize, length: i32): void {
  for (let gap = 121; gap > 0; gap /= 3) {
    for (let i = gap; i < length; i++) {
      const value = load<u32>(at(list, i));
      let j = i;
      for (; j >= gap && load<u32>(at(list, j - gap)) > value; j -= gap) {
        store<u32>(at(list, j), load<u32>(at(list, j - gap)));
      }
      store<u32>(at(list, j), value);
    }
  }
}

/**
 * Code lengths of sorted frequencies, in place of them (Moffat and Katajainen, "In-place calculation of minimum-redundancy
 * codes", 1995): first the parents of the tree's nodes, then their depths, then those of the leaves.
 */
function depthsInPlace(list: usize, length: i32): void {
  let root = 0;
  let leaf = 0;
  for (let next = 0; next < length - 1; next++) {
    let sum: u32 = 0;
    for (let child = 0; child < 2; child++) {
      if (leaf < length && (root >= next || load<u32>(at(list, leaf)) <= load<u32>(at(list, root)))) {
        sum += load<u32>(at(list, leaf++));
      } else {
        sum += load<u32>(at(list, root));
        store<u32>(at(list, root++), next);
      }
    }
    store<u32>(at(list, next), sum);
  }
  store<u32>(at(list, length - 2), 0);
  for (let next = length - 3; next >= 0; next--) {
    store<u32>(at(list, next), load<u32>(at(list, load<u32>(at(list, next)))) + 1);
  }
  let free = 1;
  let depth: u32 = 0;
  root = length - 2;
  for (let next = length - 1; free > 0; depth++) {
    let inner = 0;
    for (; root >= 0 && load<u32>(at(list, root)) == depth; root--) inner++;
    for (; free > inner; free--) store<u32>(at(list, next--), depth);
    free = 2 * inner;
  }
}

/** Counts codes of each length, none over `limit`, and shortens and lengthens as few as it takes for them to fit. */
function countLengths(counts: usize, list: usize, length: i32, limit: i32): void {
  memory.fill(counts, 0, 4 * 32);
  let taken: i32 = 0;
  for (let i = 0; i < length; i++) {
    const bits = min(<i32>load<u32>(at(list, i)), limit);
    store<u32>(at(counts, bits), load<u32>(at(counts, bits)) + 1);
    taken += 1 << (limit - bits);
  }
  // In units of the longest code: a shorter one that becomes two of the next length takes in one that is too many.
  for (; taken > 1 << limit; taken--) {
    let bits = limit - 1;
    while (load<u32>(at(counts, bits)) == 0) bits--;
    store<u32>(at(counts, bits), load<u32>(at(counts, bits)) - 1);
    store<u32>(at(counts, bits + 1), load<u32>(at(counts, bits + 1)) + 2);
    store<u32>(at(counts, limit), load<u32>(at(counts, limit)) - 1);
  }
}

/**
 * Code lengths for symbols with these frequencies (u32, their sum below 2²³): as short as a Huffman code's, at most `limit` bits each.
 * @param lengths u8 for each symbol
 */
export function makeLengths(work: usize, tally: usize, symbols: i32, limit: i32, lengths: usize): void {
  const sorted = work + Layout.sorted;
  const nodes = work + Layout.nodes;
  const counts = work + Layout.counts;
  const used = collect(work, tally, symbols);
  sort(sorted, used);
  for (let i = 0; i < used; i++) store<u32>(at(nodes, i), load<u32>(at(sorted, i)) >> SYMBOL_BITS);
  depthsInPlace(nodes, used);
  countLengths(counts, nodes, used, limit);
  memory.fill(lengths, 0, symbols);
  let i = 0;
  for (let bits = limit; bits > 0; bits--) {
    for (let left = load<u32>(at(counts, bits)); left > 0; left--) {
      const symbol = load<u32>(at(sorted, i++)) & ((1 << SYMBOL_BITS) - 1);
      store<u8>(lengths + symbol, bits);
    }
  }
}

/** The codes of these lengths (RFC 1951, 3.2.2), each with its first bit lowest and its length from bit 16 on. */
export function makeCodes(work: usize, lengths: usize, symbols: i32, codes: usize): void {
  const counts = work + Layout.counts;
  memory.fill(counts, 0, 4 * 32);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const counter = at(counts, load<u8>(lengths + symbol));
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let code: u32 = 0;
  store<u32>(counts, 0);
  let before: u32 = 0;
  for (let bits = 1; bits < 16; bits++) {
    code = (code + before) << 1;
    before = load<u32>(at(counts, bits));
    store<u32>(at(counts, bits), code);
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const bits = <i32>load<u8>(lengths + symbol);
    const value = load<u32>(at(counts, bits));
    if (bits > 0) store<u32>(at(counts, bits), value + 1);
    store<u32>(at(codes, symbol), bits == 0 ? 0 : reversed(value, bits) | (<u32>bits << 16));
  }
}

@inline
function reversed(code: u32, bits: i32): u32 {
  let value = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555);
  value = ((value & 0x3333) << 2) | ((value >> 2) & 0x3333);
  value = ((value & 0x0f0f) << 4) | ((value >> 4) & 0x0f0f);
  value = ((value & 0x00ff) << 8) | ((value >> 8) & 0x00ff);
  return value >> (16 - bits);
}
