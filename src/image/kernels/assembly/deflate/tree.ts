import { equalBytes, hash, lastShort, longestAt } from './match';
import { Deflater, HISTORY, Layout, match, HASH_BITS } from './state';

@inline
function childrenAt(work: usize, position: i32): usize {
  return work + Layout.children + (<usize>(position & (HISTORY - 1)) << 3);
}

/**
 * Makes a position the root of its hash's tree, which sorts positions by what follows them, and on the way down finds matches: the
 * nearest of each length that is longer than all nearer ones. Writes them from `out` on (u32); returns where they end.
 */
export function findInTree(state: Deflater, position: i32, out: usize): usize {
  const work = changetype<usize>(state);
  const origin = state.origin;
  const at = origin + position;
  const bytes = load<u32>(at);
  const most = longestAt(state, position);
  const farthest = max(position - HISTORY + 1, state.start);
  let longest = 2;
  const short = lastShort(work, bytes, position);
  if (short >= farthest && most >= 3 && ((load<u32>(origin + short) ^ bytes) & 0xffffff) == 0) {
    longest = 3;
    store<u32>(out, match(3, position - short));
    out += 4;
  }
  const nice = min(state.nice, most);
  const head = work + Layout.heads + hash(bytes, HASH_BITS);
  let candidate = load<i32>(head);
  store<i32>(head, position);
  let before = childrenAt(work, position);
  let behind = before + 4;
  let beforeLength = 0;
  let behindLength = 0;
  for (let left = state.depth; candidate >= farthest && left > 0; left--) {
    const other = origin + candidate;
    const children = childrenAt(work, candidate);
    const length = equalBytes(at, other, min(beforeLength, behindLength), most);
    if (length > longest) {
      longest = length;
      store<u32>(out, match(length, position - candidate));
      out += 4;
    }
    if (length >= nice) {
      store<i32>(before, load<i32>(children));
      store<i32>(behind, load<i32>(children, 4));
      return out;
    }
    if (load<u8>(other + length) < load<u8>(at + length)) {
      store<i32>(before, candidate);
      before = children + 4;
      beforeLength = length;
      candidate = load<i32>(before);
    } else {
      store<i32>(behind, candidate);
      behind = children;
      behindLength = length;
      candidate = load<i32>(behind);
    }
  }
  store<i32>(before, 0);
  store<i32>(behind, 0);
  return out;
}
