/*
 * How coefficients are kept: so that a scan can be made from them again and again, faster than from Huffman codes and in
 * about one byte for each that is not zero. A row of blocks is its DC coefficients (i16 each), then for each block the number
 * of bytes that follow (u8) and its AC coefficients in zig-zag order. One of them is a byte, run of zeros before it << 4 | kind:
 * kinds 0–13 are 1, −1, 2, −2, … 7, −7; behind 14 stands an i8, behind 15 an i16. A byte of 0xF0 and above is 15 zeros alone.
 */

/** The most bytes that a block takes: 2 for DC, 1 for the length, 63 × 3. */
export const MOST_BYTES: u32 = 192;

const WIDE: i32 = 14;
const WIDEST: i32 = 15;
const ONLY_ZEROS: i32 = 0xf0;

/** Appends an AC coefficient behind `run` zeros; returns where the next one goes. */
@inline
export function keepCoefficient(at: usize, run: i32, value: i32): usize {
  while (run >= 15) {
    store<u8>(at, ONLY_ZEROS);
    at++;
    run -= 15;
  }
  const magnitude = abs(value);
  run <<= 4;
  if (magnitude < 8) {
    store<u8>(at, run | ((magnitude - 1) << 1) | (value >>> 31));
    return at + 1;
  }
  if (<i32>(<i8>value) == value) {
    store<u8>(at, run | WIDE);
    store<u8>(at + 1, value);
    return at + 2;
  }
  store<u8>(at, run | WIDEST);
  store<u16>(at + 1, value);
  return at + 3;
}

/** Zig-zag positions that a kept byte goes forward. */
@inline
export function advance(kept: i32): i32 {
  return kept >= ONLY_ZEROS ? 15 : (kept >> 4) + 1;
}

/** Whether a kept byte is zeros alone. */
@inline
export function isOnlyZeros(kept: i32): bool {
  return kept >= ONLY_ZEROS;
}

/** Bytes behind a kept byte that belong to it. */
@inline
export function bytesBehind(kept: i32): usize {
  return max((kept & 15) - 13, 0);
}

/** The coefficient of a kept byte, `behind` the bytes that belong to it. */
@inline
export function valueOf(kept: i32, behind: usize): i32 {
  const kind = kept & 15;
  if (kind < WIDE) {
    const magnitude = (kind >> 1) + 1;
    return kind & 1 ? -magnitude : magnitude;
  }
  return kind == WIDE ? <i32>load<i8>(behind) : <i32>load<i16>(behind);
}
