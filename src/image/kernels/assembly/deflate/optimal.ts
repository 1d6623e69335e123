import { findInChain, insertOnly } from './chain';
import { log2 } from './logarithm';
import { findInTree } from './tree';
import {
  CACHE_BYTES, CACHE_MARGIN, CHUNK, count, countItem, Deflater, distanceExtra, distanceSymbol, DISTANCES, Layout,
  lengthExtra, lengthSymbol, LITERALS, LONGEST, LOOKAHEAD, SYMBOLS, TALLY_BYTES,
} from './state';

/** Costs are in parts of a bit. */
const SCALE: f32 = 16;

/**
 * Finds the matches of the next chunk. The cache has, for each position, its matches and then how many they are, so that it can be
 * read backwards. Positions that a long match covers have none. Returns the end of the cache.
 */
function findMatches(state: Deflater): usize {
  const work = changetype<usize>(state);
  const stop = min(state.next + CHUNK, state.ended ? state.end : state.end - LOOKAHEAD);
  const cacheEnd = work + Layout.cache + CACHE_BYTES - CACHE_MARGIN;
  const nice = state.nice;
  let cache = work + Layout.cache;
  let position = state.next;
  let covered = position;
  for (; position < stop && cache < cacheEnd; position++) {
    let found = cache;
    if (state.trees) found = findInTree(state, position, cache);
    else if (position < covered) insertOnly(state, position);
    else found = findInChain(state, position, cache);
    if (position < covered || found == cache) {
      store<u32>(cache, 0);
      cache += 4;
      continue;
    }
    store<u32>(found, (found - cache) >> 2);
    const longest = <i32>(load<u32>(found - 4) >> 16);
    cache = found + 4;
    if (longest >= nice) covered = position + longest;
  }
  state.chunk = state.next;
  state.chosenEnd = position;
  return cache;
}

/** Costs before anything is known of the data: those of the fixed codes, nearly. */
function guessCosts(work: usize): void {
  const tally = work + Layout.tally;
  memory.fill(tally, 0, TALLY_BYTES);
  for (let symbol = 0; symbol < 256; symbol++) store<u32>(tally + (<usize>symbol << 2), 4);
  for (let symbol = 256; symbol < LITERALS; symbol++) store<u32>(tally + (<usize>symbol << 2), 12);
  for (let symbol = LITERALS; symbol < SYMBOLS; symbol++) store<u32>(tally + (<usize>symbol << 2), 1);
  setCosts(work);
}

/** Bits of each symbol by how often they were chosen. One that never was costs as if it had been, rarely. */
function setCosts(work: usize): void {
  const tally = work + Layout.tally;
  let sum: u32 = 0;
  for (let symbol = 0; symbol < LITERALS; symbol++) sum += load<u32>(tally + (<usize>symbol << 2));
  const all = log2(work, max<u32>(sum, 1)) + 0.5;
  for (let symbol = 0; symbol < 256; symbol++) {
    store<i32>(work + Layout.literalCosts + (<usize>symbol << 2), costOf(work, tally, symbol, all, 0));
  }
  for (let length = 3; length <= LONGEST; length++) {
    const symbol = lengthSymbol(length);
    const cost = costOf(work, tally, symbol, all, lengthExtra(symbol));
    store<i32>(work + Layout.lengthCosts + (<usize>length << 2), cost);
  }
  sum = 0;
  for (let symbol = 0; symbol < DISTANCES; symbol++) sum += load<u32>(tally + (<usize>(LITERALS + symbol) << 2));
  const far = log2(work, max<u32>(sum, 1)) + 0.5;
  for (let symbol = 0; symbol < DISTANCES; symbol++) {
    const cost = costOf(work, tally, LITERALS + symbol, far, distanceExtra(symbol));
    store<i32>(work + Layout.distanceCosts + (<usize>symbol << 2), cost);
  }
}

@inline
function costOf(work: usize, tally: usize, symbol: i32, all: f32, extra: i32): i32 {
  const frequency = load<u32>(tally + (<usize>symbol << 2));
  const bits = frequency == 0 ? all + 1 : max<f32>(all - 0.5 - log2(work, frequency), 0.2);
  return <i32>((bits + <f32>extra) * SCALE + 0.5);
}

/**
 * The cheapest of many lengths, if it is cheaper than `least`: its cost in the upper half and itself below; else 0.
 * @param cost of the distance
 */
@inline
function cheapestLength(first: i32, last: i32, cost: i32, lengthCosts: usize, here: usize, least: i32): u64 {
  let lengths = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  let best = i32x4.splat(least - cost);
  let found = i32x4.splat(0);
  const four = i32x4.splat(4);
  let length = first;
  for (; length <= last - 3; length += 4) {
    const at = <usize>length << 2;
    const sums = i32x4.add(v128.load(lengthCosts + at), v128.load(here + at));
    found = v128.bitselect(lengths, found, i32x4.lt_s(sums, best));
    best = i32x4.min_s(best, sums);
    lengths = i32x4.add(lengths, four);
  }
  let result: u64 = 0;
  let cheapest = least;
  for (; length <= last; length++) {
    const at = <usize>length << 2;
    const sum = cost + load<i32>(lengthCosts + at) + load<i32>(here + at);
    if (sum >= cheapest) continue;
    cheapest = sum;
    result = (<u64><u32>sum << 32) | length;
  }
  result = cheaper(i32x4.extract_lane(best, 0) + cost, i32x4.extract_lane(found, 0), cheapest, result);
  cheapest = result == 0 ? cheapest : <i32>(result >> 32);
  result = cheaper(i32x4.extract_lane(best, 1) + cost, i32x4.extract_lane(found, 1), cheapest, result);
  cheapest = result == 0 ? cheapest : <i32>(result >> 32);
  result = cheaper(i32x4.extract_lane(best, 2) + cost, i32x4.extract_lane(found, 2), cheapest, result);
  cheapest = result == 0 ? cheapest : <i32>(result >> 32);
  return cheaper(i32x4.extract_lane(best, 3) + cost, i32x4.extract_lane(found, 3), cheapest, result);
}

@inline
function cheaper(sum: i32, length: i32, than: i32, other: u64): u64 {
  return sum < than ? (<u64><u32>sum << 32) | length : other;
}

/** Chooses for each position, from the last to the first, what makes the rest of the chunk cheapest. */
function choose(state: Deflater, cache: usize): void {
  const work = changetype<usize>(state);
  const bytes = state.origin + state.chunk;
  const literalCosts = work + Layout.literalCosts;
  const lengthCosts = work + Layout.lengthCosts;
  const distanceCosts = work + Layout.distanceCosts;
  const count = state.chosenEnd - state.chunk;
  const costs = work + Layout.costs;
  const choices = work + Layout.choices;
  store<i32>(costs + (<usize>count << 2), 0);
  for (let i = count - 1; i >= 0; i--) {
    const here = costs + (<usize>i << 2);
    const literal = <u32>load<u8>(bytes + i);
    let choice = literal;
    let least = load<i32>(literalCosts + (<usize>literal << 2)) + load<i32>(here, 4);
    cache -= 4;
    const found = <usize>load<u32>(cache) << 2;
    if (found != 0) {
      const end = cache;
      cache -= found;
      const most = count - i;
      let length = 3;
      for (let at = cache; at < end; at += 4) {
        const entry = load<u32>(at);
        const distance = entry & 0xffff;
        const longest = min(<i32>(entry >> 16), most);
        const cost = load<i32>(distanceCosts + (<usize>distanceSymbol(distance) << 2));
        if (length + 8 <= longest) {
          const cheapest = cheapestLength(length, longest, cost, lengthCosts, here, least);
          if (cheapest != 0) {
            least = <i32>(cheapest >> 32);
            choice = (<u32>cheapest << 16) | distance;
          }
          length = longest + 1;
          continue;
        }
        for (; length <= longest; length++) {
          const sum = cost + load<i32>(lengthCosts + (<usize>length << 2)) + load<i32>(here + (<usize>length << 2));
          if (sum < least) {
            least = sum;
            choice = (<u32>length << 16) | distance;
          }
        }
      }
    }
    store<i32>(here, least);
    store<u32>(choices + (<usize>i << 2), choice);
  }
}

/** Counts what is chosen. */
function tallyChoices(state: Deflater): void {
  const work = changetype<usize>(state);
  const tally = work + Layout.tally;
  const choices = work + Layout.choices;
  memory.fill(tally, 0, TALLY_BYTES);
  const end = state.chosenEnd - state.chunk;
  for (let i = 0; i < end; ) {
    const item = load<u32>(choices + (<usize>i << 2));
    countItem(tally, item);
    i += max(<i32>(item >> 16), 1);
  }
  count(tally, 256);
}

/** Finds the matches of a chunk and chooses among them, several times, each time with the costs that the last choice gives. */
export function parseChunk(state: Deflater): void {
  const work = changetype<usize>(state);
  const cache = findMatches(state);
  if (!state.costed) guessCosts(work);
  const passes = state.passes + (state.costed ? 0 : 1);
  state.costed = 1;
  for (let pass = 0; pass < passes; pass++) {
    choose(state, cache);
    tallyChoices(state);
    setCosts(work);
  }
}

/** Takes chosen symbols over, as many as there is room for. */
export function takeChoices(state: Deflater): void {
  const work = changetype<usize>(state);
  const choices = work + Layout.choices;
  const items = work + Layout.items;
  const end = state.chosenEnd;
  let count = state.itemCount;
  let position = state.next;
  while (position < end && count < state.itemRoom) {
    const item = load<u32>(choices + (<usize>(position - state.chunk) << 2));
    store<u32>(items + (<usize>count << 2), item);
    count++;
    position += max(<i32>(item >> 16), 1);
  }
  state.itemCount = count;
  state.next = position;
}
