import { log2 } from './logarithm';
import { countItem, Deflater, Layout, LITERALS, MOST_PARTS, SYMBOLS, TALLY_BYTES } from './state';

/** What the description of a block's codes takes: in all, and for each symbol that occurs. In bits, by experience. */
const BLOCK_BITS: f32 = 90;
const SYMBOL_BITS: f32 = 3;

/** Tallies of the symbols before each part, and before the end. Returns how many parts there are. */
function tallyParts(state: Deflater): i32 {
  const work = changetype<usize>(state);
  const items = work + Layout.items;
  const size = 1 << state.partBits;
  const parts = max((state.itemCount + size - 1) >> state.partBits, 1);
  let tally = work + Layout.partTallies;
  memory.fill(tally, 0, TALLY_BYTES);
  for (let part = 0; part < parts; part++) {
    memory.copy(tally + TALLY_BYTES, tally, TALLY_BYTES);
    tally += TALLY_BYTES;
    const end = min((part + 1) << state.partBits, state.itemCount);
    for (let i = part << state.partBits; i < end; i++) countItem(tally, load<u32>(items + (<usize>i << 2)));
  }
  return parts;
}

/** Bits of the parts from `first` up to `end` as one block, extra bits left out, as entropy has it. */
function blockBits(work: usize, first: i32, end: i32): f32 {
  const before = work + Layout.partTallies + <usize>first * TALLY_BYTES;
  const behind = work + Layout.partTallies + <usize>end * TALLY_BYTES;
  let bits = BLOCK_BITS;
  let sum: u32 = 1;
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    if (symbol == LITERALS) {
      bits += <f32>sum * log2(work, sum);
      sum = 0;
    }
    const at = <usize>symbol << 2;
    const frequency = load<u32>(behind + at) - load<u32>(before + at);
    if (frequency == 0) continue;
    sum += frequency;
    bits += SYMBOL_BITS - <f32>frequency * log2(work, frequency);
  }
  return sum == 0 ? bits : bits + <f32>sum * log2(work, sum);
}

@inline
function at(base: usize, index: i32): usize {
  return base + (<usize>index << 2);
}

/**
 * Divides the gathered symbols into the blocks that take the fewest bits. Leaves, for each block, the part that it ends before, in
 * `partStarts`; the state's `blocks` counts them.
 */
export function divide(state: Deflater): void {
  const work = changetype<usize>(state);
  const parts = tallyParts(state);
  const costs = work + Layout.partCosts;
  const starts = work + Layout.partStarts;
  store<f32>(costs, 0);
  for (let end = 1; end <= parts; end++) {
    let least: f32 = f32.MAX_VALUE;
    for (let first = 0; first < end; first++) {
      const bits = load<f32>(at(costs, first)) + blockBits(work, first, end);
      if (bits >= least) continue;
      least = bits;
      store<i32>(at(starts, end), first);
    }
    store<f32>(at(costs, end), least);
  }
  // From the chain of starts to a list of ends, in place: the chain is read from its end, the list is built there.
  let blocks = 0;
  let list = MOST_PARTS;
  for (let end = parts; end > 0; blocks++) {
    const first = load<i32>(at(starts, end));
    store<i32>(at(starts, list--), end);
    end = first;
  }
  memory.copy(starts, at(starts, list + 1), <usize>blocks << 2);
  state.blocks = blocks;
}

/** The tally of a block: of the parts from `first` up to `end`, and of its end. */
export function tallyBlock(work: usize, first: i32, end: i32): void {
  const before = work + Layout.partTallies + <usize>first * TALLY_BYTES;
  const behind = work + Layout.partTallies + <usize>end * TALLY_BYTES;
  const tally = work + Layout.tally;
  for (let i: usize = 0; i < TALLY_BYTES; i += 16) {
    v128.store(tally + i, i32x4.sub(v128.load(behind + i), v128.load(before + i)));
  }
  store<u32>(tally + 256 * 4, 1);
}
