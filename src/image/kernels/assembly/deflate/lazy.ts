import { chainAt, insert } from './chain';
import { equalBytes, lastShort, longestAt } from './match';
import { Deflater, HISTORY, Layout, LOOKAHEAD, match } from './state';

/** A match of three bytes is worth its distance only up to here. */
const NEAR: i32 = 4096;

/** Inserts a position and finds its longest match above `least`; 0 where there is none. */
function find(state: Deflater, position: i32, least: i32): u32 {
  const work = changetype<usize>(state);
  const origin = state.origin;
  const at = origin + position;
  const bytes = load<u32>(at);
  const most = longestAt(state, position);
  const nearest = max(position - HISTORY, state.start);
  const short = state.lazy ? lastShort(work, bytes, position) : 0;
  let candidate = insert(work, bytes, position);
  let best = max(least, 3);
  let found: u32 = 0;
  if (best >= most) {
    if (most < 3 || least >= most) return 0;
  } else {
    const nice = min(state.nice, most);
    for (let left = state.depth; candidate >= nearest && left > 0; left--) {
      const other = origin + candidate;
      if (load<u32>(other + best - 3) == load<u32>(at + best - 3)) {
        const length = equalBytes(at, other, 0, most);
        if (length > best) {
          best = length;
          found = match(length, position - candidate);
          if (length >= nice) return found;
        }
      }
      const next = load<i32>(chainAt(work, candidate));
      if (next >= candidate) break;
      candidate = next;
    }
  }
  if (found == 0 && least < 3 && short >= max(position - NEAR, nearest)) {
    if (((load<u32>(origin + short) ^ bytes) & 0xffffff) == 0) return match(3, position - short);
  }
  return found;
}

/** Inserts positions that a match covers. */
@inline
function cover(state: Deflater, from: i32, to: i32): void {
  const work = changetype<usize>(state);
  const origin = state.origin;
  const short = state.lazy;
  for (let position = from; position < to; position++) {
    const bytes = load<u32>(origin + position);
    insert(work, bytes, position);
    if (short) lastShort(work, bytes, position);
  }
}

/**
 * Parses as far as there is input and room for symbols: at each position the longest match, unless the next position has a
 * longer one.
 */
export function parseLazily(state: Deflater): void {
  const items = changetype<usize>(state) + Layout.items;
  const origin = state.origin;
  const stop = state.ended ? state.end : state.end - LOOKAHEAD;
  const room = state.itemRoom - 1;
  const lazy = state.lazy;
  let count = state.itemCount;
  let position = state.next;
  while (position < stop && count < room) {
    let found = state.pending;
    if (found == 0) found = find(state, position, 0);
    let covered = position + 1;
    while (lazy && found != 0 && <i32>(found >> 16) < lazy && count < room) {
      if (covered >= stop) {
        if (state.ended) break;
        state.pending = found;
        state.itemCount = count;
        state.next = position;
        return;
      }
      const better = find(state, covered++, <i32>(found >> 16));
      if (better == 0) break;
      store<u32>(items + (<usize>count << 2), load<u8>(origin + position));
      count++;
      position++;
      found = better;
    }
    state.pending = 0;
    store<u32>(items + (<usize>count << 2), found == 0 ? load<u8>(origin + position) : found);
    count++;
    const length = found == 0 ? 1 : <i32>(found >> 16);
    cover(state, covered, position + length);
    position += length;
  }
  state.itemCount = count;
  state.next = position;
}
