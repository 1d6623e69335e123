import { equalBytes, hash, lastShort, longestAt } from './match';
import { Deflater, HASH_BITS, HISTORY, Layout, match } from './state';

@inline
export function chainAt(work: usize, position: i32): usize {
  return work + Layout.chain + (<usize>(position & (HISTORY - 1)) << 2);
}

/** Puts a position at the head of its chain; returns the one before it. */
@inline
export function insert(work: usize, bytes: u32, position: i32): i32 {
  const head = work + Layout.heads + hash(bytes, HASH_BITS);
  const last = load<i32>(head);
  store<i32>(chainAt(work, position), last);
  store<i32>(head, position);
  return last;
}

/** Inserts a position, and the last one with its three bytes. */
@inline
export function insertOnly(state: Deflater, position: i32): void {
  const work = changetype<usize>(state);
  const bytes = load<u32>(state.origin + position);
  insert(work, bytes, position);
  lastShort(work, bytes, position);
}

/**
 * Inserts a position into its chain and finds matches: the nearest of each length that is longer than all nearer ones, among as many
 * candidates as the state allows. Writes them from `out` on (u32); returns where they end.
 */
export function findInChain(state: Deflater, position: i32, out: usize): usize {
  const work = changetype<usize>(state);
  const origin = state.origin;
  const at = origin + position;
  const bytes = load<u32>(at);
  const most = longestAt(state, position);
  const farthest = max(position - HISTORY, state.start);
  const short = lastShort(work, bytes, position);
  let candidate = insert(work, bytes, position);
  if (most < 3) return out;
  if (short >= farthest && ((load<u32>(origin + short) ^ bytes) & 0xffffff) == 0) {
    store<u32>(out, match(3, position - short));
    out += 4;
  }
  if (most < 4) return out;
  const nice = min(state.nice, most);
  let longest = 3;
  let wanted = bytes;
  for (let left = state.depth; candidate >= farthest && left > 0; left--) {
    const other = origin + candidate;
    if (load<u32>(other + longest - 3) == wanted) {
      const length = equalBytes(at, other, 0, most);
      if (length > longest) {
        longest = length;
        store<u32>(out, match(length, position - candidate));
        out += 4;
        if (length >= nice) return out;
        wanted = load<u32>(at + longest - 3);
      }
    }
    const next = load<i32>(chainAt(work, candidate));
    if (next >= candidate) break;
    candidate = next;
  }
  return out;
}
