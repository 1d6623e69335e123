import { Deflater, Layout, LONGEST, SHORT_BITS } from './state';

/** How many bytes are equal at both addresses, `most` at the most. Reads up to 7 bytes behind them. */
@inline
export function equalBytes(a: usize, b: usize, from: i32, most: i32): i32 {
  for (let length = from; length < most; length += 8) {
    const difference = load<u64>(a + length) ^ load<u64>(b + length);
    if (difference != 0) return min(most, length + <i32>(ctz(difference) >> 3));
  }
  return most;
}

@inline
export function hash(bytes: u32, bits: i32): usize {
  return <usize>((bytes * 0x9e3779b1) >> (32 - bits)) << 2;
}

/** How long a match at this position may be. */
@inline
export function longestAt(state: Deflater, position: i32): i32 {
  return min(LONGEST, state.end - position);
}

/** The last position before this one with the same three bytes, as far as its hash tells; this one takes its place. */
@inline
export function lastShort(work: usize, bytes: u32, position: i32): i32 {
  const head = work + Layout.shortHeads + hash(bytes << 8, SHORT_BITS);
  const last = load<i32>(head);
  store<i32>(head, position);
  return last;
}
